import type { CamelKeys } from '../../protocol/keys.ts';
import type { setup, SetupPart } from '../../protocol/ui/setup.ts';
import type * as z from 'zod';
import type { Installation } from '../bridgeTypes.ts';
import type { ClaudePaths } from './claudePaths.ts';
import type { SetupRecord } from './setupRecord.ts';

export type SetupRequest = CamelKeys<z.input<typeof setup.input>>;
export type SetupReport = CamelKeys<z.output<typeof setup.output>>;
export type PartReport = SetupReport['parts'][number];
export type PartState = PartReport['state'];

/** Where set-up takes place. */
export interface SetupOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly homeDir: string;
  readonly stateDir: string;
  readonly platform: NodeJS.Platform;
  readonly installation: Installation;
}

/** What the parts are planned from. */
export interface SetupWorld extends SetupOptions {
  readonly paths: ClaudePaths;
  readonly record: SetupRecord;
  /** Text of a file in media/claude-code. */
  readonly media: (name: string) => string;
}

/** What one part would do to one file. */
export interface PlannedWrite {
  /** As it is called: may be a symbolic link. */
  readonly file: string;
  /** Null: the file is not there. */
  readonly before: string | null;
  /** Null: it goes. */
  readonly after: string | null;
  /** What removal will put back: the text without us, null for no file. Undefined: this write is the removal. */
  readonly baseline: string | null | undefined;
  readonly mode: number;
  /** Claude Code writes the file as well, under a lock. */
  readonly isShared: boolean;
}

export interface PartPlan {
  readonly part: SetupPart;
  readonly title: string;
  readonly state: PartState;
  readonly problem: string | null;
  readonly note: string | null;
  readonly writes: readonly PlannedWrite[];
}
