import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { checkConfig } from './check.ts';
import { wholeFileProblem } from './wholeFileProblem.ts';
import { type ParsedModels, parseModelsText } from './parse.ts';
import { partOf, withoutParts, withParts } from './parts.ts';
import { placeFinding } from './placeFinding.ts';
import type { ConfigProblem } from './problem.ts';
import type { ModelsFile } from './schema.ts';
import { MAX_CONFIG_CHARS } from './yamlText.ts';

/** What one file says now. */
export interface ConfigFileState {
  readonly exists: boolean;
  /** Null when there is no file or it could not be read. */
  readonly parsed: ParsedModels | null;
  readonly text: string | null;
  /** What to use: the good parts, and for broken ones what they last said. */
  readonly value: ModelsFile;
  /** Broken parts that were never good; `[]` among them: nothing of the file ever was. */
  readonly absent: readonly (readonly string[])[];
  readonly problems: readonly ConfigProblem[];
  /** Whether `value` is not what the file says. */
  readonly isStale: boolean;
}

/** The text of a file as an editor has it, saved or not; null: no editor has it open. */
export type OpenText = (file: string) => string | null;

/** One models.yaml or sidecar: read on every call, parsed again when its text changed, with the memory of what was good. */
export class ConfigFile {
  readonly file: string;
  readonly #openText: OpenText;
  #parsed: { text: string; result: ParsedModels } | null = null;
  #lastGood: ModelsFile | null = null;

  constructor(file: string, openText: OpenText = () => null) {
    this.file = file;
    this.#openText = openText;
  }

  read(): ConfigFileState {
    const open = this.#openText(this.file);
    const read: ReadText = open === null ? readConfigText(this.file) : { kind: 'text', text: open };
    if (read.kind === 'missing') {
      this.#lastGood = null;
      return {
        exists: false,
        parsed: null,
        text: null,
        value: {},
        absent: [],
        problems: [],
        isStale: false,
      };
    }
    if (read.kind === 'unreadable') {
      const message = `the file cannot be read: ${read.reason}`;
      return {
        exists: true,
        parsed: null,
        text: null,
        value: this.#lastGood ?? {},
        absent: this.#lastGood === null ? [[]] : [],
        problems: [wholeFileProblem(this.file, 'unreadable', message)],
        isStale: true,
      };
    }
    if (this.#parsed?.text !== read.text) {
      this.#parsed = {
        text: read.text,
        result: checkAlone(parseModelsText(read.text, this.file), this.file),
      };
    }
    const parsed = this.#parsed.result;
    const value =
      this.#lastGood === null
        ? parsed.parts
        : withParts(parsed.parts, this.#lastGood, parsed.broken);
    const absent = parsed.broken.filter((part) => !isCovered(part, this.#lastGood));
    // A first version that cannot be read at all leaves no memory: there is nothing good in it.
    if (this.#lastGood !== null || parsed.broken.every((part) => part.length > 0)) {
      this.#lastGood = value;
    }
    return {
      exists: true,
      parsed,
      text: read.text,
      value,
      absent,
      problems: parsed.problems,
      isStale: parsed.broken.length > 0,
    };
  }
}

/**
 * Takes out the endpoints and gates that a check finds wrong in this file alone, so that what they last said stays in
 * use. What another layer can still put right (a missing `base_url`) is left for the check of the whole.
 */
function checkAlone(parsed: ParsedModels, file: string): ParsedModels {
  const { document, lines } = parsed;
  const wrong = checkConfig(parsed.parts).filter(
    ({ severity, code, path: [section, name] }) =>
      severity === 'error' &&
      code !== 'missing_key' &&
      (section === 'endpoints' || section === 'gates') &&
      name !== undefined,
  );
  if (wrong.length === 0 || document === null) return parsed;
  const parts = wrong.map((finding) => partOf(finding.path));
  return {
    ...parsed,
    value: null,
    parts: withoutParts(parsed.parts, parts),
    broken: [...parsed.broken, ...parts],
    problems: [
      ...parsed.problems,
      ...wrong.map((finding) => placeFinding(finding, file, document, lines)),
    ],
  };
}

function isCovered(part: readonly string[], lastGood: ModelsFile | null): boolean {
  if (lastGood === null) return false;
  const [section, entry] = part;
  if (section === undefined) return true;
  const group: unknown = Object.hasOwn(lastGood, section)
    ? lastGood[section as keyof ModelsFile]
    : undefined;
  if (entry === undefined) return group !== undefined;
  return group !== null && typeof group === 'object' && Object.hasOwn(group, entry);
}

type ReadText =
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly reason: string }
  | { readonly kind: 'text'; readonly text: string };

function readConfigText(file: string): ReadText {
  let descriptor: number;
  try {
    // A pipe that somebody put in the place of the file must not make us wait.
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' };
    return { kind: 'unreadable', reason: code === 'EACCES' ? 'permission denied' : code };
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return { kind: 'unreadable', reason: 'it is not a file' };
    if (stat.size > 4 * MAX_CONFIG_CHARS) return { kind: 'unreadable', reason: 'it is too large' };
    return { kind: 'text', text: readFileSync(descriptor, 'utf8') };
  } catch (error) {
    return { kind: 'unreadable', reason: (error as NodeJS.ErrnoException).code ?? 'unknown error' };
  } finally {
    closeSync(descriptor);
  }
}
