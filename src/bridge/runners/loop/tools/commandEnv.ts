import { cleanEnv } from '../../../processes/cleanEnv.ts';

/** The environment of a command: the allow-list, what the configuration adds, and nothing that waits for a person. */
export function commandEnv(
  env: NodeJS.ProcessEnv,
  passthrough: readonly string[],
): Record<string, string> {
  const added = passthrough.flatMap((name): [string, string][] => {
    const value = env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return {
    ...cleanEnv(env),
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GIT_EDITOR: 'true',
    GIT_TERMINAL_PROMPT: '0',
    ...Object.fromEntries(added),
  };
}
