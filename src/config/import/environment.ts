import { sanitiseLine } from '../../base/sanitise.ts';
import { HABITS } from '../envHabits.ts';
import { OWN_VARIABLES } from '../envTable.ts';
import { describeVariables, environmentLayers } from '../envVars.ts';
import { mergeLayers } from '../mergeLayers.ts';
import { formatProblem } from '../problem.ts';
import type { ModelsFile } from '../schema.ts';
import { serverRoot } from '../serverRoot.ts';
import type { Imported } from './imported.ts';
import { LiteralKeys } from './literalKeys.ts';

/**
 * What the DELEGATE_* variables say, together with what delegate-local does without being told. Loaded without those variables the file
 * has the same effect; keys of endpoints stay in their variables.
 */
export function environment(env: Readonly<Record<string, string | undefined>>): Imported {
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
    file: value,
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
    literals: new LiteralKeys(),
  };
}

/** Whether a variable with a meaning is neither a key of the file nor part of an endpoint. */
function hasNoKey(name: string): boolean {
  return (
    Object.hasOwn(OWN_VARIABLES, name) && !/^DELEGATE_(GATEWAY$|LOCAL_|BIFROST_|TEST_)/.test(name)
  );
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
