import { readFileSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BridgeError } from '../../base/bridgeError.ts';
import { writeLauncher } from '../../config/launcher.ts';
import { isLauncherWhole } from '../../config/launcherTarget.ts';
import { realPathOfDeepest } from '../../config/paths.ts';
import { SETUP_PARTS, type SetupPart } from '../../protocol/ui/setup.ts';
import { claudePaths } from './claudePaths.ts';
import { withClaudeLock } from './claudeLock.ts';
import { makeFolders } from './makeFolders.ts';
import { planFile } from './planFile.ts';
import { planHook } from './planHook.ts';
import { launcherPath, planRegistration } from './planRegistration.ts';
import { sha256 } from './readText.ts';
import { SetupRecord } from './setupRecord.ts';
import { SETUP_TITLES } from './setupTitles.ts';
import type {
  PartPlan,
  PartReport,
  PlannedWrite,
  SetupOptions,
  SetupReport,
  SetupRequest,
  SetupWorld,
} from './setupTypes.ts';
import { spliceBetween } from '../../base/splice.ts';
import { writePlanned } from './writePlanned.ts';

type Action = 'install' | 'remove';

/**
 * Plans or does the set-up of Claude Code, part by part: one that cannot be done says why and stops no other.
 *
 * @throws BridgeError when the folders of Claude Code cannot be told
 */
export async function setUpClaude(
  request: SetupRequest,
  options: SetupOptions,
): Promise<SetupReport> {
  const world: SetupWorld = {
    ...options,
    paths: claudePaths(options.env, options.homeDir),
    record: new SetupRecord(options.stateDir),
    media: (name) => readMedia(options.installation.distDir, name),
  };
  const wanted = SETUP_PARTS.filter((part) => request.parts?.includes(part) ?? true);
  const reports: PartReport[] = [];
  for (const part of wanted) reports.push(await reportPart(world, part, request));
  if (request.action === 'remove') removeFolders(world);
  return { launcher: launcherPath(world), parts: reports };
}

async function reportPart(
  world: SetupWorld,
  part: SetupPart,
  { action: verb, force = false, expect }: SetupRequest,
): Promise<PartReport> {
  const action: Action = verb === 'install' || verb === 'plan-install' ? 'install' : 'remove';
  const plan = tryPlan(world, part, action, force);
  const planned = { ...headOf(plan), changes: plan.writes.map(changeOf) };
  if (verb !== 'install' && verb !== 'remove') return planned;
  if (plan.problem !== null) return planned;
  const unseen = plan.writes.find((write) => !isExpected(write, expect));
  if (unseen !== undefined) {
    const problem = `${unseen.file} was changed since it was shown. Nothing was written; look at it again.`;
    return { ...headOf(plan), problem, changes: [] };
  }
  const done: PlannedWrite[] = [];
  let problem: string | null = null;
  try {
    if (part === 'registration' && action === 'install') await ensureLauncher(world);
    for (const write of plan.writes) {
      if (write.after !== null) makeFolders(write.file, world.record);
      const perform = (): void => writePlanned(write, world.record);
      if (write.isShared) await withClaudeLock(write.file, perform);
      else perform();
      done.push(write);
    }
    if (action === 'remove') forget(world, part);
  } catch (error) {
    problem = sentence(error);
  }
  const { state } = tryPlan(world, part, action, force);
  return { ...headOf(plan), state, problem, changes: done.map(changeOf) };
}

function planPart(world: SetupWorld, part: SetupPart, action: Action, isForced: boolean): PartPlan {
  switch (part) {
    case 'registration':
      return planRegistration(world, action, isForced);
    case 'hook':
      return planHook(world, action, isForced);
    case 'skill':
    case 'relay':
      return planFile(world, part, action, isForced);
  }
}

function tryPlan(world: SetupWorld, part: SetupPart, action: Action, isForced: boolean): PartPlan {
  try {
    return planPart(world, part, action, isForced);
  } catch (error) {
    if (!BridgeError.is(error, 'setup_failed')) throw error;
    const problem = sentence(error);
    return { part, title: SETUP_TITLES[part], state: 'unknown', problem, note: null, writes: [] };
  }
}

function headOf({ part, title, state, problem, note }: PartPlan): Omit<PartReport, 'changes'> {
  return { part, title, state, problem, note };
}

function changeOf({ file, before, after }: PlannedWrite): PartReport['changes'][number] {
  return {
    file,
    beforeSha256: sha256(before),
    afterSha256: sha256(after),
    splice: after === null ? null : spliceBetween(before ?? '', after),
  };
}

function isExpected(write: PlannedWrite, expect: SetupRequest['expect']): boolean {
  if (expect === undefined) return true;
  return expect.some(
    (each) => each.file === write.file && each.beforeSha256 === sha256(write.before),
  );
}

/** One that works stays: the extension's is newer than that of an installation without an editor, or the same. */
async function ensureLauncher(world: SetupWorld): Promise<void> {
  if (await isLauncherWhole(launcherPath(world))) return;
  const { execPath, distDir } = world.installation;
  const script = join(dirname(distDir), 'bin', 'delegate.cjs');
  await writeLauncher(world.stateDir, { execPath, script }, world.platform);
}

/** What a person has removed by hand is on record no more. */
function forget({ paths, record }: SetupWorld, part: SetupPart): void {
  const file = {
    registration: paths.registry,
    hook: paths.settings,
    skill: paths.skill,
    relay: paths.relay,
  }[part];
  record.forget(realPathOfDeepest(file));
}

/** Folders that we made, from the innermost, as long as they are empty. */
function removeFolders({ record }: SetupWorld): void {
  for (const folder of record.folders.toSorted((a, b) => b.length - a.length)) {
    try {
      rmdirSync(folder);
      record.forgetFolder(folder);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') record.forgetFolder(folder);
      // Else somebody uses it, has put a link there, or it is not ours to remove: it stays.
    }
  }
  record.forgetUnused();
}

function readMedia(distDir: string, name: string): string {
  const file = join(dirname(distDir), 'media', 'claude-code', name);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new BridgeError('setup_failed', `${file} is missing.`, {
      hint: 'Install Delegation Bridge again.',
      cause: error,
    });
  }
}

function sentence(error: unknown): string {
  const { message, hint } = BridgeError.from(error);
  return `${message} ${hint}`.trim();
}
