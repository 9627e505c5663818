/** Data as the generator makes it: groups are lists of pairs, so that nothing but the test decides about order. */
export type Tree =
  { map: [string, Tree][] } | { list: Tree[] } | { scalar: string | number | boolean };

export interface Habits {
  /** Decides everything that is left open, the same way for the same number. */
  readonly seed: number;
  readonly eol: '\n' | '\r\n';
  readonly step: 1 | 2 | 3 | 4;
  readonly hasBom: boolean;
  readonly hasMarks: boolean;
  readonly hasLastLineEnd: boolean;
}

/** A file as some person could have written it: styles, quotes, comments and blank lines vary. */
export function writtenYaml(tree: Tree, habits: Habits): string {
  const random = randomFrom(habits.seed);
  const lines: string[] = [];
  if (random(3) === 0) lines.push('# top of the file', ...(random(2) === 0 ? [''] : []));
  if (habits.hasMarks) lines.push('---', ...(random(2) === 0 ? ['# behind the mark'] : []));
  lines.push(...blockLines(tree, 0, habits.step, random));
  if (random(3) === 0) lines.push(...(random(2) === 0 ? [''] : []), '# end of the file');
  if (habits.hasMarks && random(2) === 0) lines.push('...');
  const text = lines.join(habits.eol) + (habits.hasLastLineEnd ? habits.eol : '');
  return (habits.hasBom ? '\uFEFF' : '') + text;
}

type Random = (below: number) => number;

function randomFrom(seed: number): Random {
  let state = (seed >>> 0) + 1;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function blockLines(tree: Tree, column: number, step: number, random: Random): string[] {
  const pad = ' '.repeat(column);
  if ('map' in tree) {
    return tree.map.flatMap(([key, value]) => [
      ...above(pad, random),
      ...entryLines(`${pad}${keyText(key, random)}:`, value, column, step, random),
    ]);
  }
  if ('list' in tree) {
    return tree.list.flatMap((item) => [
      ...above(pad, random),
      `${pad}- ${flow(item, random)}${behind(random)}`,
    ]);
  }
  return [];
}

function entryLines(
  head: string,
  value: Tree,
  column: number,
  step: number,
  random: Random,
): string[] {
  const isEmpty =
    ('map' in value && value.map.length === 0) || ('list' in value && value.list.length === 0);
  if (!('scalar' in value) && !isEmpty && random(3) > 0) {
    const isOut = 'list' in value && random(2) === 0;
    const inner = blockLines(value, isOut ? column : column + step, step, random);
    return [`${head}${behind(random)}`, ...inner];
  }
  if (
    'scalar' in value &&
    typeof value.scalar === 'string' &&
    canBeBlock(value.scalar) &&
    random(2) === 0
  ) {
    const pad = ' '.repeat(column + step);
    const body = value.scalar.replace(/\n$/, '').split('\n');
    return [
      `${head} |${value.scalar.endsWith('\n') ? '' : '-'}`,
      ...body.map((line) => pad + line),
    ];
  }
  if (!('scalar' in value) && !isEmpty && random(3) === 0)
    return spreadFlow(head, value, column + step, random);
  return [`${head} ${' '.repeat(random(3))}${flow(value, random)}${behind(random)}`];
}

/** Brackets over several lines, with comments. */
function spreadFlow(head: string, value: Tree, column: number, random: Random): string[] {
  const pad = ' '.repeat(column);
  const items =
    'map' in value
      ? value.map.map(([key, item]) => `${keyText(key, random)}: ${flow(item, random)}`)
      : 'list' in value
        ? value.list.map((item) => flow(item, random))
        : [];
  const [open, close] = 'map' in value ? '{}' : '[]';
  const hasLastComma = random(2) === 0;
  return [
    `${head} ${open}${behind(random)}`,
    ...items.flatMap((item, index) => [
      ...(random(4) === 0 ? [`${pad}# over the item`] : []),
      `${pad}${item}${index < items.length - 1 || hasLastComma ? ',' : ''}${behind(random)}`,
    ]),
    `${pad}${close}${behind(random)}`,
  ];
}

function above(pad: string, random: Random): string[] {
  const lines: string[] = [];
  if (random(6) === 0) lines.push('');
  if (random(4) === 0) lines.push(`${pad}# about ${random(1000)}`);
  return lines;
}

function behind(random: Random): string {
  return random(4) === 0 ? `${' '.repeat(1 + random(3))}# behind ${random(1000)}` : '';
}

function flow(tree: Tree, random: Random): string {
  const space = random(2) === 0 ? ' ' : '';
  if ('map' in tree) {
    if (tree.map.length === 0) return '{}';
    const items = tree.map.map(([key, value]) => `${keyText(key, random)}: ${flow(value, random)}`);
    return `{${space}${items.join(`,${space}`)}${space}}`;
  }
  if ('list' in tree) {
    return `[${space}${tree.list.map((item) => flow(item, random)).join(`,${space}`)}${space}]`;
  }
  return typeof tree.scalar === 'string' ? quoted(tree.scalar, random) : String(tree.scalar);
}

function keyText(key: string, random: Random): string {
  if (!/^[A-Za-z_][A-Za-z0-9_-]*$/.test(key) || isWord(key)) return JSON.stringify(key);
  return random(5) === 0 ? `'${key}'` : random(5) === 0 ? JSON.stringify(key) : key;
}

function quoted(text: string, random: Random): string {
  const isPlain = /^[A-Za-z][A-Za-z0-9._/-]*(:[A-Za-z0-9._/-]+)*$/.test(text) && !isWord(text);
  if (isPlain && random(3) > 0) return text;
  if (/^[ -~]*$/.test(text) && random(2) === 0) return `'${text.replaceAll("'", "''")}'`;
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function canBeBlock(text: string): boolean {
  return (
    /^[!-~][ -~]*(\n[!-~][ -~]*)*\n?$/.test(text) && !text.endsWith(' ') && !text.endsWith(' \n')
  );
}

function isWord(text: string): boolean {
  return /^(true|false|null|~|yes|no|on|off|\.?nan|\.?inf)$/i.test(text);
}
