import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { atomicWrite } from '../../config/atomicWrite.ts';
import { applySplice, type Splice, spliceBetween } from '../../base/splice.ts';
import { sha256 } from './readText.ts';

const fileSchema = z.object({
  /** The file as we left it; when it is another by now, only its structure says what is ours. */
  sha256: z.string(),
  /** Leads back to the text without us; null: there was no file. */
  back: z.object({ start: z.number(), delete_count: z.number(), insert: z.string() }).nullable(),
});
const recordSchema = z.object({
  v: z.literal(1),
  files: z.record(z.string(), fileSchema),
  /** Folders that we made. */
  folders: z.array(z.string()),
});
type RecordData = z.infer<typeof recordSchema>;

/**
 * What set-up has made, so that removal leaves every byte as it was: in the state dir, written before the files themselves. Nothing
 * depends on it but the last byte: without it, removal goes by what the files contain.
 */
export class SetupRecord {
  readonly #file: string;
  #data: RecordData;

  constructor(stateDir: string) {
    this.#file = join(stateDir, 'claude-setup.json');
    this.#data = read(this.#file);
  }

  get folders(): readonly string[] {
    return this.#data.folders;
  }

  /** The text without us: undefined when the file is not as we left it, null when there was no file. */
  baseline(file: string, text: string): string | null | undefined {
    const known = this.#data.files[file];
    if (known === undefined || known.sha256 !== sha256(text)) return undefined;
    if (known.back === null) return null;
    const { start, delete_count: deleteCount, insert } = known.back;
    return applySplice(text, { start, deleteCount, insert });
  }

  /** Whether the file came into being through us, whatever it is by now. */
  isOurs(file: string): boolean {
    return this.#data.files[file]?.back === null;
  }

  keep(file: string, text: string, baseline: string | null): void {
    const back = baseline === null ? null : wire(spliceBetween(text, baseline));
    this.#data.files[file] = { sha256: sha256(text) ?? '', back };
    this.#save();
  }

  forget(file: string): void {
    if (this.#data.files[file] === undefined) return;
    this.#data.files = without(this.#data.files, file);
    this.#save();
  }

  keepFolder(folder: string): void {
    if (this.#data.folders.includes(folder)) return;
    this.#data.folders.push(folder);
    this.#save();
  }

  forgetFolder(folder: string): void {
    if (!this.#data.folders.includes(folder)) return;
    this.#data.folders = this.#data.folders.filter((known) => known !== folder);
    this.#save();
  }

  /** Folders that are in use by others, once nothing of ours is left. */
  forgetUnused(): void {
    if (Object.keys(this.#data.files).length > 0 || this.#data.folders.length === 0) return;
    this.#data.folders = [];
    this.#save();
  }

  #save(): void {
    const { files, folders } = this.#data;
    if (Object.keys(files).length === 0 && folders.length === 0)
      rmSync(this.#file, { force: true });
    else atomicWrite(this.#file, `${JSON.stringify(this.#data, null, 1)}\n`, 0o600);
  }
}

function read(file: string): RecordData {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return empty();
    throw error;
  }
  try {
    return recordSchema.parse(JSON.parse(text));
  } catch (error) {
    // A broken one is worth as much as none.
    if (error instanceof SyntaxError || error instanceof z.ZodError) return empty();
    throw error;
  }
}

function empty(): RecordData {
  return { v: 1, files: {}, folders: [] };
}

function wire({ start, deleteCount, insert }: Splice): {
  start: number;
  delete_count: number;
  insert: string;
} {
  return { start, delete_count: deleteCount, insert };
}

function without<T>(record: Record<string, T>, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
}
