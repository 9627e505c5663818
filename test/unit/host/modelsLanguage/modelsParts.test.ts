import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment } from '../../../../src/host/bridge/childEnvironment.ts';
import { configPlaces } from '../../../../src/host/modelsLanguage/configPlaces.ts';
import { RestartPlan } from '../../../../src/host/modelsLanguage/restartPlan.ts';
import { secretUses } from '../../../../src/host/modelsLanguage/secretUses.ts';
import { type StatusFacts, statusWords } from '../../../../src/host/modelsLanguage/statusWords.ts';

describe('configPlaces', () => {
  const places = (env: NodeJS.ProcessEnv, folders: readonly string[] = []): string[] =>
    configPlaces({ env, homeDir: '/home/me', platform: 'linux', cwd: '/srv/it', folders });

  it("are the user's file and those at the roots, with their sidecars, and no other", () =>
    assert.deepEqual(places({}, ['/srv/it', '/srv/other']), [
      '/home/me/.config/delegation-bridge/models.yaml',
      '/home/me/.config/delegation-bridge/models.local.yaml',
      '/srv/it/models.yaml',
      '/srv/it/models.local.yaml',
      '/srv/other/models.yaml',
      '/srv/other/models.local.yaml',
    ]));

  for (const [chosen, file] of [
    ['/etc/our models.yml', '/etc/our models.yml'],
    ['~/bridge.yaml', '/home/me/bridge.yaml'],
    ['config/bridge.yaml', '/srv/it/config/bridge.yaml'],
  ] as const) {
    it(`take $DELEGATE_CONFIG=${chosen}, whatever its name`, () =>
      assert.equal(places({ DELEGATE_CONFIG: chosen })[0], file));
  }

  it('have the target of a link as well', () => {
    const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'config-places-')));
    try {
      mkdirSync(join(scratch, 'dotfiles'));
      writeFileSync(join(scratch, 'dotfiles/models.yaml'), '');
      symlinkSync(join(scratch, 'dotfiles/models.yaml'), join(scratch, 'mine.yaml'));
      const found = places({ DELEGATE_CONFIG: join(scratch, 'mine.yaml') });
      assert.ok(found.includes(join(scratch, 'mine.yaml')));
      assert.ok(found.includes(join(scratch, 'dotfiles/models.yaml')));
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  });
});

describe('RestartPlan', () => {
  it('waits longer each time, and gives up at the fifth end within three minutes', () => {
    let nowMs = 0;
    const plan = new RestartPlan(() => nowMs);
    assert.deepEqual(
      [1, 2, 3, 4, 5, 6].map(() => plan.next()),
      [250, 1000, 4000, 10_000, null, null],
    );
    nowMs += 3 * 60_000;
    assert.equal(plan.next(), 250, 'what is long ago does not count');
    plan.next();
    plan.forget();
    assert.equal(plan.next(), 250, 'nor what was before a person started it');
  });
});

describe('secretUses', () => {
  it('finds each reference with its line, and none in a comment', () =>
    assert.deepEqual(
      secretUses(
        '/m.yaml',
        '# ${secret:no}\r\na: ${secret:one}\n  b: "x ${secret:two}${secret:one}"',
      ),
      [
        { name: 'one', file: '/m.yaml', line: 2 },
        { name: 'two', file: '/m.yaml', line: 3 },
        { name: 'one', file: '/m.yaml', line: 3 },
      ],
    ));
});

describe('the environment of children', () => {
  it('is that of the editor without what belongs to the editor', () =>
    assert.deepEqual(
      childEnvironment({
        PATH: '/bin',
        DELEGATE_CONFIG: 'x',
        VSCODE_PID: '1',
        NODE_OPTIONS: '-r x',
      }),
      { PATH: '/bin', DELEGATE_CONFIG: 'x', ELECTRON_RUN_AS_NODE: '1' },
    ));
});

describe('statusWords', () => {
  const RUNNING: StatusFacts = {
    ...{ state: { kind: 'running' }, errors: 0, warnings: 0 },
    ...{ isUntrusted: false, isRestricted: false },
  };
  for (const [what, facts, text, action] of [
    ['nothing', {}, 'No problems', null],
    ['problems', { errors: 1, warnings: 2 }, '1 error, 2 warnings', 'problems'],
    [
      'no trust, before problems',
      { isUntrusted: true, errors: 1 },
      'Not trusted, so it does not count',
      'trust',
    ],
    [
      'no trust in Restricted Mode',
      { isUntrusted: true, isRestricted: true },
      'Not trusted, so it does not count',
      null,
    ],
    [
      'the end of the server',
      { state: { kind: 'ended', reason: 'r' } },
      'The language server has ended',
      'restart',
    ],
    [
      'a start',
      { state: { kind: 'waiting', reason: 'r' } },
      'models.yaml is not checked yet',
      null,
    ],
  ] satisfies readonly (readonly [
    what: string,
    facts: Partial<StatusFacts>,
    text: string,
    action: string | null,
  ])[]) {
    it(`tells ${what}`, () => {
      const words = statusWords({ ...RUNNING, ...facts });
      assert.deepEqual([words.text, words.action], [text, action]);
    });
  }
});
