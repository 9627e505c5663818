import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Content } from '../../support/tempRepo.ts';

/** One red, one blue and one green pixel: pictures that differ. */
const PIXEL = {
  red: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  blue: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPj/HwADBwIAMCbHYQAAAABJRU5ErkJggg==',
  green:
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
};
const picture = (colour: keyof typeof PIXEL): Buffer => Buffer.from(PIXEL[colour], 'base64');

const RANGE = `// All whole numbers from start to end, both included.
export function range(start: number, end: number): number[] {
  const numbers: number[] = [];
  for (let number = start; number < end; number += 1) {
    numbers.push(number);
  }
  return numbers;
}

/** The numbers of a range in steps. */
export function steps(start: number, end: number, step: number): number[] {
  return range(start, end).filter((number) => (number - start) % step === 0);
}
`;
const LONG = Array.from(
  { length: 40_000 },
  (_, n) => `line ${n} of a long file, as it was made by hand`,
).join('\n');

/** A repository with everything that a change list can hold. */
export const REVIEW_FILES: Readonly<Record<string, Content>> = {
  'README.md': '# Range tools\n\nSmall helpers for ranges of whole numbers.\n',
  '.gitattributes': '* -text\n',
  'src/range.ts': RANGE,
  'src/old name.ts': 'export const first = 1;\nexport const second = 2;\nexport const third = 3;\n',
  'docs/gone.md': '# Notes\n\nNobody reads these.\n',
  'logo.png': picture('red'),
  'data.bin': Buffer.from([0, 1, 2, 3, 0, 255]),
  'run.sh': '#!/bin/sh\necho hello\n',
  'crlf.txt': 'one\r\ntwo\r\nthree\r\n',
  'ends.txt': 'one\ntwo\nthree\n',
  'bom.txt': '\ufeffone\ntwo\n',
  '-dash.txt': 'dash\n',
  'quote "it\'s".txt': 'quoted\n',
  'emoji 🎉 ä.md': '# Party\n',
  link: { link: 'README.md' },
  'big.txt': LONG,
};

/** What the job made of it: each kind of change once. */
export function changeEverything(root: string): void {
  const write = (name: string, content: string | Buffer): void => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  };
  write('src/range.ts', RANGE.replace('number < end', 'number <= end'));
  renameSync(join(root, 'src/old name.ts'), join(root, 'src/new näme.ts'));
  write(
    'src/new näme.ts',
    'export const first = 1;\nexport const second = 22;\nexport const third = 3;\n',
  );
  rmSync(join(root, 'docs/gone.md'));
  write('docs/added.md', '# Added\n\nBy the job.\n');
  write('logo.png', picture('blue'));
  write('added.png', picture('green'));
  write('data.bin', Buffer.from([0, 1, 2, 3, 0, 254]));
  chmodSync(join(root, 'run.sh'), 0o755);
  write('crlf.txt', 'one\r\nTWO\r\nthree\r\n');
  write('ends.txt', 'one\r\ntwo\r\nthree\r\n');
  write('bom.txt', '\ufeffone\nTWO\n');
  write('-dash.txt', 'dash and more\n');
  write('quote "it\'s".txt', 'quoted and more\n');
  write('emoji 🎉 ä.md', '# Party\n\nAt eight.\n');
  rmSync(join(root, 'link'));
  symlinkSync('docs/added.md', join(root, 'link'));
  write('big.txt', LONG.replace('line 20000 of', 'line twenty thousand of'));
}

export const RANGE_BEFORE = RANGE;
