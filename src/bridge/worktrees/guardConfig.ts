import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BridgeError } from '../../base/bridgeError.ts';
import type { Git } from './gitRunner.ts';
import { captureFiles, isConfigFile, keepCopy, readState, writeState } from './guardFiles.ts';
import type { GuardLog } from './guardLog.ts';
import type { GuardedFile, RepositoryState, RestoreOptions, RestoreReport } from './guardTypes.ts';

type Settings = Map<string, string[]>;

/**
 * Puts back config key by key, so that what the user's own git wrote meanwhile stays: `branch.*` (written by every push and
 * by editors) is left alone but for the job's own branch, and a remote or submodule that is wholly new, or wholly gone, is
 * only reported. All other keys can run programs, redirect transfers or change who commits, and nothing tells who wrote
 * them: they are put back, and the file as it was found is kept in the job's folder.
 */
export async function restoreConfig(
  git: Git,
  state: RepositoryState,
  options: RestoreOptions,
  log: GuardLog,
): Promise<RestoreReport> {
  const report: RestoreReport = { restored: [], unsure: [] };
  const now = await captureFiles(state.commonDir);
  const paths = new Set([...Object.keys(state.files), ...Object.keys(now)].filter(isConfigFile));
  for (const path of [...paths].sort()) {
    const before = state.files[path] ?? null;
    const found = now[path] ?? null;
    if (JSON.stringify(before) === JSON.stringify(found)) continue;
    await restoreOne({ git, state, options, log, report, path, before, found });
  }
  return report;
}

interface OneFile {
  readonly git: Git;
  readonly state: RepositoryState;
  readonly options: RestoreOptions;
  readonly log: GuardLog;
  readonly report: RestoreReport;
  readonly path: string;
  readonly before: GuardedFile | null;
  readonly found: GuardedFile | null;
}

async function restoreOne(file: OneFile): Promise<void> {
  const { git, state, options, log, report, path } = file;
  const full = join(state.commonDir, path);
  const was = await parse(git, file.before);
  const is = await parse(git, file.found);
  if (is === null || was === null) {
    // The file cannot be read as config (or is a link now): git fails on it as well, so the whole of it is put back.
    if (file.found) await keepCopy(path, file.found, options);
    await writeState(full, file.before);
    report.restored.push(`${path} (could not be read as configuration)`);
    return;
  }
  const back: string[] = [];
  for (const key of new Set([...was.keys(), ...is.keys()])) {
    const [old, present] = [was.get(key) ?? [], is.get(key) ?? []];
    if (JSON.stringify(old) === JSON.stringify(present)) continue;
    const item = `${path}:${key}`;
    if (await log.wasRemoved(item, JSON.stringify(old))) continue;
    const verdict = judge(key, { was, is, ownBranch: options.ownBranch });
    if (verdict === 'unsure')
      report.unsure.push(`${item} ${present.length === 0 ? 'was removed' : 'is new'}`);
    if (verdict !== 'put-back') continue;
    back.push(key);
    await log.add(item, JSON.stringify(present));
    report.restored.push(
      `${item} (${present.length === 0 ? 'removed' : old.length === 0 ? 'new' : 'changed'})`,
    );
  }
  if (back.length === 0) return;
  if (file.found) await keepCopy(path, file.found, options);
  for (const key of back) await setAll(git, { file: full, key, values: was.get(key) ?? [] });
  // When nothing else changed, the file becomes what it was to the byte (git leaves empty sections and its own order).
  const after = await parse(git, await readState(full));
  if (after && isSame(after, was)) await writeState(full, file.before);
}

function judge(
  key: string,
  context: { was: Settings; is: Settings; ownBranch: string },
): 'put-back' | 'unsure' | 'leave' {
  if (key.startsWith(`branch.${context.ownBranch}.`)) return 'put-back';
  if (key.startsWith('branch.')) return 'leave';
  const group = /^(?:remote|submodule)\..+\./s.exec(key)?.[0];
  if (group === undefined || /\.(uploadpack|receivepack|vcs|proxy|update)$/.test(key))
    return 'put-back';
  const isIn = (settings: Settings) =>
    [...settings.keys()].some((other) => other.startsWith(group));
  return isIn(context.was) && isIn(context.is) ? 'put-back' : 'unsure';
}

/** The settings of one file as git reads them, includes not followed; null when it is not config. */
async function parse(git: Git, state: GuardedFile | null): Promise<Settings | null> {
  const settings: Settings = new Map();
  if (state === null) return settings;
  if ('link' in state) return null;
  const folder = await mkdtemp(join(tmpdir(), 'delegate-config-'));
  try {
    const file = join(folder, 'config');
    await writeFile(file, Buffer.from(state.base64, 'base64'), { mode: 0o600 });
    const result = await git.run(['config', '--file', file, '--no-includes', '-z', '--list'], {
      cwd: folder,
      readOnly: true,
      okCodes: [0, 1, 3, 128],
    });
    if (result.code !== 0) return null;
    for (const entry of result.stdout.toString('utf8').split('\0')) {
      if (entry === '') continue;
      const end = entry.indexOf('\n');
      // A key without "=" has no line end, and means true: not the same as an empty value.
      const [key, value] =
        end === -1 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)];
      settings.set(key, [...(settings.get(key) ?? []), value]);
    }
    return settings;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function setAll(
  git: Git,
  setting: { file: string; key: string; values: string[] },
): Promise<void> {
  const { file, key, values } = setting;
  const call = { cwd: join(file, '..') };
  // 5: there was none.
  await git.run(['config', '--file', file, '--unset-all', key], { ...call, okCodes: [0, 5] });
  for (const value of values) await git.run(['config', '--file', file, '--add', key, value], call);
  const result = await git.run(['config', '--file', file, '-z', '--get-all', key], {
    ...call,
    okCodes: [0, 1],
  });
  if (result.stdout.toString('utf8') !== values.map((value) => `${value}\0`).join('')) {
    throw new BridgeError('git_failed', `The setting ${key} in ${file} could not be put back.`);
  }
}

function isSame(a: Settings, b: Settings): boolean {
  const text = (settings: Settings) =>
    JSON.stringify([...settings].sort(([x], [y]) => (x < y ? -1 : 1)));
  return text(a) === text(b);
}
