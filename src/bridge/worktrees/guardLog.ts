import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * What guards of jobs on one repository put back, shared between them. A job that started while a setting was tampered with
 * has the bad value as its "before" and would bring it back when it ends; it looks here first.
 */
export class GuardLog {
  readonly #file: string;
  #lines: ReadonlySet<string> | null = null;

  constructor(file: string) {
    this.#file = file;
  }

  async add(item: string, badValue: string): Promise<void> {
    await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
    await appendFile(this.#file, `${entry(item, badValue)}\n`, { mode: 0o600 });
  }

  /** Whether another job's guard has taken this value away. */
  async wasRemoved(item: string, value: string): Promise<boolean> {
    this.#lines ??= new Set((await this.#read()).split('\n'));
    return this.#lines.has(entry(item, value));
  }

  async #read(): Promise<string> {
    try {
      return await readFile(this.#file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw error;
    }
  }
}

/** Only hashes: a setting may hold a secret. */
function entry(item: string, value: string): string {
  return createHash('sha256').update(`${item}\0${value}`).digest('hex');
}
