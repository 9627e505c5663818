import type { OfferedTool } from './conversation.ts';
import { asArray, asObject, type JsonObject } from './json.ts';
import type { ToolStep } from './script.ts';

export interface ToolCall {
  name: string;
  form: OfferedTool['form'];
  /** An object for a function, the text itself for a custom tool. */
  input: JsonObject | string;
}

/** Names under which agents offer the tool for a step; the first that the client has is taken. */
const TOOL_NAMES: Readonly<Record<ToolStep['kind'], readonly string[]>> = {
  write: ['write', 'write_file', 'create_file', 'writefile'],
  edit: ['edit', 'edit_file', 'replace', 'str_replace', 'editfile'],
  read: ['read', 'read_file', 'view', 'readfile'],
  run: [
    'bash',
    'run_bash',
    'exec_command',
    'shell',
    'shell_command',
    'run_shell_command',
    'run_command',
    'execute_bash',
  ],
};

/** Names under which tools take the parts of a step. */
const PARAMETER_NAMES = {
  path: ['file_path', 'path', 'absolute_path', 'filepath', 'filename', 'file'],
  content: ['content', 'contents', 'text', 'file_text'],
  oldText: ['old_string', 'old_text', 'old_str', 'old', 'search'],
  newText: ['new_string', 'new_text', 'new_str', 'new', 'replace'],
  command: ['command', 'cmd', 'script'],
} as const;
type Part = keyof typeof PARAMETER_NAMES;

/** The call that the client's own tools offer for a step, or null when it has none that could do it. */
export function chooseToolCall(step: ToolStep, tools: readonly OfferedTool[]): ToolCall | null {
  const direct = findTool(step.kind, tools);
  if (direct?.form === 'function') return fillIn(direct, partsOf(step));
  const patch = tools.find((tool) => tool.name === 'apply_patch');
  if (patch !== undefined && (step.kind === 'write' || step.kind === 'edit')) {
    const text = patchFor(step);
    return patch.form === 'custom'
      ? { name: patch.name, form: 'custom', input: text }
      : { name: patch.name, form: 'function', input: { input: text } };
  }
  const shell = findTool('run', tools);
  const command = shellCommandFor(step);
  return shell?.form === 'function' && command !== null ? fillIn(shell, { command }) : null;
}

/** The smallest input that the schema allows: for a client that asks for a call without saying what for. */
export function smallestCall(tool: OfferedTool): ToolCall {
  if (tool.form === 'custom') return { name: tool.name, form: 'custom', input: '' };
  return { name: tool.name, form: 'function', input: fillRequired(tool.schema, {}) };
}

function findTool(kind: ToolStep['kind'], tools: readonly OfferedTool[]): OfferedTool | null {
  for (const name of TOOL_NAMES[kind]) {
    const tool = tools.find((candidate) => candidate.name.toLowerCase() === name);
    if (tool !== undefined) return tool;
  }
  return null;
}

function partsOf(step: ToolStep): Partial<Record<Part, string>> {
  switch (step.kind) {
    case 'write':
      return { path: step.path, content: step.content };
    case 'edit':
      return { path: step.path, oldText: step.oldText, newText: step.newText };
    case 'read':
      return { path: step.path };
    case 'run':
      return { command: step.command };
  }
}

function fillIn(tool: OfferedTool, parts: Partial<Record<Part, string>>): ToolCall {
  const properties = asObject(tool.schema['properties']);
  const input: Record<string, unknown> = {};
  for (const [part, value] of Object.entries(parts) as [Part, string][]) {
    const names = PARAMETER_NAMES[part];
    const name = names.find((candidate) => candidate in properties) ?? names[0];
    const takesWords = asObject(properties[name])['type'] === 'array';
    input[name] = takesWords ? ['bash', '-lc', value] : value;
  }
  return { name: tool.name, form: 'function', input: fillRequired(tool.schema, input) };
}

/** Adds what the schema requires beyond the parts of a step, in the schema's own order. */
function fillRequired(schema: JsonObject, given: Readonly<Record<string, unknown>>): JsonObject {
  const properties = asObject(schema['properties']);
  const required = new Set(asArray(schema['required']));
  const input: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    if (name in given) input[name] = given[name];
    else if (required.has(name)) input[name] = smallestValue(asObject(property), name);
  }
  return { ...input, ...given };
}

function smallestValue(schema: JsonObject, name: string): unknown {
  const choices = asArray(schema['enum']);
  if (choices.length > 0) return choices[0];
  switch (schema['type']) {
    case 'integer':
    case 'number':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 1;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object':
      return fillRequired(schema, {});
    default:
      return name === 'description' ? 'A step of the rehearsal' : 'rehearsal';
  }
}

function patchFor(step: ToolStep & { kind: 'write' | 'edit' }): string {
  const marked = (mark: string, text: string): string =>
    text
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => `${mark}${line}\n`)
      .join('');
  const body =
    step.kind === 'write'
      ? `*** Add File: ${step.path}\n${marked('+', step.content)}`
      : `*** Update File: ${step.path}\n@@\n${marked('-', step.oldText)}${marked('+', step.newText)}`;
  return `*** Begin Patch\n${body}*** End Patch\n`;
}

/** A step as a shell command; an edit has none that is both exact and portable. */
function shellCommandFor(step: ToolStep): string | null {
  switch (step.kind) {
    case 'run':
      return step.command;
    case 'read':
      return `cat -- ${quote(step.path)}`;
    case 'write': {
      const slash = step.path.lastIndexOf('/');
      const folder = slash > 0 ? `mkdir -p -- ${quote(step.path.slice(0, slash))} && ` : '';
      return `${folder}printf %s ${quote(step.content)} > ${quote(step.path)}`;
    }
    case 'edit':
      return null;
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
