import type { Node } from 'jsonc-parser';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { insertJson, newJsonText, replaceJson } from './insertJson.ts';
import { type JsonText, parseJsonText, plainValue, valueAt } from './jsonText.ts';
import { partPlan } from './partPlan.ts';
import { readText } from './readText.ts';
import { entryOf, removeJson } from './removeJson.ts';
import { SETUP_TITLES } from './setupTitles.ts';
import type { PartPlan, PartState, PlannedWrite, SetupOptions, SetupWorld } from './setupTypes.ts';

const SERVERS = 'mcpServers';
const NAME = 'delegate';
/** It holds keys of other servers. */
const NEW_FILE_MODE = 0o600;

/**
 * Registers the launcher at user scope. The registry is edited as text and not through `claude mcp add`: that writes the whole file
 * anew and leaves more behind than it found (2.1.332, tried), and it works where no `claude` is on the PATH.
 */
export function planRegistration(
  world: SetupWorld,
  action: 'install' | 'remove',
  isForced: boolean,
): PartPlan {
  const { registry } = world.paths;
  const file = readText(registry);
  const json = parseJsonText(file?.text ?? '', registry);
  const entry = valueAt(json.root, [SERVERS, NAME], registry);
  const wanted = registrationOf(world);
  const state = stateOf(entry, wanted);
  const write = (after: string | null, without?: string | null): PlannedWrite => ({
    file: registry,
    before: file?.text ?? null,
    after,
    baseline: without,
    mode: file?.mode ?? NEW_FILE_MODE,
    isShared: true,
  });
  const baseline = (): string | null => {
    if (file === null) return null;
    const known = world.record.baseline(file.target, file.text);
    if (known !== undefined) return known;
    if (entry === null) return file.text;
    const rest = withoutUs(json, registry);
    return world.record.isOurs(file.target) && isBare(rest) ? null : rest;
  };
  return partPlan(
    {
      part: 'registration',
      title: SETUP_TITLES.registration,
      state,
      foreign: `Claude Code has a server "${NAME}" that set-up did not write, or that was changed since, in ${registry}.`,
      note: json.isStrict
        ? null
        : `${registry} has comments or trailing commas: Claude Code does not read it.`,
      install: () => [write(withUs(json, entry, wanted, registry), baseline())],
      remove: () => [write(baseline())],
    },
    action,
    isForced,
  );
}

/** The path of the launcher, see writeLauncher(). */
export function launcherPath({ stateDir, platform }: SetupOptions): string {
  return join(stateDir, 'bin', platform === 'win32' ? 'delegate.cmd' : 'delegate');
}

interface Registration {
  readonly type: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

function registrationOf(world: SetupWorld): Registration {
  const { DELEGATE_STATE: chosen = '' } = world.env;
  return {
    type: 'stdio',
    command: launcherPath(world),
    args: ['mcp'],
    // Whoever chose another store means it for Claude Code as well, whose environment may be another one.
    ...(chosen === '' ? {} : { env: { DELEGATE_STATE: world.stateDir } }),
  };
}

function stateOf(entry: Node | null, wanted: Registration): PartState {
  if (entry === null) return 'absent';
  const { type = 'stdio', env = {}, ...rest } = (plainValue(entry) ?? {}) as Registration;
  const { type: _, env: wantedEnv = {}, ...wantedRest } = wanted;
  if (type === 'stdio' && isDeepStrictEqual(rest, wantedRest) && isDeepStrictEqual(env, wantedEnv))
    return 'installed';
  return isOurShape(type, env, rest) ? 'outdated' : 'changed';
}

/** `delegate mcp` in any of the ways in which it can be called, with nothing more. */
function isOurShape(type: string, env: object, rest: Omit<Registration, 'type' | 'env'>): boolean {
  const { command, args, ...more } = rest;
  if (type !== 'stdio' || typeof command !== 'string' || !Array.isArray(args)) return false;
  const hasOtherEnv = Object.keys(env).some((name) => name !== 'DELEGATE_STATE');
  if (Object.keys(more).length > 0 || hasOtherEnv) return false;
  const words = [command, ...(args as string[])];
  const [program = '', verb] = words.slice(-2);
  const isNode =
    words.length === 2 || (words.length === 3 && /(^|[\\/])node(\.exe)?$/.test(command));
  return verb === 'mcp' && isNode && /(^|[\\/])delegate(\.cjs|\.cmd)?$/.test(program);
}

function withUs(
  { bom, text, root }: JsonText,
  entry: Node | null,
  wanted: Registration,
  file: string,
): string {
  if (root === null) return bom + newJsonText({ [SERVERS]: { [NAME]: wanted } });
  if (entry !== null) return bom + replaceJson(text, entry, wanted);
  const servers = valueAt(root, [SERVERS], file);
  return (
    bom +
    (servers === null
      ? insertJson(text, root, { key: SERVERS, value: { [NAME]: wanted } })
      : insertJson(text, servers, { key: NAME, value: wanted }))
  );
}

function withoutUs({ bom, text, root }: JsonText, file: string): string {
  const entry = valueAt(root, [SERVERS, NAME], file);
  if (entry === null) return bom + text;
  const servers = valueAt(root, [SERVERS], file);
  const isLast = servers?.children?.length === 1;
  return bom + removeJson(text, entryOf(isLast ? servers : entry));
}

function isBare(text: string): boolean {
  return /^\s*(\{\s*\})?\s*$/.test(text);
}
