import { Document, isCollection, isMap, isScalar } from 'yaml';
import { environment } from './import/environment.ts';
import { type ModelsFile, modelsFileSchema } from './schema.ts';

export interface Migration {
  /** Text of a models.yaml; it holds references to keys, never a key. */
  readonly text: string;
  /** What a person still has to do or know, one sentence each. */
  readonly notes: readonly string[];
}

/** A new models.yaml that says what the DELEGATE_* variables say, with comments; see import/environment.ts. */
export function migrateEnvironment(env: Readonly<Record<string, string | undefined>>): Migration {
  const { file, notes } = environment(env);
  return { text: fileText(file), notes };
}

const COMMENTS: Readonly<Partial<Record<keyof ModelsFile, string>>> = {
  defaults:
    ' delegate-local ran agents in its own loop; with "runner: loop" jobs that name no runner do so here.',
  endpoints:
    ' What each endpoint serves is asked for on every call. "locality: unknown" is what local-only refuses; say where it really is.',
  pools: ' Jobs at once by prefix of the model name, over all processes.',
  failover:
    ' Who stands in when a pool is full. A chain from flat to metered billing can cost money, and a warning says so.',
  models: ' Facts by name; take out what you do not use.',
  runners: ' Limits of what drives the models.',
};

function fileText(value: ModelsFile): string {
  const sections = Object.keys(modelsFileSchema.shape) as (keyof ModelsFile)[];
  const document = new Document(
    Object.fromEntries(
      sections.filter((name) => value[name] !== undefined).map((name) => [name, value[name]]),
    ),
  );
  document.commentBefore =
    ' models.yaml of Delegation Bridge, made by "delegate migrate" from DELEGATE_* variables and the habits of delegate-local.\n Check it with "delegate doctor --config FILE".';
  if (!isMap(document.contents)) throw new Error('A document made of an object is a map.');
  for (const [index, { key, value: section }] of document.contents.items.entries()) {
    if (!isScalar(key)) continue;
    const name = String(key.value) as keyof ModelsFile;
    const comment = COMMENTS[name];
    if (comment !== undefined) key.commentBefore = comment;
    key.spaceBefore = index > 0;
    if (name === 'pools' || name === 'models') setFlow(section);
    else if (name === 'failover' && isMap(section)) setFlow(section.get('chains', true));
  }
  return document.toString({ lineWidth: 0 });
}

/** One entry to a line. */
function setFlow(group: unknown): void {
  for (const { value } of isMap(group) ? group.items : [])
    if (isCollection(value)) value.flow = true;
}
