import { isGroup } from '../parts.ts';
import { importNote, quoted } from './importNote.ts';
import { importYaml } from './importYaml.ts';

const MAX_INCLUDES = 20;

/**
 * A LiteLLM configuration with the files that it includes: their lists are added, their groups filled up, as LiteLLM does.
 * @param readInclude the text of a file named in it; null: it may not or cannot be read
 * @throws BridgeError `bad_argument` for a text that is no YAML
 */
export function liteLlmIncludes(
  text: string,
  readInclude: (name: string) => string | null,
): { config: Record<string, unknown>; notes: string[] } {
  const config = { ...importYaml(text) };
  const named = config['include'];
  delete config['include'];
  const notes: string[] = [];
  const names = (Array.isArray(named) ? named : [named]).filter((name) => typeof name === 'string');
  for (const name of names.slice(0, MAX_INCLUDES)) {
    const included = readInclude(name);
    if (included === null) {
      notes.push(
        importNote(
          `${quoted(name)} was not read: only files beside the configuration are included.`,
        ),
      );
      continue;
    }
    for (const [key, value] of Object.entries(importYaml(included))) {
      const before = Object.hasOwn(config, key) ? config[key] : undefined;
      if (Array.isArray(value) && Array.isArray(before))
        config[key] = [...(before as unknown[]), ...(value as unknown[])];
      else if (isGroup(value) && isGroup(before)) config[key] = { ...value, ...before };
      else if (before === undefined && key !== '__proto__') config[key] = value;
    }
  }
  return { config, notes };
}
