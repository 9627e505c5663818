import { existsSync, statSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { BridgeError } from '../../base/bridgeError.ts';
import { realPathOfDeepest } from '../../config/paths.ts';

/** The files of Claude Code that set-up writes. */
export interface ClaudePaths {
  /** ~/.claude, or what CLAUDE_CONFIG_DIR names. */
  readonly configDir: string;
  /** Where servers of user scope are registered. */
  readonly registry: string;
  readonly settings: string;
  readonly skill: string;
  readonly relay: string;
}

/**
 * Where Claude Code looks for its files (2.1.332, tried): everything below CLAUDE_CONFIG_DIR when it is set, else below ~/.claude,
 * with the registry beside that folder. A `.config.json` in the folder, as old versions had it, takes the registry's place.
 *
 * @throws BridgeError `bad_argument` for a CLAUDE_CONFIG_DIR that is not absolute; `state_dir_invalid` outside of
 * DELEGATE_TEST_ISOLATION_ROOT
 */
export function claudePaths(env: NodeJS.ProcessEnv, homeDir: string): ClaudePaths {
  const chosen = env['CLAUDE_CONFIG_DIR'] ?? '';
  if (chosen !== '' && !isAbsolute(chosen)) {
    throw new BridgeError('bad_argument', `CLAUDE_CONFIG_DIR is not absolute: "${chosen}".`, {
      hint: 'Set it to an absolute path; Claude Code would look in another place for each folder.',
    });
  }
  const configDir = chosen === '' ? join(homeDir, '.claude') : chosen;
  const legacy = join(configDir, '.config.json');
  const registry = isUsed(legacy)
    ? legacy
    : join(chosen === '' ? homeDir : configDir, '.claude.json');
  assertIsolated(registry, env);
  assertIsolated(configDir, env);
  return {
    configDir,
    registry,
    settings: join(configDir, 'settings.json'),
    skill: join(configDir, 'skills', 'delegate', 'SKILL.md'),
    relay: join(configDir, 'agents', 'delegate-relay.md'),
  };
}

/** An empty file that cannot be written to is a block that people put there against old versions. */
function isUsed(file: string): boolean {
  if (!existsSync(file)) return false;
  const stat = statSync(file);
  return stat.isFile() && (stat.size > 0 || (stat.mode & 0o222) !== 0);
}

/** Tests set the variable so that a mistake can never reach the files of a person. */
function assertIsolated(file: string, env: NodeJS.ProcessEnv): void {
  const root = env['DELEGATE_TEST_ISOLATION_ROOT'] ?? '';
  if (root === '') return;
  const inside = relative(realPathOfDeepest(root), realPathOfDeepest(file));
  if (!inside.startsWith('..') && !isAbsolute(inside)) return;
  throw new BridgeError(
    'state_dir_invalid',
    `${file} is not below DELEGATE_TEST_ISOLATION_ROOT (${root}).`,
    { hint: 'Point HOME or CLAUDE_CONFIG_DIR below it, or unset it outside of tests.' },
  );
}
