import { groupOf } from './group.ts';

/** An entry as it would stand in the file: for reading before it is written. The writer of the file is config/edit. */
export function entryYaml(section: string, name: string, entry: unknown): string {
  return `${section}:\n  ${scalar(name)}:${valueText(entry, '    ')}\n`;
}

function valueText(value: unknown, indent: string): string {
  const group = groupOf(value);
  if (group !== null) {
    const keys = Object.entries(group);
    if (keys.length === 0) return ' {}';
    return keys
      .map(([key, item]) => `\n${indent}${scalar(key)}:${valueText(item, `${indent}  `)}`)
      .join('');
  }
  if (Array.isArray(value))
    return value.length === 0
      ? ' []'
      : value.map((item) => `\n${indent}- ${JSON.stringify(item)}`).join('');
  return ` ${scalar(value)}`;
}

/** Plain where no reader of YAML takes it for anything but this text; else quoted as JSON, which is YAML as well. */
function scalar(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'null';
  const isPlain =
    /^[A-Za-z/][A-Za-z0-9_./~*+@-]*(:[A-Za-z0-9_./~*+@-]+)*$/.test(value) &&
    !/^(y|n|yes|no|on|off|true|false|null)$/i.test(value);
  return isPlain ? value : JSON.stringify(value);
}
