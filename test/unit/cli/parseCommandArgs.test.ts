import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { BridgeError } from '../../../src/base/bridgeError.ts';
import type { Command } from '../../../src/cli/command.ts';
import { commandHelp } from '../../../src/cli/commandHelp.ts';
import { COMMANDS } from '../../../src/cli/commandTable.ts';
import {
  flag,
  listOption,
  numberOption,
  textOption,
  wordOption,
} from '../../../src/cli/optionReaders.ts';
import { parseCommandArgs } from '../../../src/cli/parseCommandArgs.ts';

const COMMAND: Command = {
  usage: 'probe <thing>',
  description: 'A command of the test.',
  options: {
    count: { type: 'string', value: 'N', help: 'A number' },
    json: { type: 'boolean', help: 'JSON' },
    follow: { type: 'boolean', short: 'f', help: 'Follow' },
    path: { type: 'string', multiple: true, help: 'Several' },
  },
  minPositionals: 1,
  maxPositionals: 1,
  run: () => Promise.resolve(0),
};

const parse = (...argv: string[]) => parseCommandArgs('probe', COMMAND, argv);

describe('parseCommandArgs', () => {
  it('reads options and what stands between them', () => {
    const args = parse('--count', '3', 'x', '-f', '--path', 'a', '--path=b');
    assert.ok(args);
    assert.deepEqual(args.positionals, ['x']);
    assert.equal(numberOption(args, 'count'), 3);
    assert.equal(flag(args, 'follow'), true);
    assert.equal(flag(args, 'json'), false);
    assert.deepEqual(listOption(args, 'path'), ['a', 'b']);
    assert.equal(textOption(args, 'missing'), undefined);
  });

  it('help is asked for by a flag, not by a word after --', () => {
    assert.equal(parse('--help'), null);
    assert.equal(parse('x', '-h'), null);
    assert.deepEqual(parse('--', '--help')?.positionals, ['--help']);
  });

  const wrong: [string[], RegExp][] = [
    [[], /^delegate probe: something is missing\.$/],
    [['a', 'b'], /^delegate probe: "b" is one argument too many\.$/],
    [
      ['a', '--cuont', '3'],
      /^delegate probe: there is no option --cuont\. Did you mean --count\?$/,
    ],
    [['a', '--zzzzzz'], /^delegate probe: there is no option --zzzzzz\.$/],
    [['a', '--count'], /^delegate probe: option '--count <value>' argument missing/],
    [['a', '--json=1'], /^delegate probe: option '-{0,2}.*json'? does not take an argument/],
  ];
  for (const [argv, expected] of wrong) {
    it(`${argv.join(' ') || 'nothing'} is one sentence with the usage as hint`, () => {
      assert.throws(
        () => parse(...argv),
        (error) => {
          assert.ok(BridgeError.is(error, 'bad_argument'));
          assert.match(error.message, expected);
          assert.equal(error.hint, 'Usage: delegate probe <thing>');
          return true;
        },
      );
    });
  }

  const numbers: [string, { min?: number; isWhole?: boolean }, boolean][] = [
    ['0', {}, true],
    ['1.5', {}, true],
    ['1.5', { isWhole: true }, false],
    ['0', { min: 1 }, false],
    ['-1', {}, false],
    ['x', {}, false],
    ['', {}, false],
    [' ', {}, false],
    ['Infinity', {}, false],
    ['1e3', { isWhole: true }, true],
  ];
  for (const [text, limits, isGood] of numbers) {
    it(`--count="${text}" ${JSON.stringify(limits)} is ${isGood ? 'taken' : 'refused'}`, () => {
      const args = { values: { count: text }, positionals: [] };
      if (isGood) assert.equal(numberOption(args, 'count', limits), Number(text));
      else assert.throws(() => numberOption(args, 'count', limits), /--count takes a/);
    });
  }

  it('a word is one of its set, and the set is named', () => {
    const args = { values: { policy: 'locla' }, positionals: [] };
    assert.throws(
      () => wordOption(args, 'policy', ['local-only', 'any']),
      /--policy takes local-only, any, not "locla"/,
    );
  });
});

describe('commands', () => {
  for (const entry of COMMANDS) {
    it(`${entry.name}: the usage begins with its name, and the help names every option`, async () => {
      const command = await entry.load();
      assert.equal(command.usage.split(' ')[0], entry.name);
      const help = commandHelp(command);
      for (const name of Object.keys(command.options))
        assert.match(help, new RegExp(`--${name}\\b`));
      assert.match(help, /Exit codes: 0 /);
      assert.ok(command.minPositionals <= command.maxPositionals);
      assert.ok(
        help.split('\n').every((line) => line.length <= 120),
        'the help fits a terminal',
      );
    });
  }
});
