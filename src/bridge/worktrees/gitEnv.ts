/** Overrides that make a repository with LFS filters usable without git-lfs; `status` and `worktree remove` need them too. */
const LFS_OVERRIDES = [
  'filter.lfs.smudge=',
  'filter.lfs.clean=',
  'filter.lfs.process=',
  'filter.lfs.required=false',
];

/**
 * What holds for every git call of the bridge: no hook, no file system monitor, no signing, no background gc, no recursion
 * into submodules, and no shared index file left in the user's repository by a temporary index.
 */
const OVERRIDES = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.splitIndex=false',
  'core.longPaths=true',
  'core.safecrlf=false',
  'commit.gpgSign=false',
  'tag.gpgSign=false',
  'log.showSignature=false',
  'submodule.recurse=false',
  'gc.auto=0',
  'maintenance.auto=false',
];

export function gitOverrides(options: { lfsMissing: boolean }): string[] {
  const all = options.lfsMissing ? [...OVERRIDES, ...LFS_OVERRIDES] : OVERRIDES;
  return all.flatMap((setting) => ['-c', setting]);
}

/**
 * The environment of a git call: nothing of an outer git (`GIT_DIR`, `GIT_INDEX_FILE` … are set inside hooks and editors),
 * English messages, no prompt, no editor, and no transport but local files: the bridge's own calls open no connection.
 */
export function gitEnvironment(
  base: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(base)) {
    if (value === undefined || /^GIT_/i.test(name) || name === 'ELECTRON_RUN_AS_NODE') continue;
    env[name] = value;
  }
  return {
    ...env,
    LC_ALL: 'en_US.UTF-8',
    LANG: 'en_US.UTF-8',
    LANGUAGE: 'en',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: 'true',
    SSH_ASKPASS: 'true',
    GIT_EDITOR: 'true',
    GIT_SEQUENCE_EDITOR: 'true',
    GIT_PAGER: 'cat',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_ALLOW_PROTOCOL: 'file',
    GIT_NO_LAZY_FETCH: '1',
  };
}

/** Author and committer of the bridge's own bookkeeping commits (snapshots, kept states): never the user's name. */
export const BRIDGE_IDENTITY: Readonly<Record<string, string>> = {
  GIT_AUTHOR_NAME: 'Delegation Bridge',
  GIT_AUTHOR_EMAIL: 'delegation-bridge@localhost',
  GIT_COMMITTER_NAME: 'Delegation Bridge',
  GIT_COMMITTER_EMAIL: 'delegation-bridge@localhost',
};
