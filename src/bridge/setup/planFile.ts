import { partPlan } from './partPlan.ts';
import { SETUP_TITLES } from './setupTitles.ts';
import type { PartPlan, SetupWorld } from './setupTypes.ts';
import { wholeFile } from './wholeFile.ts';

/** A part that is one file: `skill.md` or `relay.md`. */
export function planFile(
  world: SetupWorld,
  part: 'skill' | 'relay',
  action: 'install' | 'remove',
  isForced: boolean,
): PartPlan {
  const file = world.paths[part];
  const whole = wholeFile({ world, file, media: `${part}.md`, part, mode: 0o644 });
  const draft = {
    part,
    title: SETUP_TITLES[part],
    state: whole.state,
    foreign: `${file} has a text that set-up did not write, or that was changed since.`,
    note: null,
    install: whole.install,
    remove: whole.remove,
  };
  return partPlan(draft, action, isForced);
}
