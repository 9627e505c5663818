export interface Redactions {
  readonly homeDir: string;
  /** Folders of this window, with what stands for each. */
  readonly folders: readonly string[];
  readonly userName: string;
}

const SECRETS =
  /\b(?:sk|pk|ghp|gho|ghs|github_pat|glpat|xox[abp]|hf|AKIA|AIza|eyJ)[-_A-Za-z0-9.]{12,}|\b(?:Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/g;
const LONG_TOKEN = /\b(?=[A-Za-z0-9_-]*\d)(?=[A-Za-z0-9_-]*[A-Za-z])[A-Za-z0-9_-]{40,}\b/g;
const ADDRESS = /\b(https?:\/\/)([^\s/"'<>@]*@)?(\[[^\]]*\]|[^\s/:"'<>]+)/g;
const MAIL = /\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b/g;
const NEAR = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i;

/**
 * Takes out of a report what nobody needs to help: keys, names of people and folders, and the names of machines, each of which
 * becomes the same stand-in everywhere.
 */
export function redactDiagnostics(
  text: string,
  { homeDir, folders, userName }: Redactions,
): string {
  const hosts = new Map<string, string>();
  const hostName = (host: string): string => {
    if (NEAR.test(host)) return host;
    const known = hosts.get(host.toLowerCase()) ?? `host-${hosts.size + 1}`;
    hosts.set(host.toLowerCase(), known);
    return known;
  };
  let clean = text
    .replace(SECRETS, '<secret>')
    .replace(LONG_TOKEN, '<secret>')
    .replace(
      ADDRESS,
      (_all, scheme: string, login: string | undefined, host: string) =>
        `${scheme}${login === undefined ? '' : '<login>@'}${hostName(host)}`,
    )
    .replace(MAIL, '<mail>');
  // The longest first: a folder of the home folder is named by its own stand-in.
  const places = [
    ...folders.map((folder, index) => [folder, `<folder ${index + 1}>`] as const),
    [homeDir, '~'] as const,
  ].filter(([place]) => place.length > 1);
  places.sort(([a], [b]) => b.length - a.length);
  for (const [place, word] of places) clean = clean.replaceAll(place, word);
  for (const [host, word] of hosts)
    clean = clean.replaceAll(new RegExp(`\\b${escaped(host)}\\b`, 'gi'), word);
  return userName.length < 3
    ? clean
    : clean.replaceAll(new RegExp(`\\b${escaped(userName)}\\b`, 'g'), '<user>');
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
