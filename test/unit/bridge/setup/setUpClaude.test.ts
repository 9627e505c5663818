import { afterEach, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { BridgeError } from '../../../../src/base/bridgeError.ts';
import { applySplice } from '../../../../src/base/splice.ts';
import { SETUP_PARTS, type SetupPart } from '../../../../src/protocol/ui/setup.ts';
import { type SetupWorld, setupWorld, states } from './setupWorld.ts';

const CLAUDE_MD = '# Mine\r\nDo not touch.';
const SETTINGS = '.claude/settings.json';
const REGISTRY = '.claude.json';
const SKILL = '.claude/skills/delegate/SKILL.md';
const RELAY = '.claude/agents/delegate-relay.md';
const ALL = {
  registration: 'installed',
  skill: 'installed',
  hook: 'installed',
  relay: 'installed',
};
const NONE = { registration: 'absent', skill: 'absent', hook: 'absent', relay: 'absent' };

const OWN_HOOKS = `{
    "model": "opus",
    "hooks": {
        "UserPromptSubmit": [
            {
                "hooks": [{ "type": "command", "command": "my-own.sh" }]
            }
        ],
        "Stop": []
    },
    "permissions": { "allow": ["Bash(ls:*)"] }
}`;

/** What a person may have before; each must be there to the byte after install and remove. */
const HOMES: Readonly<Record<string, (world: SetupWorld) => void>> = {
  'no file at all': () => undefined,
  'CLAUDE.md alone': (world) => world.write('.claude/CLAUDE.md', CLAUDE_MD),
  'empty files': (world) => {
    world.write(REGISTRY, '');
    world.write(SETTINGS, '');
  },
  'white space alone': (world) => {
    world.write(REGISTRY, '\n');
    world.write(SETTINGS, ' \r\n');
  },
  'empty objects': (world) => {
    world.write(REGISTRY, '{}');
    world.write(SETTINGS, '{\n}\n');
  },
  'empty containers': (world) => {
    world.write(REGISTRY, '{"mcpServers":{}}');
    world.write(SETTINGS, '{\n  "hooks": {\n    "UserPromptSubmit": [ ]\n  }\n}\n');
  },
  'other content': (world) => {
    world.write(
      REGISTRY,
      '{\n  "numStartups": 3,\n  "mcpServers": {\n    "a": { "command": "x" }\n  }\n}\n',
    );
    world.write(SETTINGS, OWN_HOOKS, 0o600);
    world.write('.claude/skills/mine/SKILL.md', '---\nname: mine\n---\n');
    world.write('.claude/agents/mine.md', 'x');
    world.write('.claude/CLAUDE.md', CLAUDE_MD);
  },
  'one long line': (world) => {
    world.write(REGISTRY, '{"numStartups":3,"mcpServers":{"a":{"command":"x"}},"z":"ü€😀"}');
    world.write(SETTINGS, '{ "hooks": { "UserPromptSubmit": [{"hooks":[]}] }, "a": 1 }');
  },
  'tabs, CRLF and a byte order mark': (world) => {
    world.write(REGISTRY, '\ufeff{\r\n\t"mcpServers": {\r\n\t\t"a": {}\r\n\t}\r\n}\r\n');
    world.write(SETTINGS, '\ufeff{\r\n\t"hooks": {}\r\n}');
  },
  'comments and trailing commas': (world) => {
    world.write(
      SETTINGS,
      '// first\n{ // opens\n  /* a */ "model": "opus", // why\n  "hooks": {\n    // none\n  },\n} // end\n',
    );
    world.write(REGISTRY, '{\n  "mcpServers": { // servers\n    "a": {}, // mine\n  },\n}');
  },
  'folders that are empty': (world) => {
    fs.mkdirSync(world.at('.claude/skills'), { recursive: true });
    fs.mkdirSync(world.at('.claude/agents'));
  },
  'links into a dotfile repository': (world) => {
    world.write('dotfiles/claude.json', '{"a": 1}');
    world.write('dotfiles/claude/settings.json', OWN_HOOKS);
    fs.mkdirSync(world.at('dotfiles/claude/skills'));
    fs.symlinkSync('dotfiles/claude.json', world.at(REGISTRY));
    fs.symlinkSync('dotfiles/claude', world.at('.claude'));
  },
  'a linked settings.json': (world) => {
    world.write('dotfiles/settings.json', '{}\n', 0o640);
    fs.mkdirSync(world.at('.claude'));
    fs.symlinkSync(world.at('dotfiles/settings.json'), world.at(SETTINGS));
  },
};

describe('setUpClaude', () => {
  let world: SetupWorld;
  const begin = (env?: Record<string, string>): SetupWorld => (world = setupWorld(env));
  afterEach(() => world.dispose());

  for (const [name, fill] of Object.entries(HOMES)) {
    it(`leaves a home with ${name} as it was, whole and part by part`, async () => {
      fill(begin());
      const before = world.tree();
      assert.deepEqual(states(await world.run({ action: 'install' })), ALL);
      assert.notDeepEqual(world.tree(), before);
      assert.deepEqual(states(await world.run({ action: 'remove' })), NONE);
      assert.deepEqual(world.tree(), before);
      assert.deepEqual(fs.readdirSync(world.stateDir), ['bin'], 'nothing is left on record');
      assert.deepEqual(fs.readdirSync(path.join(world.stateDir, 'bin')), ['delegate']);

      // In one order in, in another out.
      for (const part of SETUP_PARTS) await world.run({ action: 'install', parts: [part] });
      for (const part of ['relay', 'registration', 'hook', 'skill'] as const) {
        const { parts } = await world.run({ action: 'remove', parts: [part] });
        assert.deepEqual(
          parts.map((each) => [each.part, each.state, each.problem]),
          [[part, 'absent', null]],
        );
      }
      assert.deepEqual(world.tree(), before);
    });

    it(`keeps what a home with ${name} says when nothing is on record any more`, async () => {
      fill(begin());
      const meaning = [REGISTRY, SETTINGS].map((file) => meaningOf(world, file));
      await world.run({ action: 'install' });
      fs.rmSync(path.join(world.stateDir, 'claude-setup.json'));
      assert.deepEqual(states(await world.run({ action: 'remove' })), NONE);
      assert.deepEqual(
        [REGISTRY, SETTINGS].map((file) => meaningOf(world, file)),
        meaning,
      );
    });

    it(`plans for a home with ${name} what it then writes`, async () => {
      fill(begin());
      for (const action of ['install', 'remove'] as const) {
        const before = world.tree();
        const plan = await world.run({ action: `plan-${action}` });
        assert.deepEqual(world.tree(), before, 'a plan writes nothing');
        const expected = plan.parts.flatMap((part) =>
          part.changes.map(({ file, splice }) => {
            const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
            return [file, splice === null ? null : applySplice(text, splice)];
          }),
        );
        const expect = plan.parts.flatMap((part) => part.changes);
        const done = await world.run({
          action,
          expect: expect.map(({ file, beforeSha256 }) => ({ file, beforeSha256 })),
        });
        assert.deepEqual(
          done.parts.map((part) => part.changes),
          plan.parts.map((part) => part.changes),
        );
        for (const [file, text] of expected) {
          const now = fs.existsSync(file ?? '') ? fs.readFileSync(file ?? '', 'utf8') : null;
          assert.equal(now, text, file ?? '');
        }
      }
    });
  }

  it('does nothing the second time', async () => {
    begin();
    await world.run({ action: 'install' });
    const before = world.tree();
    const again = await world.run({ action: 'install' });
    assert.deepEqual(
      again.parts.map((part) => part.changes),
      [[], [], [], []],
    );
    assert.deepEqual(world.tree(), before);
  });

  it('registers the launcher at user scope, with the store that was chosen', async () => {
    begin();
    await world.run({ action: 'install', parts: ['registration'] });
    const launcher = path.join(world.stateDir, 'bin/delegate');
    assert.deepEqual(JSON.parse(world.read(REGISTRY)), {
      mcpServers: { delegate: { type: 'stdio', command: launcher, args: ['mcp'] } },
    });
    assert.equal(fs.statSync(world.at(REGISTRY)).mode & 0o777, 0o600);
    world.dispose();

    begin({ DELEGATE_STATE: '/anything' });
    await world.run({ action: 'install', parts: ['registration'] });
    const { mcpServers } = JSON.parse(world.read(REGISTRY)) as {
      mcpServers: Record<string, { env: unknown }>;
    };
    assert.deepEqual(mcpServers['delegate']?.env, { DELEGATE_STATE: world.stateDir });
  });

  it('writes below CLAUDE_CONFIG_DIR, registry included', async () => {
    begin();
    const dir = path.join(world.scratch, 'elsewhere');
    Object.assign(world.options.env, { CLAUDE_CONFIG_DIR: dir });
    await world.run({ action: 'install' });
    assert.deepEqual(fs.readdirSync(dir).sort(), [
      '.claude.json',
      'agents',
      'settings.json',
      'skills',
    ]);
    assert.deepEqual(world.tree(), {});
    await world.run({ action: 'remove' });
    assert.ok(!fs.existsSync(dir));
  });

  it('refuses a CLAUDE_CONFIG_DIR that is not absolute, and any home outside of the isolation root', async () => {
    begin({ CLAUDE_CONFIG_DIR: 'here' });
    await assert.rejects(world.run({ action: 'plan-install' }), (error) =>
      BridgeError.is(error, 'bad_argument'),
    );
    Object.assign(world.options.env, { CLAUDE_CONFIG_DIR: '/elsewhere' });
    await assert.rejects(world.run({ action: 'plan-install' }), (error) =>
      BridgeError.is(error, 'state_dir_invalid'),
    );
  });

  it('uses the registry of old versions where it is in use', async () => {
    begin();
    world.write('.claude/.config.json', '{"old": true}');
    await world.run({ action: 'install', parts: ['registration'] });
    assert.ok(world.read('.claude/.config.json').includes('"delegate"'));
    assert.ok(!fs.existsSync(world.at(REGISTRY)));
  });

  describe('an existing registration', () => {
    const entries: readonly [string, object, 'outdated' | 'changed'][] = [
      ['delegate on the PATH', { command: 'delegate', args: ['mcp'] }, 'outdated'],
      [
        'as claude mcp add wrote it',
        { type: 'stdio', command: '/old/bin/delegate', args: ['mcp'], env: {} },
        'outdated',
      ],
      [
        'through node',
        { command: '/usr/bin/node', args: ['/x/bin/delegate.cjs', 'mcp'] },
        'outdated',
      ],
      ['with a configuration', { command: 'delegate', args: ['mcp', '--config', 'x'] }, 'changed'],
      ['with variables', { command: 'delegate', args: ['mcp'], env: { A: 'b' } }, 'changed'],
      [
        'with a key of its own',
        { command: 'delegate', args: ['mcp'], alwaysLoad: true },
        'changed',
      ],
      ['another program', { command: 'npx', args: ['delegate', 'mcp'] }, 'changed'],
      ['a remote server', { type: 'http', url: 'https://example.com' }, 'changed'],
      ['no object', [], 'changed'],
    ];
    for (const [name, entry, state] of entries) {
      it(`${name} is ${state}`, async () => {
        begin();
        const text = JSON.stringify({ mcpServers: { delegate: entry, z: {} } }, null, 4);
        world.write(REGISTRY, text);
        const [plan] = (await world.run({ action: 'plan-install', parts: ['registration'] })).parts;
        assert.equal(plan?.state, state);
        const [done] = (await world.run({ action: 'install', parts: ['registration'] })).parts;
        if (state === 'changed') {
          assert.match(done?.problem ?? '', /a server "delegate" that set-up did not write/);
          assert.equal(world.read(REGISTRY), text);
          const [kept] = (await world.run({ action: 'remove', parts: ['registration'] })).parts;
          assert.ok(kept?.problem);
          assert.equal(world.read(REGISTRY), text);
        }
        const forced = await world.run({ action: 'install', parts: ['registration'], force: true });
        assert.equal(forced.parts[0]?.state, 'installed');
        await world.run({ action: 'remove', parts: ['registration'] });
        assert.deepEqual(JSON.parse(world.read(REGISTRY)), { mcpServers: { z: {} } });
      });
    }
  });

  describe('what somebody has changed', () => {
    const edits: readonly [SetupPart, string, (text: string) => string][] = [
      ['skill', SKILL, (text) => text.replace('Delegate or keep', 'Keep')],
      ['relay', RELAY, (text) => text.replace('haiku', 'sonnet')],
      ['hook', SETTINGS, (text) => text.replace('"timeout": 5', '"timeout": 5, "async": true')],
      ['registration', REGISTRY, (text) => text.replace('"mcp"', '"mcp", "--restricted"')],
    ];
    for (const [part, file, edit] of edits) {
      it(`is kept: ${part}`, async () => {
        begin();
        await world.run({ action: 'install' });
        const text = edit(world.read(file));
        world.write(file, text);
        for (const action of ['install', 'remove'] as const) {
          const [done] = (await world.run({ action, parts: [part] })).parts;
          assert.equal(done?.state, 'changed');
          assert.match(done.problem ?? '', /changed since|did not write/);
          assert.equal(world.read(file), text);
        }
        await world.run({ action: 'remove', force: true });
        assert.deepEqual(world.tree(), {});
      });
    }

    it('is kept: the script of the hook', async () => {
      begin();
      await world.run({ action: 'install', parts: ['hook'] });
      const script = path.join(world.stateDir, 'bin/prompt-hook.sh');
      fs.appendFileSync(script, '# mine\n');
      const [done] = (await world.run({ action: 'remove', parts: ['hook'] })).parts;
      assert.equal(done?.problem, `${script} was changed since set-up wrote it.`);
      assert.ok(fs.existsSync(script));
    });
  });

  it('brings what an older version wrote up to date, and still knows the way back', async () => {
    begin();
    world.write(SETTINGS, OWN_HOOKS);
    const before = world.tree();
    await world.run({ action: 'install' });
    const old = world.read(SETTINGS).replace('"timeout": 5', '"timeout": 60');
    // As if that version had written it: on record with what it made of the file.
    const record = path.join(world.stateDir, 'claude-setup.json');
    const { files } = JSON.parse(fs.readFileSync(record, 'utf8')) as {
      files: Record<string, object>;
    };
    world.write(SETTINGS, old);
    assert.ok(files[world.at(SETTINGS)]);
    const [plan] = (await world.run({ action: 'plan-install', parts: ['hook'] })).parts;
    assert.equal(plan?.state, 'outdated');
    await world.run({ action: 'install' });
    assert.ok(world.read(SETTINGS).includes('"timeout": 5\n'));
    await world.run({ action: 'remove' });
    assert.deepEqual(world.tree(), before);
  });

  it('takes its own hook out of a group that is not its own, and every copy of it', async () => {
    begin();
    await world.run({ action: 'install', parts: ['hook'] });
    const [group] = (
      JSON.parse(world.read(SETTINGS)) as {
        hooks: { UserPromptSubmit: { hooks: object[] }[] };
      }
    ).hooks.UserPromptSubmit;
    const mine = { type: 'command', command: 'mine' };
    const mixed = {
      hooks: { UserPromptSubmit: [{ hooks: [mine, ...(group?.hooks ?? [])] }, group] },
    };
    world.write(SETTINGS, JSON.stringify(mixed, null, 2));
    const [plan] = (await world.run({ action: 'plan-install', parts: ['hook'] })).parts;
    assert.equal(plan?.state, 'outdated', 'twice is once too often');
    await world.run({ action: 'remove', parts: ['hook'] });
    assert.deepEqual(JSON.parse(world.read(SETTINGS)), {
      hooks: { UserPromptSubmit: [{ hooks: [mine] }] },
    });
  });

  describe('a file that cannot be edited stops its part alone', () => {
    const broken: readonly [string, string | Buffer, number, RegExp][] = [
      [
        'invalid JSON',
        '{\n  "a": 1,\n  "b" 2\n}',
        0o644,
        /settings\.json is not valid JSON \(line 3\)\. Repair it/,
      ],
      ['half a file', '{"hooks": {', 0o644, /not valid JSON/],
      ['a list', '[]', 0o644, /holds no JSON object/],
      ['hooks of another shape', '{"hooks": []}', 0o644, /"hooks" in .* is not an object/],
      [
        'an event of another shape',
        '{"hooks": {"UserPromptSubmit": {}}}',
        0o644,
        /UserPromptSubmit" in .* is not a list/,
      ],
      [
        'a group of another shape',
        '{"hooks": {"UserPromptSubmit": [3]}}',
        0o644,
        /is not an object/,
      ],
      ['a key twice', '{"hooks": {}, "hooks": {}}', 0o644, /has the key "hooks" twice/],
      ['read-only', '{}', 0o444, /settings\.json is read-only\. Make it writable/],
      ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 0o644, /is not UTF-8/],
    ];
    for (const [name, content, mode, problem] of broken) {
      it(name, async () => {
        begin();
        world.write(SETTINGS, content, mode);
        const before = world.tree();
        const report = await world.run({ action: 'install' });
        const { hook = '', ...others } = states(report);
        assert.match(hook, problem);
        assert.equal(report.parts.find(({ part }) => part === 'hook')?.state, 'unknown');
        assert.deepEqual(others, {
          registration: 'installed',
          skill: 'installed',
          relay: 'installed',
        });
        assert.match(states(await world.run({ action: 'remove' }))['hook'] ?? '', problem);
        assert.deepEqual(world.tree(), before);
        assert.ok(!fs.existsSync(path.join(world.stateDir, 'bin/prompt-hook.sh')));
      });
    }

    it('a file where the folder of Claude Code should be', async () => {
      begin();
      world.write('.claude', 'not a folder');
      const before = world.tree();
      const report = states(await world.run({ action: 'install' }));
      assert.equal(report['registration'], 'installed');
      for (const part of ['skill', 'hook', 'relay']) {
        assert.match(report[part] ?? '', /cannot be read \(ENOTDIR\)/);
      }
      await world.run({ action: 'remove' });
      assert.deepEqual(world.tree(), before);
      assert.deepEqual(fs.readdirSync(path.join(world.stateDir, 'bin')), ['delegate']);
    });

    it('a link to nowhere, and a folder in its place', async () => {
      begin();
      fs.mkdirSync(world.at('.claude'));
      fs.symlinkSync('nowhere', world.at(SETTINGS));
      fs.mkdirSync(world.at(REGISTRY));
      const before = world.tree();
      const report = states(
        await world.run({ action: 'install', parts: ['registration', 'hook'] }),
      );
      assert.match(report['hook'] ?? '', /is a link to a file that does not exist/);
      assert.match(report['registration'] ?? '', /\.claude\.json is not a file/);
      assert.deepEqual(world.tree(), before);
    });
  });

  it('says when Claude Code will not read what was written', async () => {
    begin();
    world.write(SETTINGS, '{\n  // mine\n}');
    world.write(REGISTRY, '{}');
    const notes = async (): Promise<(string | null)[]> =>
      (await world.run({ action: 'install', parts: ['registration', 'hook'] })).parts.map(
        ({ note }) => note,
      );
    assert.deepEqual(await notes(), [
      null,
      `${world.at(SETTINGS)} has comments or trailing commas: Claude Code does not read it.`,
    ]);
    world.write(SETTINGS, '{"disableAllHooks": true}');
    assert.match((await notes())[1] ?? '', /Hooks are off/);
  });

  it('writes nothing that differs from what was shown', async () => {
    begin();
    world.write(SETTINGS, '{}');
    const plan = await world.run({ action: 'plan-install' });
    const expect = plan.parts.flatMap((part) =>
      part.changes.map(({ file, beforeSha256 }) => ({ file, beforeSha256 })),
    );
    world.write(SETTINGS, '{"model": "opus"}');
    world.write(SKILL, 'of somebody else');
    const report = await world.run({ action: 'install', expect });
    const { hook, skill, ...others } = states(report);
    assert.match(hook ?? '', /settings\.json was changed since it was shown/);
    assert.match(skill ?? '', /did not write/);
    assert.deepEqual(others, { registration: 'installed', relay: 'installed' });
    assert.equal(world.read(SETTINGS), '{"model": "opus"}');
    assert.equal(world.read(SKILL), 'of somebody else');

    const unseen = await world.run({ action: 'remove', parts: ['relay'], expect: [] });
    assert.match(states(unseen)['relay'] ?? '', /was changed since it was shown/);
  });

  it('keeps a launcher that works, and replaces one whose program is gone', async () => {
    begin();
    const launcher = path.join(world.stateDir, 'bin/delegate');
    fs.mkdirSync(path.dirname(launcher));
    const working = `#!/bin/sh\nscript='${process.execPath}'\nnode='${process.execPath}'\n`;
    fs.writeFileSync(launcher, working);
    await world.run({ action: 'install', parts: ['registration'] });
    assert.equal(fs.readFileSync(launcher, 'utf8'), working);
    await world.run({ action: 'remove', parts: ['registration'] });
    fs.writeFileSync(launcher, working.replace('script=', "script='/gone'\nwas="));
    await world.run({ action: 'install', parts: ['registration'] });
    assert.match(fs.readFileSync(launcher, 'utf8'), /bin\/delegate\.cjs'/);
  });

  it('leaves a folder that somebody else uses by now, and forgets that it made it', async () => {
    begin();
    await world.run({ action: 'install' });
    world.write('.claude/agents/mine.md', 'x');
    await world.run({ action: 'remove' });
    assert.deepEqual(Object.keys(world.tree()), [
      '.claude',
      '.claude/agents',
      '.claude/agents/mine.md',
    ]);
    assert.deepEqual(fs.readdirSync(world.stateDir), ['bin']);
  });

  it('goes on where an interrupted one stopped', async () => {
    begin();
    world.write(SETTINGS, OWN_HOOKS);
    const before = world.tree();
    await world.run({ action: 'install' });
    const whole = world.tree();
    const record = fs.readFileSync(path.join(world.stateDir, 'claude-setup.json'));
    // On record, and not there yet: as if the power had gone before the last write, or between two.
    for (const file of [SKILL, RELAY, REGISTRY]) fs.rmSync(world.at(file));
    world.write(SETTINGS, OWN_HOOKS);
    fs.writeFileSync(path.join(world.stateDir, 'claude-setup.json'), record);
    assert.deepEqual(states(await world.run({ action: 'install' })), ALL);
    assert.deepEqual(world.tree(), whole);
    assert.deepEqual(states(await world.run({ action: 'remove' })), NONE);
    assert.deepEqual(world.tree(), before);
  });

  it('gives up a broken record', async () => {
    begin();
    await world.run({ action: 'install' });
    fs.writeFileSync(path.join(world.stateDir, 'claude-setup.json'), '{"v": 1, "files": ');
    assert.deepEqual(states(await world.run({ action: 'remove' })), NONE);
  });
});

/** What a program reads from it: comments and empty containers mean nothing. */
function meaningOf(world: SetupWorld, file: string): unknown {
  if (!fs.existsSync(world.at(file))) return {};
  const text = world
    .read(file)
    .replace('\ufeff', '')
    .replace(/\/\*.*?\*\/|\/\/.*/g, '')
    .replace(/,(\s*[}\]])/g, '$1');
  const value = JSON.parse(text.trim() === '' ? '{}' : text) as Record<string, object>;
  for (const key of ['mcpServers', 'hooks']) {
    const inner = JSON.stringify(value[key] ?? {});
    if (['{}', '{"UserPromptSubmit":[]}'].includes(inner)) delete value[key];
  }
  return value;
}
