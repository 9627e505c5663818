import { BridgeError } from '../../base/bridgeError.ts';
import type { Node } from 'jsonc-parser';
import { isDeepStrictEqual } from 'node:util';
import { insertJson, newJsonText, replaceJson } from './insertJson.ts';
import { type JsonText, parseJsonText, plainValue, valueAt } from './jsonText.ts';
import { hookCommand, hookScriptPath, isHookCommand } from './hookCommand.ts';
import { partPlan } from './partPlan.ts';
import { readText } from './readText.ts';
import { entryOf, removeJson } from './removeJson.ts';
import { SETUP_TITLES } from './setupTitles.ts';
import type { PartPlan, PartState, PlannedWrite, SetupWorld } from './setupTypes.ts';
import { wholeFile } from './wholeFile.ts';

const HOOKS = 'hooks';
const EVENT = 'UserPromptSubmit';
const EVENT_PATH = [HOOKS, EVENT];
/** The hook takes a few milliseconds; Claude Code would wait a minute for one that hangs. */
const TIMEOUT_S = 5;

/** A hook in settings.json and the script that it runs. */
export function planHook(
  world: SetupWorld,
  action: 'install' | 'remove',
  isForced: boolean,
): PartPlan {
  const { settings } = world.paths;
  const script = wholeFile({
    world,
    file: hookScriptPath(world),
    media: 'prompt-hook.sh',
    part: 'hook',
    mode: 0o755,
  });
  const file = readText(settings);
  const json = parseJsonText(file?.text ?? '', settings);
  const ours = hooksOfOurs(json, settings);
  const wanted = { type: 'command', command: hookCommand(world), timeout: TIMEOUT_S };
  const write = (after: string | null, without?: string | null): PlannedWrite => ({
    file: settings,
    before: file?.text ?? null,
    after,
    baseline: without,
    mode: file?.mode ?? 0o644,
    isShared: false,
  });
  const baseline = (): string | null => {
    if (file === null) return null;
    const known = world.record.baseline(file.target, file.text);
    if (known !== undefined) return known;
    if (ours.length === 0) return file.text;
    const rest = withoutUs(json, settings);
    return world.record.isOurs(file.target) && /^\s*(\{\s*\})?\s*$/.test(rest) ? null : rest;
  };
  return partPlan(
    {
      part: 'hook',
      title: SETUP_TITLES.hook,
      state: stateOf(ours, script.state, wanted),
      foreign:
        script.state === 'changed'
          ? `${script.file} was changed since set-up wrote it.`
          : `The hook in ${settings} was changed since set-up wrote it.`,
      note: noteOf(json, settings),
      // The script first and last: a hook never names a script that is not there.
      install: () => [...script.install(), write(withUs(json, ours, wanted, settings), baseline())],
      remove: () => [
        write(ours.length === 0 ? (file?.text ?? null) : baseline()),
        ...script.remove(),
      ],
    },
    action,
    isForced,
  );
}

function stateOf(ours: readonly Node[], script: PartState, wanted: object): PartState {
  const values = ours.map((node) => plainValue(node) as Record<string, unknown>);
  if (script === 'changed') return 'changed';
  if (ours.length === 0) return script === 'absent' ? 'absent' : 'outdated';
  const isEdited = values.some((value) =>
    Object.keys(value).some((key) => !['type', 'command', 'timeout'].includes(key)),
  );
  if (isEdited) return 'changed';
  const isCurrent = values.length === 1 && isDeepStrictEqual(values[0], wanted);
  return isCurrent && script === 'installed' ? 'installed' : 'outdated';
}

/** Our hooks, in whatever group they stand; one is expected. */
function hooksOfOurs({ root }: JsonText, file: string): Node[] {
  const groups = valueAt(root, EVENT_PATH, file);
  if (groups === null) return [];
  const listed = listOf(groups, file, EVENT_PATH.join('.'));
  return listed.flatMap((group) => {
    const hooks = valueAt(group, [HOOKS], file);
    if (hooks === null) return [];
    return listOf(hooks, file, `${EVENT_PATH.join('.')}[].${HOOKS}`).filter((hook) => {
      const value: unknown = plainValue(hook);
      return (
        isRecord(value) && typeof value['command'] === 'string' && isHookCommand(value['command'])
      );
    });
  });
}

function withUs(json: JsonText, ours: readonly Node[], wanted: object, file: string): string {
  const { bom, text, root } = json;
  const group = { hooks: [wanted] };
  if (root === null) return bom + newJsonText({ [HOOKS]: { [EVENT]: [group] } });
  const [first, ...more] = ours;
  if (first !== undefined && more.length === 0) return bom + replaceJson(text, first, wanted);
  if (first !== undefined) {
    return withUs(parseJsonText(withoutUs(json, file), file), [], wanted, file);
  }
  const groups = valueAt(root, EVENT_PATH, file);
  if (groups !== null) return bom + insertJson(text, groups, { key: null, value: group });
  const hooks = valueAt(root, [HOOKS], file);
  return (
    bom +
    (hooks === null
      ? insertJson(text, root, { key: HOOKS, value: { [EVENT]: [group] } })
      : insertJson(text, hooks, { key: EVENT, value: [group] }))
  );
}

/** Without our hooks, and without the lists and objects that are empty then. */
function withoutUs(json: JsonText, file: string): string {
  const [first] = hooksOfOurs(json, file);
  if (first === undefined) return json.bom + json.text;
  // A group without hooks is none. Then up to the topmost container that holds nothing else: groups, event, hooks.
  const list = first.parent;
  let entry = list?.children?.length === 1 && list.parent?.parent ? list.parent.parent : first;
  for (;;) {
    const container = entry.parent;
    const outer = container === undefined ? undefined : entryOf(container);
    if (outer === undefined || outer === json.root || container?.children?.length !== 1) break;
    entry = outer;
  }
  const rest = json.bom + removeJson(json.text, entry);
  return withoutUs(parseJsonText(rest, file), file);
}

function noteOf({ root, isStrict }: JsonText, file: string): string | null {
  if (!isStrict) return `${file} has comments or trailing commas: Claude Code does not read it.`;
  const off = valueAt(root, ['disableAllHooks'], file);
  return off?.value === true ? `Hooks are off: "disableAllHooks" in ${file}.` : null;
}

function listOf(node: Node, file: string, where: string): readonly Node[] {
  if (node.type === 'array') return node.children ?? [];
  throw new BridgeError('setup_failed', `"${where}" in ${file} is not a list.`, {
    hint: 'Repair it first; until then Claude Code does not read it either.',
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
