import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { COMMANDS } from '../../src/cli/commandTable.ts';
import { parseCommandArgs } from '../../src/cli/parseCommandArgs.ts';
import { wait } from '../../src/cli/commands/wait.ts';
import { checkConfig } from '../../src/config/check.ts';
import { parseModelsText } from '../../src/config/parse.ts';
import { profileTools } from '../../src/server/profileTools.ts';
import { listPrompts } from '../../src/server/prompts.ts';

interface Manifest {
  readonly version: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly engines: Readonly<Record<string, string>>;
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly keybindings: readonly { readonly key: string; readonly command: string }[];
    readonly configuration: {
      readonly properties: Readonly<
        Record<string, { readonly default: unknown; minimum?: number; maximum?: number }>
      >;
    };
  };
}

const readme = readFileSync('README.md', 'utf8');
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;

describe('the README', () => {
  it('lists the tools that the server offers, profile by profile, with what they may do', async () => {
    const bridge = (await profileTools('bridge', false)).offered;
    const ui = (await profileTools('ui', false)).offered;
    const known = ui.map((tool) => [
      tool.name,
      bridge.some((other) => other.name === tool.name) ? 'bridge' : 'ui',
      tool.effect,
    ]);
    assert.deepEqual(
      rows('Tools')
        .map((row) => row.slice(0, 3).join(' '))
        .sort(),
      known.map((row) => row.join(' ')).sort(),
    );
  });

  for (const profile of ['localagents', 'delegate-local'] as const) {
    it(`lists the tools of the profile ${profile}`, async () => {
      const { offered } = await profileTools(profile, false);
      const [, sentence = ''] =
        new RegExp(`\`--profile ${profile}\` speaks([^.]*)\\.`).exec(readme) ?? [];
      assert.deepEqual(codeWords(sentence), offered.map((tool) => tool.name).sort());
    });
  }

  it('lists the prompts', () => {
    const [, sentence = ''] = /Prompts:([^.]*)\./.exec(readme) ?? [];
    assert.deepEqual(
      codeWords(sentence),
      listPrompts()
        .map((prompt) => prompt.name)
        .sort(),
    );
  });

  it('lists the commands as the help does', () => {
    assert.deepEqual(
      rows('Commands'),
      COMMANDS.filter((entry) => entry.isHidden !== true).map(({ name, summary }) => [
        name,
        summary,
      ]),
    );
  });

  it('gives the exit codes of wait as its help does', () => {
    const [codes = ''] = (wait.exitCodes ?? '').replaceAll('\n', ' ').split('. ');
    assert.deepEqual(
      rows('Exit codes of `delegate wait`').map((row) => row.join(' ')),
      codes.split(/, (?=\d )/),
    );
  });

  it('lists the commands and settings of the extension as package.json does', () => {
    const all = rows('VS Code');
    const { commands, configuration } = manifest.contributes;
    assert.deepEqual(all.slice(0, commands.length), [
      ...commands.map(({ command, title }) => [command, title]),
    ]);
    const settings = all.slice(commands.length);
    assert.deepEqual(
      settings.map((row) => row.slice(0, 2)),
      Object.entries(configuration.properties).map(([name, { default: value }]) => [
        name,
        String(value),
      ]),
    );
    for (const [name = '', , words = ''] of settings) {
      const { minimum, maximum } = configuration.properties[name] ?? {};
      if (minimum !== undefined)
        assert.ok(words.includes(`${minimum} to ${maximum}`), `${name}: its range`);
    }
  });

  it('lists the keys of the extension as package.json binds them', () => {
    const { keybindings, commands } = manifest.contributes;
    const titles = new Map(commands.map(({ command, title }) => [command, title]));
    assert.deepEqual(
      new Set(rows('In VS Code').map(([keys = '', , what]) => `${keys.toLowerCase()}: ${what}`)),
      new Set(keybindings.map(({ key, command }) => `${key}: ${titles.get(command)}`)),
    );
  });

  it('shows commands that exist, with options that exist', async () => {
    const lines = fences('sh')
      .flatMap((block) => block.split('\n'))
      .concat([...section('Review').matchAll(/`(delegate [^`]*)`/g)].map(([, line = '']) => line))
      .map((line) => /(?:^|[ /])delegate ([a-z].*)$/.exec(line)?.[1] ?? '')
      .filter((line) => line !== '');
    assert.ok(lines.length >= 12, lines.join('\n'));
    for (const line of lines) {
      const [name = '', ...args] = words(line);
      const entry = COMMANDS.find((command) => command.name === name);
      assert.ok(entry, `delegate ${line}`);
      parseCommandArgs(name, await entry.load(), args);
    }
  });

  it('shows a models.yaml that is right', () => {
    const [example = '', ...more] = fences('yaml');
    assert.deepEqual(more, []);
    const { value, problems } = parseModelsText(example, 'README.md');
    assert.deepEqual(problems, []);
    assert.ok(value);
    assert.deepEqual(checkConfig(value), []);
  });

  it('gives the two commands, and npm scripts, versions and options that exist', () => {
    for (const line of ['npm ci && npm run demo', 'npm ci && npm test']) {
      assert.ok(
        fences('sh').some((block) => block.split('\n').includes(line)),
        line,
      );
    }
    for (const [, script = ''] of readme.matchAll(/npm run ([\w:]+)/g)) {
      assert.ok(script in manifest.scripts, `npm run ${script}`);
    }
    assert.ok(readme.includes(`delegation-bridge-${manifest.version}.tgz`));
    assert.equal(manifest.engines['node'], '>=22.13.0');
    assert.equal(manifest.engines['vscode'], '^1.104.0');
    assert.match(readme, /Node 22\.13 or newer.*\n?VS Code 1\.104 or newer/);
  });

  it('names for each invariant test files that exist, and links that lead somewhere', () => {
    const invariants = rows('Invariants');
    assert.deepEqual(
      invariants.map(([number]) => number),
      Array.from({ length: 13 }, (_, index) => String(index + 1)),
    );
    for (const [number, , tests = ''] of invariants) {
      const files = [...tests.matchAll(/\]\((test\/[^)]+\.test\.ts)\)/g)].map(([, file]) => file);
      assert.ok(files.length > 0, `invariant ${number} names no test`);
    }
    for (const [, target = ''] of readme.matchAll(/\]\(([^)#][^)]*)\)/g)) {
      const [file = '', heading] = target.split('#');
      assert.ok(existsSync(file), `${file} is not there`);
      if (heading === undefined) continue;
      const texts = [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)];
      assert.ok(
        texts.some(([, text = '']) => anchor(text) === heading),
        `${file} has no heading for #${heading}`,
      );
    }
    const headings = new Set(
      [...readme.matchAll(/^#+ (.*)$/gm)].map(([, text = '']) => anchor(text)),
    );
    for (const [, target = ''] of readme.matchAll(/\]\(#([^)]*)\)/g)) {
      assert.ok(headings.has(target), `#${target} is not a heading`);
    }
  });

  it('draws the tree that is there', () => {
    const [tree = ''] = fences('text').filter((block) => block.startsWith('src/\n'));
    let parent = '';
    for (const line of tree.trimEnd().split('\n')) {
      if (!line.startsWith(' ')) parent = line;
      else {
        const [, names = ''] = /^ {2}((?:\w+\/ ?)+)/.exec(line) ?? [];
        for (const name of names.trim().split(' ')) assert.ok(existsSync(parent + name), line);
      }
    }
    assert.equal(parent, 'test/');
  });
});

/** The text below a heading, up to the next one of any level. */
function section(heading: string): string {
  const [, rest] = readme.split(new RegExp(`^#+ ${heading}$`, 'm'));
  assert.ok(rest !== undefined, `there is no heading "${heading}"`);
  return rest.split(/^#+ /m)[0] ?? '';
}

/** The cells of all tables below a heading, without their heads, code marks stripped. */
function rows(heading: string): string[][] {
  const lines = section(heading).split('\n');
  return lines
    .filter((line, index) => line.startsWith('|') && !isHead(lines, index))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replace(/^`([^`]*)`$/, '$1')),
    );
}

/** The row with the names of columns, or the rule below it. */
function isHead(lines: readonly string[], index: number): boolean {
  const isRule = (line: string | undefined): boolean => /^\|[-| ]+\|$/.test(line ?? '');
  return isRule(lines[index]) || isRule(lines[index + 1]);
}

function fences(language: string): string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(
    ([, text = '']) => text,
  );
}

function codeWords(text: string): string[] {
  return [...text.matchAll(/`([^`]*)`/g)].map(([, word = '']) => word).sort();
}

/** Words of a command line, as far as the README uses quotes. */
function words(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

/** As GitHub makes the anchor of a heading. */
function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');
}
