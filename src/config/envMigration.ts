import { Document, isCollection, isMap, isScalar } from 'yaml';
import { sanitiseLine } from '../base/sanitise.ts';
import { HABITS } from './envHabits.ts';
import { OWN_VARIABLES } from './envTable.ts';
import { describeVariables, environmentLayers } from './envVars.ts';
import { mergeLayers } from './mergeLayers.ts';
import { formatProblem } from './problem.ts';
import { type ModelsFile, modelsFileSchema } from './schema.ts';
import { serverRoot } from './serverRoot.ts';

export interface Migration {
  /** Text of a models.yaml; it holds references to keys, never a key. */
  readonly text: string;
  /** What a person still has to do or know, one sentence each. */
  readonly notes: readonly string[];
}

/**
 * A models.yaml that says what the DELEGATE_* variables say, together with what delegate-local does without being told.
 * Loaded without those variables it has the same effect; keys of endpoints stay in their variables.
 */
export function migrateEnvironment(env: Readonly<Record<string, string | undefined>>): Migration {
  // The habits count as the file that the variables win over, so that they find its pools and models.
  const { layers, problems } = environmentLayers(env, HABITS, false);
  const merged = mergeLayers({
    user: [{ source: 'default', value: HABITS }],
    workspace: [],
    environment: layers,
  }).value;
  const { value, hasLogin } = withoutLogins(merged);
  const uses = describeVariables(env);
  const unused = uses.filter((variable) => variable.use !== 'sets');
  const staying = uses.filter(({ name, use }) => use === 'sets' && hasNoKey(name));
  const keys = [...new Set(JSON.stringify(value).match(/\$\{env:[A-Z_]+\}/g) ?? [])].map((text) =>
    text.slice('${env:'.length, -1),
  );
  return {
    text: fileText(value),
    notes: [
      ...(keys.length === 0
        ? []
        : [
            `Keep ${keys.join(' and ')} set: the file only refers to ${keys.length === 1 ? 'it' : 'them'}. Or keep the key with "delegate secret set NAME" and write \${secret:NAME}.`,
          ]),
      ...(hasLogin
        ? [
            'An address held a login, which is not written: put it in api_key or headers as ${secret:NAME}.',
          ]
        : []),
      ...problems.map((problem) => `Not taken over: ${formatProblem(problem)}.`),
      ...unused.map(({ name, use, text }) =>
        use === 'ignored'
          ? `${name} has no place in the file: ${text}.`
          : `${name} is not known${text === '' ? '' : `; did you mean ${text}?`}`,
      ),
      ...staying.map(({ name, text }) => `${name} stays where it is (${text}): no key says it.`),
      ...(uses.length === 0
        ? [
            'No DELEGATE_* variable is set here. Those that "claude mcp add -e" gave to a server are only in its registration ("claude mcp get NAME" shows them): set them for this command.',
          ]
        : []),
      ...(layers.some(({ source }) => source.startsWith('$'))
        ? ['The other DELEGATE_* variables can go: while they are set they win over the file.']
        : []),
    ].map((note) => sanitiseLine(note, 500)),
  };
}

/** Whether a variable with a meaning is neither a key of the file nor part of an endpoint. */
function hasNoKey(name: string): boolean {
  return (
    Object.hasOwn(OWN_VARIABLES, name) && !/^DELEGATE_(GATEWAY$|LOCAL_|BIFROST_|TEST_)/.test(name)
  );
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

function withoutLogins(value: ModelsFile): { value: ModelsFile; hasLogin: boolean } {
  const endpoints = { ...value.endpoints };
  let hasLogin = false;
  for (const [name, entry] of Object.entries(endpoints)) {
    const url = URL.parse(entry.base_url ?? '');
    if (url === null || (url.username === '' && url.password === '')) continue;
    hasLogin = true;
    url.username = url.password = '';
    endpoints[name] = { ...entry, base_url: serverRoot(url.href) };
  }
  return { value: { ...value, endpoints }, hasLogin };
}
