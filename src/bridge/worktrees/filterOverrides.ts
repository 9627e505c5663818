/** Settings of git by name, the last one wins. */
export type Settings = readonly (readonly [name: string, value: string])[];

const PARTS = ['clean', 'smudge', 'process'];

/**
 * Overrides that make every filter do nothing. A filter is a program that the repository's own config names and that runs as soon as
 * git looks at a file; where the repository is not trusted nothing of it may run.
 *
 * @param names output of `git config --null --name-only --get-regexp ^filter\.`
 */
export function filterOverrides(names: string): Settings {
  const drivers = new Set(
    names.split('\0').flatMap((name) => /^(filter\.[^]+)\.[^.]+$/i.exec(name)?.[1] ?? []),
  );
  return [...drivers].flatMap((driver) => [
    ...PARTS.map((part) => [`${driver}.${part}`, ''] as const),
    [`${driver}.required`, 'false'] as const,
  ]);
}

/** As environment: on a command line a name with `=` in it would be another one. */
export function settingsEnvironment(settings: Settings): Record<string, string> {
  const env: Record<string, string> = { GIT_CONFIG_COUNT: String(settings.length) };
  for (const [index, [name, value]] of settings.entries()) {
    env[`GIT_CONFIG_KEY_${index}`] = name;
    env[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return env;
}
