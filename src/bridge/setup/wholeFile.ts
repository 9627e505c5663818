import type { SetupPart } from '../../protocol/ui/setup.ts';
import { readText } from './readText.ts';
import type { PartState, PlannedWrite, SetupWorld } from './setupTypes.ts';
import { isIntact, signText } from './signedText.ts';

export interface WholeFile {
  readonly file: string;
  readonly state: PartState;
  readonly install: () => readonly PlannedWrite[];
  readonly remove: () => readonly PlannedWrite[];
}

/** A file that is all ours, from media/claude-code. */
export function wholeFile(options: {
  readonly world: SetupWorld;
  readonly file: string;
  readonly media: string;
  readonly part: SetupPart;
  readonly mode: number;
}): WholeFile {
  const { world, file, media, part, mode } = options;
  const found = readText(file);
  const wanted = signText(world.media(media), part);
  const before = found?.text ?? null;
  const write = (after: string | null): readonly PlannedWrite[] => {
    if (before === after) return [];
    const baseline = after === null ? undefined : null;
    return [{ file, before, after, baseline, mode: found?.mode ?? mode, isShared: false }];
  };
  return {
    file,
    state: stateOf(before, wanted),
    install: () => write(wanted),
    remove: () => write(null),
  };
}

function stateOf(text: string | null, wanted: string): PartState {
  if (text === null) return 'absent';
  if (text === wanted) return 'installed';
  return isIntact(text) ? 'outdated' : 'changed';
}
