/** Who made the change of a commit; null = unknown, and said so. */
export interface Provenance {
  /** The word on the result: `person:vscode`, `person:cli` or `agent:<client>`. */
  readonly by: string | null;
  readonly model: string | null;
  readonly endpoint: string | null;
  readonly job: string;
  readonly gate: string | null;
}

/** The trailer block of a commit message, without a final line end. */
export function provenanceTrailer(provenance: Provenance): string {
  const lines: [string, string | null][] = [
    ['Delegated-By', provenance.by],
    ['Delegated-Model', provenance.model],
    ['Delegated-Endpoint', provenance.endpoint],
    ['Delegated-Job', provenance.job],
    ['Delegated-Gate', provenance.gate],
  ];
  return lines.map(([name, value]) => `${name}: ${oneLine(value) || 'unknown'}`).join('\n');
}

/** A model's name comes from its server: a line end in it must not make a trailer of its own. */
function oneLine(value: string | null): string {
  // eslint-disable-next-line no-control-regex
  return (value ?? '').replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g, ' ').trim();
}
