import { checkFinding, type CheckFinding } from './checkFinding.ts';
import type { ConfigPath } from './configPath.ts';
import type { ModelsFile } from './schema.ts';
import { isOnlyReferences, stripReferences } from './secrets.ts';

/** Values that servers without a key are commonly given; nobody has to hide them. */
export const PLACEHOLDERS: ReadonlySet<string> = new Set([
  'none',
  'empty',
  'dummy',
  'ollama',
  'lm-studio',
  'no-key',
  'no-key-required',
  'not-needed',
  'x',
]);
const SECRET_NAME =
  /(^|[-_])(authorization|cookie|key|token|secret|password|passwd|credential)s?($|[-_])|apikey/i;

/** Whether the name of a header, a variable or a key says that a secret stands there. */
export function isSecretKey(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Keys written out in the file, and references that cannot be understood. */
export function checkSecrets(value: ModelsFile): CheckFinding[] {
  const findings: CheckFinding[] = [];
  for (const { path, text, isSecret, secretName } of textsWithReferences(value)) {
    const rest = stripReferences(text);
    const broken = /\$\{[^}]*\}?/.exec(rest)?.[0];
    if (broken !== undefined) {
      const name = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(broken)?.[1];
      findings.push(
        checkFinding(
          'error',
          'bad_reference',
          path,
          'this reference cannot be understood; write ${env:NAME} or ${secret:name}',
          name === undefined ? {} : { suggestion: `\${env:${name}}` },
        ),
      );
    } else if (isSecret && !isOnlyReferences(text) && !isHarmless(text)) {
      // The value is not repeated: messages end up in logs.
      findings.push(
        checkFinding(
          'warning',
          'literal_secret',
          path,
          'a key stands in the file itself, where agents, backups and git can read it',
          {
            suggestion: `\${secret:${secretName}}`,
          },
        ),
      );
    }
  }
  return findings;
}

/** A placeholder, or a short number: CLAUDE_CODE_MAX_OUTPUT_TOKENS is no key. */
function isHarmless(text: string): boolean {
  return PLACEHOLDERS.has(text.toLowerCase()) || /^\d{1,7}$/.test(text);
}

interface ReferenceText {
  readonly path: ConfigPath;
  readonly text: string;
  readonly isSecret: boolean;
  /** Name that the secret would get. */
  readonly secretName: string;
}

/** Every text of the configuration in which references are resolved. */
export function textsWithReferences(value: ModelsFile): ReferenceText[] {
  const texts: ReferenceText[] = [];
  const add = (
    path: ConfigPath,
    text: string | undefined,
    isSecret: boolean,
    secretName: string,
  ) => {
    if (text !== undefined && text !== '')
      texts.push({ path, text, isSecret, secretName: secretName.replace(/[^A-Za-z0-9._-]/g, '-') });
  };
  for (const [name, entry] of Object.entries(value.endpoints ?? {})) {
    const at = ['endpoints', name];
    if (typeof entry.api_key === 'string') add([...at, 'api_key'], entry.api_key, true, name);
    else {
      for (const [pattern, key] of Object.entries(entry.api_key ?? {})) {
        add([...at, 'api_key', pattern], key, true, `${name}-${pattern}`);
      }
    }
    for (const group of ['headers', 'env'] as const) {
      for (const [key, text] of Object.entries(entry[group] ?? {})) {
        add([...at, group, key], text, isSecretKey(key), `${name}-${key.toLowerCase()}`);
      }
    }
    add([...at, 'proxy'], entry.proxy, hasPassword(entry.proxy), `${name}-proxy`);
    // References are not resolved in an address, but a password in it is one in the file.
    if (hasPassword(entry.base_url)) add([...at, 'base_url'], entry.base_url, true, name);
  }
  add(['router', 'token'], value.router?.token, true, 'router');
  return texts;
}

function hasPassword(address: string | undefined): boolean {
  return address !== undefined && (URL.parse(address)?.password ?? '') !== '';
}
