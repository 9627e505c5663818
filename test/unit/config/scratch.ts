import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach } from 'mocha';

/** Call inside describe(): gives scratch folders that are removed after each test. */
export function scratchFolders(): { folder(): string; write(file: string, text: string): string } {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
  return {
    folder() {
      const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'delegate-config-')));
      folders.push(folder);
      return folder;
    },
    write(file, text) {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
  };
}
