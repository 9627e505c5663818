import { acceptOldSpellings } from '../oldSpellings.ts';
import { isGroup } from '../parts.ts';
import type { ModelsFile } from '../schema.ts';
import { serverRoot } from '../serverRoot.ts';
import { importNote, quoted } from './importNote.ts';
import type { Imported } from './imported.ts';
import { importYaml } from './importYaml.ts';
import type { LiteralKeys } from './literalKeys.ts';
import { onlyValid } from './onlyValid.ts';
import { oldModels } from './oldModels.ts';
import { withoutDefaults } from './withoutDefaults.ts';
import { withoutLiterals } from './withoutLiterals.ts';

/**
 * A models.yaml of localagents as it is: its keys are ours. What differs is told: keys that do not exist here, addresses with
 * `/v1`, other spellings of backends, the pool of models that it had before 0.1.1.
 * @throws BridgeError `bad_argument` for a text that is no YAML
 */
export function localAgents(text: string, literals: LiteralKeys): Imported {
  const pooled = oldModels(withoutEmpty(importYaml(text)));
  const spelled = acceptOldSpellings(pooled.value);
  const notes = [...pooled.notes];
  for (const { path, suggestion } of spelled.findings)
    if (suggestion !== null)
      notes.push(importNote(`${path.join('.')} is written as ${quoted(suggestion)} here.`));
  const valid = onlyValid(spelled.value);
  notes.push(...valid.notes);
  const rooted = withRoots(valid.file, notes);
  const hidden = withoutLiterals(rooted, literals);
  return {
    file: withoutDefaults(hidden.file),
    notes: [...notes, ...hidden.notes],
    literals,
  };
}

/** Endpoints with an address that leads to the root; those without any could never be asked. */
function withRoots(file: ModelsFile, notes: string[]): ModelsFile {
  if (file.endpoints === undefined) return file;
  const endpoints: NonNullable<ModelsFile['endpoints']> = {};
  for (const [name, entry] of Object.entries(file.endpoints)) {
    if (entry.base_url === undefined) {
      notes.push(importNote(`The endpoint ${quoted(name)} was left out: it has no address.`));
      continue;
    }
    const root = serverRoot(entry.base_url);
    if (/\/v1(\/|$)/.test(URL.parse(entry.base_url)?.pathname ?? ''))
      notes.push(
        importNote(
          `The address of ${quoted(name)} is written without /v1, which is added by itself.`,
        ),
      );
    endpoints[name] = { ...entry, base_url: root };
  }
  return { ...file, endpoints };
}

/** A key without a value says nothing, but an endpoint without one is named; `__proto__` is no name. */
function withoutEmpty(value: Record<string, unknown>, isEntries = false): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]): [string, unknown] => [key, item === null && isEntries ? {} : item])
      .filter(([key, item]) => item !== null && key !== '__proto__')
      .map(([key, item]) => [
        key,
        Array.isArray(item)
          ? item.filter((each) => each !== null)
          : isGroup(item)
            ? withoutEmpty(item, key === 'endpoints')
            : item,
      ]),
  );
}
