import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { BridgeError } from '../../base/bridgeError.ts';
import { realPathOfDeepest } from '../../config/paths.ts';
import { cannotWrite } from './cannotWrite.ts';
import { readText } from './readText.ts';
import type { SetupRecord } from './setupRecord.ts';
import type { PlannedWrite } from './setupTypes.ts';

/**
 * Writes one file whole or not at all, through a link to what it points at, with the mode and owner it had. What is needed to
 * take it back is on record before the file is there, so that an interruption loses nothing.
 *
 * @throws BridgeError `setup_failed` when the file is not as it was planned, or cannot be written
 */
export function writePlanned(write: PlannedWrite, record: SetupRecord): void {
  const { file, before, after, baseline } = write;
  const found = readText(file);
  if ((found?.text ?? null) !== before) {
    throw new BridgeError('setup_failed', `${file} has just been changed by somebody else.`, {
      hint: 'Try again.',
    });
  }
  try {
    removeUnfinished(realPathOfDeepest(file));
    if (after === null) remove(file);
    else if (baseline === undefined) replace(write, after);
    else {
      record.keep(realPathOfDeepest(file), after, baseline);
      replace(write, after);
    }
    if (baseline === undefined) record.forget(found?.target ?? file);
  } catch (error) {
    throw cannotWrite(file, error);
  }
}

/** Marks a file that is being written; one that stays behind is from a process that was killed. */
const UNFINISHED = 'delegate-setup-';

function removeUnfinished(target: string): void {
  const folder = dirname(target);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (name.startsWith(`.${basename(target)}.${UNFINISHED}`)) rmSync(join(folder, name));
  }
}

function replace({ file, mode }: PlannedWrite, text: string): void {
  const target = realPathOfDeepest(file);
  const unfinished = join(
    dirname(target),
    `.${basename(target)}.${UNFINISHED}${randomBytes(6).toString('hex')}`,
  );
  const descriptor = openSync(unfinished, 'wx', mode);
  try {
    try {
      writeFileSync(descriptor, text, 'utf8');
      // Whatever the umask took away from a file that was there.
      if (existsSync(target)) fchmodSync(descriptor, mode);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    keepOwner(target, unfinished, mode);
    renameSync(unfinished, target);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** An administrator who sets up for somebody else takes no file away from them. */
function keepOwner(target: string, unfinished: string, mode: number): void {
  const stat = statSync(target, { throwIfNoEntry: false });
  if (stat === undefined || (stat.uid === process.getuid?.() && stat.gid === process.getgid?.()))
    return;
  if (process.platform === 'win32') return;
  chownSync(unfinished, stat.uid, stat.gid);
  chmodSync(unfinished, mode);
}

function remove(file: string): void {
  unlinkSync(realPathOfDeepest(file));
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true) unlinkSync(file);
}
