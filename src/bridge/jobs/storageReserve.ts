import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Several times what a receipt takes in the store's log. */
const SIZE_BYTES = 1024 * 1024;

/**
 * Room on the disk that a job sets aside at its start and gives back for its end, so that a disk which has become full meanwhile
 * does not take the receipt.
 */
export class StorageReserve {
  readonly #file: string;

  /** @throws the system's ENOSPC when there is no such room */
  constructor(jobDir: string) {
    this.#file = join(jobDir, 'reserve');
    // Random, or a file system that compresses would set nothing aside.
    writeFileSync(this.#file, randomBytes(SIZE_BYTES), { mode: 0o600 });
  }

  release(): void {
    rmSync(this.#file, { force: true });
  }
}
