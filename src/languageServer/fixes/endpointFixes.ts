import type { ConfigPath } from '../../config/configPath.ts';
import { isSameServer } from '../../config/serverRoot.ts';
import { isGroup } from '../../config/parts.ts';
import { endpointFacts } from '../live/endpointFacts.ts';
import type { FixContext } from './fixContext.ts';
import type { ConfigEdit } from '../../protocol/modelsLanguage/configEdit.ts';
import type { ProblemFix } from './problemFix.ts';
import { writtenValue } from './writtenValue.ts';

type Json = Extract<ConfigEdit, { kind: 'set' }>['value'];

/** For addresses, places and what the servers say of themselves. */
export function endpointFixes(context: FixContext): ProblemFix[] {
  const { doc, problem, path } = context;
  const name = String(path[1]);
  switch (problem.code) {
    case 'base_url_path':
      return problem.suggestion === null
        ? []
        : [set(`Change to "${problem.suggestion}"`, path, problem.suggestion)];
    case 'same_endpoint':
      return [removal(path.slice(0, 2), name), ...twinsOf(context)];
    case 'public_address':
      return [
        set('Let the address decide ("auto")', path, 'auto'),
        set('Call it "rented"', path, 'rented'),
        set('Call it "cloud"', path, 'cloud'),
      ];
    case 'too_many_slots': {
      const entry = doc.loaded.config.endpoints[name];
      const slots = endpointFacts(doc.live, name, entry?.base_url)?.probe.slots?.total;
      const auto = set('Let the server decide ("auto")', path, 'auto');
      return slots === undefined ? [auto] : [set(`Change to ${slots}`, path, slots), auto];
    }
    case 'small_window':
      return [set('Use the built-in loop by default', ['defaults', 'runner'], 'loop')];
    default:
      return anthropicFixes(context);
  }
}

/** A name like Anthropic's: the endpoint is one of theirs after all, or the name has to go from here. */
function anthropicFixes({ doc, path }: FixContext): ProblemFix[] {
  if (path[0] === 'endpoints') {
    return [
      set(
        `Say that "${String(path[1])}" is an endpoint of Anthropic`,
        [...path.slice(0, 2), 'backend'],
        'anthropic',
      ),
    ];
  }
  const isMember = path[0] === 'failover' && path.length === 4;
  const where = isMember ? ' from the chain' : '';
  const name = isMember ? String(writtenValue(doc, path)) : String(path.at(-1));
  return [{ title: `Remove "${name}"${where}`, edits: [{ kind: 'remove', path: [...path] }] }];
}

/** Removing the other one of two that are the same, where this document names it. */
function twinsOf({ doc, path }: FixContext): ProblemFix[] {
  const endpoints = writtenValue(doc, ['endpoints']);
  const own = writtenValue(doc, path);
  if (!isGroup(endpoints) || typeof own !== 'string') return [];
  return Object.entries(endpoints)
    .filter(
      ([name, entry]) =>
        name !== path[1] &&
        isGroup(entry) &&
        typeof entry['base_url'] === 'string' &&
        isSameServer(entry['base_url'], own),
    )
    .slice(0, 1)
    .map(([name]) => removal(['endpoints', name], name));
}

function removal(path: ConfigPath, name: string): ProblemFix {
  return { title: `Remove "${name}"`, edits: [{ kind: 'remove', path: [...path] }] };
}

function set(title: string, path: ConfigPath, value: Json): ProblemFix {
  return { title, edits: [{ kind: 'set', path: [...path], value }] };
}
