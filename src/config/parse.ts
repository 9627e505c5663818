import type { Document, LineCounter } from 'yaml';
import { formatPath } from './configPath.ts';
import { describeIssue, type Finding } from './describeIssue.ts';
import { acceptOldSpellings } from './oldSpellings.ts';
import { isGroup, partOf, withoutParts } from './parts.ts';
import { placeFinding } from './placeFinding.ts';
import type { ConfigProblem } from './problem.ts';
import { type ModelsFile, modelsFileSchema } from './schema.ts';
import { readYamlText } from './yamlText.ts';

/** More than a person reads; keeps a hostile file from costing us a search of the text for each of its keys. */
const MAX_PROBLEMS = 100;

export interface ParsedModels {
  /** The whole file; null when anything in it is wrong. */
  readonly value: ModelsFile | null;
  /** What is fine on its own: `value`, or the file without its broken parts. */
  readonly parts: ModelsFile;
  /** Paths of the broken parts; one empty path when nothing could be read. */
  readonly broken: readonly (readonly string[])[];
  readonly problems: readonly ConfigProblem[];
  readonly document: Document.Parsed | null;
  readonly lines: LineCounter;
}

/**
 * Reads the text of one models.yaml or sidecar. Never throws: whatever the text holds, the answer is a value or problems.
 * `base_url` and `run` may be missing here, because another layer can have them; the loader checks the whole.
 */
export function parseModelsText(text: string, file: string): ParsedModels {
  const { data, document, lines, findings } = readYamlText(text);
  const problems: ConfigProblem[] = findings.map(({ range, ...rest }) => ({
    file,
    ...range,
    ...rest,
    path: '',
    suggestion: null,
  }));
  const result = (
    value: ModelsFile | null,
    parts: ModelsFile,
    broken: readonly (readonly string[])[],
  ): ParsedModels => ({ value, parts, broken, problems, document, lines });

  if (document === null || findings.some((finding) => finding.severity === 'error')) {
    return result(null, {}, [[]]);
  }
  const report = (finding: Finding, severity: 'error' | 'warning') => {
    problems.push(placeFinding({ ...finding, severity }, file, document, lines));
  };
  if (data !== null && data !== undefined && !isGroup(data)) {
    report(
      {
        path: [],
        at: 'value',
        code: 'wrong_type',
        message: 'the file must be a group of keys such as "endpoints:"',
        suggestion: null,
      },
      'error',
    );
    return result(null, {}, [[]]);
  }
  const accepted = acceptOldSpellings(withoutNulls(data ?? {}) as Record<string, unknown>);
  for (const finding of accepted.findings) report(finding, 'warning');

  const checked = modelsFileSchema.safeParse(accepted.value);
  // The value as written is kept, not the output of the schema: defaults are applied once all layers are merged.
  if (checked.success) return result(accepted.value, accepted.value, []);
  const broken = new Map<string, string[]>();
  let reported = 0;
  for (const issue of checked.error.issues) {
    for (const finding of describeIssue(issue, accepted.value)) {
      if (++reported <= MAX_PROBLEMS) report(finding, 'error');
      const part = partOf(finding.path);
      broken.set(formatPath(part), part);
    }
  }
  const parts = withoutParts(accepted.value, [...broken.values()]);
  return result(null, parts, [...broken.values()]);
}

/** A key without a value says nothing; `__proto__` is no name that anything may have. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isGroup(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => item !== null && key !== '__proto__')
      .map(([key, item]) => [key, withoutNulls(item)]),
  );
}
