import { getNodeValue, type Node, parseTree, type ParseError } from 'jsonc-parser';
import { BridgeError } from '../../base/bridgeError.ts';

const BOM = '\ufeff';

/** A JSON file as text and tree. Positions in the tree count from behind the byte order mark. */
export interface JsonText {
  readonly bom: string;
  readonly text: string;
  /** Null for a file without content. */
  readonly root: Node | null;
  /** Comments or trailing commas: we keep them; Claude Code leaves such a file unread. */
  readonly isStrict: boolean;
}

/** @throws BridgeError `setup_failed` for what is no JSON object, with the line */
export function parseJsonText(text: string, file: string): JsonText {
  const bom = text.startsWith(BOM) ? BOM : '';
  const body = text.slice(bom.length);
  if (body.trim() === '') return { bom, text: body, root: null, isStrict: true };
  const errors: ParseError[] = [];
  const root = parseTree(body, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined || root === undefined) {
    const line = body.slice(0, first?.offset ?? 0).split('\n').length;
    throw new BridgeError('setup_failed', `${file} is not valid JSON (line ${line}).`, {
      hint: 'Repair it first; until then Claude Code does not read it either.',
    });
  }
  if (root.type !== 'object') {
    throw new BridgeError('setup_failed', `${file} holds no JSON object.`, {
      hint: 'Repair it first; until then Claude Code does not read it either.',
    });
  }
  return { bom, text: body, root, isStrict: isStrictJson(body) };
}

/**
 * The value at a path of keys; null when it, or something above it, is not there.
 * @throws BridgeError `setup_failed` when one of the keys stands twice, or something above the value is no object
 */
export function valueAt(root: Node | null, path: readonly string[], file: string): Node | null {
  let node = root;
  for (const [depth, key] of path.entries()) {
    if (node === null) return null;
    const where = path.slice(0, depth).join('.');
    if (node.type !== 'object') {
      throw new BridgeError('setup_failed', `"${where}" in ${file} is not an object.`, {
        hint: 'Repair it first.',
      });
    }
    const found = (node.children ?? []).filter((child) => child.children?.[0]?.value === key);
    if (found.length > 1) {
      throw new BridgeError('setup_failed', `${file} has the key "${key}" twice.`, {
        hint: 'Remove one of them first: programs differ in which one they read.',
      });
    }
    node = found[0]?.children?.[1] ?? null;
  }
  return node;
}

/** The value of a node as JSON.parse would give it: the library makes objects without a prototype. */
export function plainValue(node: Node): unknown {
  return JSON.parse(JSON.stringify(getNodeValue(node))) as unknown;
}

function isStrictJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
