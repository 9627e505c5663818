import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import { BridgeError } from '../../base/bridgeError.ts';
import { launcherTarget } from '../../config/launcherTarget.ts';
import { launcherPath } from './planRegistration.ts';
import { setUpClaude } from './setUpClaude.ts';
import type { SetupOptions } from './setupTypes.ts';
import { whatStays } from './whatStays.ts';

/**
 * What the extension takes along when it is uninstalled: the set-up of Claude Code, as far as nobody has changed it, and the launcher,
 * unless it runs another installation that is still there. Jobs, their worktrees and their refs stay and are named.
 *
 * @returns lines for a person
 */
export async function uninstall(options: SetupOptions): Promise<string[]> {
  const launcher = launcherPath(options);
  const target = await launcherTarget(launcher);
  const own = dirname(options.installation.distDir) + sep;
  if (target?.some((part) => !part.startsWith(own) && part.endsWith('.cjs') && existsSync(part))) {
    return [`The set-up stays: ${launcher} runs another installation.`];
  }
  const { parts } = await setUpClaude({ action: 'remove' }, options);
  const lines = parts.flatMap(({ part, problem, changes }) => {
    if (problem !== null) return [`${part} stays: ${problem}`];
    return changes.length === 0 ? [] : [`${part} is removed from Claude Code.`];
  });
  if (target !== null) {
    await rm(launcher, { force: true });
    lines.push(`${launcher} is removed.`);
  }
  return [...lines, ...(await tryWhatStays(options))];
}

async function tryWhatStays(options: SetupOptions): Promise<string[]> {
  try {
    return await whatStays(options);
  } catch (error) {
    return [`What stays could not be listed: ${BridgeError.from(error).message}`];
  }
}
