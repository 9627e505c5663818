import { BridgeError } from '../base/bridgeError.ts';
import { sidecarPath } from '../config/sidecarPath.ts';
import { editModelsText } from '../config/edit/editModelsText.ts';
import type { TextReplacement } from '../config/edit/textReplacement.ts';
import { mergeImport } from '../config/import/mergeImport.ts';
import { ConfigLoader } from '../config/load.ts';
import { isGroup } from '../config/parts.ts';
import type { ConfigProblem } from '../config/problem.ts';
import { referencesIn } from '../config/secrets.ts';
import { readYamlText } from '../config/yamlText.ts';
import type { BridgeContext } from './bridgeContext.ts';
import { type ImportFrom, readImport } from './readImport.ts';
import { readSourceFile } from './readSourceFile.ts';

export interface ImportOptions {
  /** Where relative names of files begin. */
  readonly cwd: string;
  readonly signal?: AbortSignal;
}

export interface ImportRequest {
  readonly from: ImportFrom;
  /** Which file is changed: models.yaml of the user, or the one beside it that is kept out of git. */
  readonly target: 'file' | 'sidecar';
  /** The text of that file as an editor has it, saved or not. */
  readonly text?: string;
}

/** What an import would change. Nothing has been written. */
export interface ImportPlan {
  /** Where it comes from, for a person. */
  readonly source: string;
  /** Of what was read there: whoever keeps the keys says which version was shown. */
  readonly sourceSha256: string;
  readonly targetFile: string;
  /** Null: there is no such file. */
  readonly before: string | null;
  readonly after: string;
  readonly replacements: readonly TextReplacement[];
  readonly notes: readonly string[];
  /** Keys that stand in the source as text and that the result refers to. */
  readonly secrets: readonly { name: string; source: string; isKept: boolean }[];
  /** What is wrong with the result, as `delegate doctor` says it. */
  readonly problems: readonly ConfigProblem[];
}

/**
 * What another tool's configuration would add to models.yaml.
 * @throws BridgeError `bad_argument` for a source that cannot be read, `backend_unreachable` and `backend_error` for a server that does not
 *   say, `config_invalid` when the file to change is no YAML, `restricted` for what would ask the network in an untrusted window
 */
export async function importConfig(
  context: BridgeContext,
  request: ImportRequest,
  options: ImportOptions,
): Promise<ImportPlan> {
  const read = await readImport(context, request.from, options);
  const main = context.userConfigFile;
  const isSidecar = request.target === 'sidecar';
  const targetFile = isSidecar ? sidecarPath(main) : main;
  const before = request.text ?? readOrNull(targetFile);
  const present = dataOf(before ?? '', targetFile);
  const other = isSidecar ? main : sidecarPath(main);
  const beside = groupOf(readYamlText(readOrNull(other) ?? '').data);
  const { edits, notes } = mergeImport(present, read.imported.file, beside);
  const edited = editModelsText(before ?? '', edits);
  if (!edited.isOk)
    throw new BridgeError('config_invalid', `${targetFile} cannot be changed: ${edited.message}`, {
      hint: 'Change it by hand, or import into the file beside it.',
    });
  const { text: after, replacements } = edited;
  const named = new Set(edits.flatMap((edit) => referencesIn(JSON.stringify(edit))));
  return {
    source: read.source,
    sourceSha256: read.sha256,
    targetFile,
    before,
    after,
    replacements,
    notes: [...read.imported.notes, ...notes],
    secrets: read.imported.literals.list().filter(({ name }) => named.has(`secret:${name}`)),
    problems: problemsOf(context, targetFile, after),
  };
}

/**
 * Moves keys from the source to the secret store; their values are in nothing that this returns.
 * @param sha256 of the source as it was shown
 * @returns the names that were kept
 */
export async function keepImportKeys(
  context: BridgeContext,
  from: ImportFrom,
  wanted: { readonly names: readonly string[]; readonly sha256: string },
  options: ImportOptions,
): Promise<string[]> {
  const { imported, sha256, source } = await readImport(context, from, options);
  if (sha256 !== wanted.sha256)
    throw new BridgeError('conflict', `${source} was changed since it was shown.`, {
      hint: 'Import it again.',
    });
  const values = wanted.names.map((name) => {
    const value = imported.literals.valueOf(name);
    if (value === null)
      throw new BridgeError('bad_argument', `No key ${name} stands in ${source}.`, {
        hint: 'Import it again.',
      });
    return { name, value };
  });
  for (const { name, value } of values) await context.secrets.set(name, value);
  return values.map(({ name }) => name);
}

function readOrNull(file: string): string | null {
  return readSourceFile(file, { isOptional: true });
}

/** @throws BridgeError `config_invalid`: in a text that is no YAML nothing can be placed */
function dataOf(text: string, file: string): Record<string, unknown> {
  const { data, findings } = readYamlText(text);
  const error = findings.find(({ severity }) => severity === 'error');
  if (error !== undefined)
    throw new BridgeError(
      'config_invalid',
      `${file} is broken${error.range.line > 0 ? ` in line ${error.range.line}` : ''}: ${error.message}.`,
      { hint: 'Mend it first, so that nothing in it is lost.' },
    );
  return groupOf(data);
}

function groupOf(data: unknown): Record<string, unknown> {
  return isGroup(data) ? data : {};
}

function problemsOf(context: BridgeContext, file: string, text: string): ConfigProblem[] {
  const { env, homeDir, configFile } = context;
  const loader = new ConfigLoader({
    ...{ env, homeDir },
    ...(configFile === null ? {} : { configFile }),
    trust: () => false,
    openText: (asked) => (asked === file ? text : null),
  });
  return loader.load(null).problems.filter((problem) => problem.file === file);
}
