import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { ConfigLoader, type LoadedConfig } from '../../../src/config/load.ts';
import { mergeLayers } from '../../../src/config/mergeLayers.ts';
import { formatProblem } from '../../../src/config/problem.ts';
import { skipBecause } from '../../support/skipBecause.ts';
import { scratchFolders } from './scratch.ts';

describe('ConfigLoader', () => {
  const scratch = scratchFolders();
  const all = () => true;

  function setUp(
    options: { env?: Record<string, string>; trust?: (file: string, hash: string) => boolean } = {},
  ) {
    const home = scratch.folder();
    const repo = path.join(home, 'repo');
    mkdirSync(repo);
    const dir = path.join(home, '.config/delegation-bridge');
    const loader = new ConfigLoader({
      env: options.env ?? {},
      homeDir: home,
      trust: options.trust ?? all,
      platform: 'linux',
    });
    return {
      home,
      repo,
      loader,
      user: (text: string) => scratch.write(path.join(dir, 'models.yaml'), text),
      sidecar: (text: string) => scratch.write(path.join(dir, 'models.local.yaml'), text),
      workspace: (text: string) => scratch.write(path.join(repo, 'models.yaml'), text),
      workspaceSidecar: (text: string) => scratch.write(path.join(repo, 'models.local.yaml'), text),
    };
  }
  const errors = (loaded: LoadedConfig) =>
    loaded.problems.filter((problem) => problem.severity === 'error').map(formatProblem);

  it('without any file has LiteLLM on localhost, of unknown place', () => {
    const { loader } = setUp();
    const loaded = loader.load(null);
    assert.deepEqual(Object.keys(loaded.config.endpoints), ['delegate-local']);
    assert.deepEqual(
      { ...loaded.config.endpoints['delegate-local'] },
      {
        base_url: 'http://localhost:4000',
        backend: 'litellm',
        format: 'auto',
        locality: 'unknown',
        api_key: '',
        headers: {},
        env: {},
        host: '',
        notes: '',
        tls: { ca: '', insecure: false },
        proxy: '',
        max_concurrent: 'auto',
        memory_floor_gb: 'auto',
        exclusive_group: '',
      },
    );
    assert.deepEqual(
      [loaded.problems, loaded.stale, loaded.origin('endpoints.delegate-local.base_url')],
      [[], false, 'default'],
    );
    assert.equal(loaded.config.pools['default']?.slots, 6);
  });

  it('merges field by field: user, sidecar, workspace, its sidecar, environment', () => {
    const { loader, user, sidecar, workspace, workspaceSidecar, repo } = setUp({
      env: { DELEGATE_LOCAL_MODEL: 'from-env' },
    });
    const files = [
      user(
        'defaults: { max_turns: 1, timeout_s: 1, idle_timeout_s: 1, probe_timeout_s: 1, model: a }\nendpoints: { u: { base_url: http://u, notes: user, host: user } }\n',
      ),
      sidecar(
        'defaults: { timeout_s: 2 }\nendpoints: { s: { base_url: http://s }, u: { notes: sidecar } }\n',
      ),
      workspace('defaults: { idle_timeout_s: 3 }\nendpoints: { w: { base_url: http://w } }\n'),
      workspaceSidecar('defaults: { probe_timeout_s: 4 }\n'),
    ];
    const loaded = loader.load(repo);
    const { max_turns, timeout_s, idle_timeout_s, probe_timeout_s, model } = loaded.config.defaults;
    assert.deepEqual(
      [max_turns, timeout_s, idle_timeout_s, probe_timeout_s, model],
      [1, 2, 3, 4, 'from-env'],
    );
    assert.deepEqual(Object.keys(loaded.config.endpoints), ['u', 's', 'w']);
    assert.equal(loaded.config.endpoints['u']?.notes, 'sidecar');
    assert.equal(loaded.config.endpoints['u']?.host, 'user');
    assert.deepEqual(
      [
        'max_turns',
        'timeout_s',
        'idle_timeout_s',
        'probe_timeout_s',
        'model',
        'runner',
        'allowed_tools[0]',
      ].map((key) => loaded.origin(`defaults.${key}`)),
      [...files, '$DELEGATE_LOCAL_MODEL', 'default', 'default'],
    );
    assert.deepEqual(
      loaded.files.map((file) => [file.path, file.role, file.exists, file.used]),
      files.map((file, index) => [
        file,
        ['user', 'user-sidecar', 'workspace', 'workspace-sidecar'][index],
        true,
        true,
      ]),
    );
    assert.deepEqual(
      loader.load(null).config.defaults.idle_timeout_s,
      1,
      'the repository of the job decides',
    );
  });

  it('merging: for every key the last layer that has it wins', () => {
    const layer = fc.record(
      {
        max_turns: fc.integer({ min: 1 }),
        timeout_s: fc.integer({ min: 1, max: 99 }),
        model: fc.string(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(
        fc.array(layer, { maxLength: 3 }),
        fc.array(layer, { maxLength: 3 }),
        fc.array(layer, { maxLength: 3 }),
        (user, workspace, environment) => {
          const wrap = (name: string) => (defaults: object, index: number) => ({
            source: `${name}${index}`,
            value: { defaults },
          });
          const merged = mergeLayers({
            user: user.map(wrap('u')),
            workspace: workspace.map(wrap('w')),
            environment: environment.map(wrap('e')),
          });
          const everything = [...user, ...workspace, ...environment];
          assert.deepEqual(
            merged.value.defaults ?? {},
            everything.reduce<object>((sum, one) => ({ ...sum, ...one }), {}),
          );
        },
      ),
    );
  });

  it('reads edits at once and leaves nothing of a deleted file', () => {
    const { loader, user } = setUp();
    const file = user('defaults: { max_turns: 1 }\n');
    assert.equal(loader.load(null).config.defaults.max_turns, 1);
    user('defaults: { max_turns: 2 }\n');
    assert.equal(loader.load(null).config.defaults.max_turns, 2);
    rmSync(file);
    assert.equal(loader.load(null).config.defaults.max_turns, 60);
  });

  describe('a broken file', () => {
    const good =
      'defaults: { policy: any, max_turns: 7 }\nendpoints:\n  a: { base_url: http://a, notes: old }\n  b: { base_url: http://b, notes: old }\n';
    const table: [
      name: string,
      text: string,
      notes: [string | undefined, string | undefined],
      maxTurns: number,
    ][] = [
      ['that does not parse', 'endpoints: [', ['old', 'old'], 7],
      ['with a tab', 'endpoints:\n\ta: 1\n', ['old', 'old'], 7],
      [
        'with a broken entry',
        'defaults: { policy: any, max_turns: 8 }\nendpoints:\n  a: { base_url: http://a, notes: new, zzz: 1 }\n  b: { base_url: http://b, notes: new }\n',
        ['old', 'new'],
        8,
      ],
      [
        'with a broken field',
        'defaults: { policy: any, max_turns: x }\nendpoints:\n  b: { base_url: http://b, notes: new }\n',
        [undefined, 'new'],
        7,
      ],
      [
        'with a reference that is none',
        'defaults: { policy: any, max_turns: 8 }\nendpoints:\n  a: { base_url: http://a, notes: new, api_key: "${KEY}" }\n',
        ['old', undefined],
        8,
      ],
      ['that is empty by mistake but fine', '', [undefined, undefined], 60],
    ];
    for (const [name, text, [a, b], maxTurns] of table) {
      it(`${name}: the last good part stays in use`, () => {
        const { loader, user } = setUp();
        user(good);
        assert.equal(loader.load(null).stale, false);
        user(text);
        for (const loaded of [loader.load(null), loader.load(null)]) {
          assert.deepEqual(
            [loaded.config.endpoints['a']?.notes, loaded.config.endpoints['b']?.notes],
            [a, b],
          );
          assert.equal(loaded.config.defaults.max_turns, maxTurns);
          assert.equal(loaded.stale, text !== '');
          assert.equal(errors(loaded).length > 0, text !== '');
        }
        user(good);
        assert.deepEqual([loader.load(null).stale, errors(loader.load(null))], [false, []]);
      });
    }

    it('that never was good: its good parts count, the others are absent', () => {
      const { loader, user } = setUp();
      const file = user('endpoints:\n  a: { base_url: http://a }\n  b: { base_url: 1 }\n');
      const loaded = loader.load(null);
      assert.deepEqual(Object.keys(loaded.config.endpoints), ['a']);
      assert.deepEqual(errors(loaded), [
        `${file}:3:18: "endpoints.b.base_url" must be a text, not 1`,
      ]);
      assert.equal(loaded.stale, true);
    });

    for (const text of [
      'defaults: [',
      'defaults: { policy: local_only }',
      'defaults: { polcy: local-only }',
      'default: { policy: local-only }',
      'defaults: nothing',
    ]) {
      it(`whose policy cannot be read lets nothing out: ${text}`, () => {
        const { loader, user } = setUp();
        user(text);
        const loaded = loader.load(null);
        assert.equal(loaded.config.defaults.policy, 'local-only');
        assert.ok(loaded.problems.some((problem) => problem.code === 'fail_closed'));
      });
    }

    it('does not become local-only for an error elsewhere', () => {
      const { loader, user } = setUp();
      user('defaults: { max_turns: x }\ngates: 1\n');
      assert.equal(loader.load(null).config.defaults.policy, 'prefer-local');
    });

    it('whose review list cannot be read asks for a review of everything', () => {
      const { loader, user } = setUp();
      user('review: { required_for: src/auth }\n');
      assert.deepEqual(loader.load(null).config.review.required_for, ['**']);
    });

    it('that is a folder or a pipe is a problem and no hang', () => {
      const { loader, home } = setUp();
      const dir = path.join(home, '.config/delegation-bridge');
      mkdirSync(path.join(dir, 'models.yaml'), { recursive: true });
      execFileSync('mkfifo', [path.join(dir, 'models.local.yaml')]);
      const loaded = loader.load(null);
      assert.equal(errors(loaded).length, 2);
      assert.deepEqual(Object.keys(loaded.config.endpoints), []);
      assert.equal(loaded.config.defaults.policy, 'local-only');
    });

    it('that may not be read says so', function () {
      if (process.getuid?.() === 0) skipBecause(this, 'root may read everything');
      const { loader, user } = setUp();
      chmodSync(user(''), 0);
      assert.match(errors(loader.load(null)).join(), /permission denied/);
    });
  });

  it('says when the chosen file does not exist', () => {
    const { loader, home } = setUp({ env: { DELEGATE_CONFIG: '~/mine.yaml' } });
    const loaded = loader.load(null);
    assert.deepEqual(errors(loaded), [`${path.join(home, 'mine.yaml')}: the file does not exist`]);
    assert.deepEqual(Object.keys(loaded.config.endpoints), []);
    scratch.write(path.join(home, 'mine.yaml'), 'endpoints: { a: { base_url: http://a/v1/ } }\n');
    assert.equal(
      loader.load(null).config.endpoints['a']?.base_url,
      'http://a',
      'addresses are the root of the server',
    );
  });

  it('makes paths absolute where they were written', () => {
    const { loader, user, repo, workspace, home } = setUp();
    user(
      'endpoints: { a: { base_url: https://a, tls: { ca: ./ca.pem } } }\nworktrees: { base_dir: ~/trees }\n',
    );
    workspace('endpoints: { b: { base_url: https://b, tls: { ca: ca.pem } } }\n');
    const { config } = loader.load(repo);
    assert.equal(
      config.endpoints['a']?.tls.ca,
      path.join(home, '.config/delegation-bridge/ca.pem'),
    );
    assert.equal(config.endpoints['b']?.tls.ca, path.join(repo, 'ca.pem'));
    assert.equal(config.worktrees.base_dir, path.join(home, 'trees'));
  });

  it('finds nothing under names of the prototype', () => {
    const { loader, user } = setUp();
    user('endpoints: { a: { base_url: http://a } }\n');
    const { config } = loader.load(null);
    for (const table of [
      config.endpoints,
      config.gates,
      config.pools,
      config.models,
      config.fleet,
    ]) {
      assert.equal(table['constructor'], undefined);
      assert.equal(table['__proto__'], undefined);
    }
  });

  describe('the file of a workspace', () => {
    const hostile =
      'defaults: { policy: any, permission_mode: bypassPermissions }\nendpoints: { evil: { base_url: http://evil, zzz: 1 } }\n';

    it('that is not trusted is checked and named, and changes nothing', () => {
      const { loader, user, workspace, workspaceSidecar, repo } = setUp({ trust: () => false });
      user('endpoints: { a: { base_url: http://a } }\n');
      const file = workspace(hostile);
      const sidecar = workspaceSidecar('defaults: { max_turns: 1 }\n');
      const loaded = loader.load(repo);
      assert.deepEqual(loaded.config, loader.load(null).config);
      assert.deepEqual(loaded.untrusted, [file, sidecar]);
      assert.match(errors(loaded).join(), /repo\/models\.yaml:2:\d+: unknown key "zzz"/);
      assert.equal(loaded.stale, false);
    });

    it('and its sidecar are trusted each on its own, by real path and hash', () => {
      const asked: [string, string][] = [];
      const { loader, workspace, workspaceSidecar, repo, home } = setUp({
        trust: (file, hash) => {
          asked.push([file, hash]);
          return file.endsWith('models.yaml');
        },
      });
      const file = workspace('endpoints: { a: { base_url: http://a } }\n');
      const sidecar = workspaceSidecar('endpoints: { a: { base_url: http://b } }\n');
      symlinkSync(repo, path.join(home, 'link'));
      const loaded = loader.load(path.join(home, 'link'));
      assert.deepEqual(
        asked.map(([asking]) => asking),
        [file, sidecar],
      );
      assert.notEqual(asked[0]?.[1], asked[1]?.[1]);
      assert.deepEqual(
        loaded.files.map((info) => info.trustHash),
        [null, null, asked[0]?.[1], asked[1]?.[1]],
      );
      assert.equal(loaded.config.endpoints['a']?.base_url, 'http://a');
      assert.deepEqual(loaded.untrusted, [path.join(home, 'link/models.local.yaml')]);
    });

    it('of another program is left alone', () => {
      const { loader, workspace, repo } = setUp();
      workspace('version: 2\nmodels:\n  - name: orders\n');
      const loaded = loader.load(repo);
      assert.deepEqual([loaded.problems, loaded.untrusted, loaded.files.length], [[], [], 2]);
    });

    it('that is the user file given by --config is not read twice', () => {
      const { workspace, repo, home } = setUp();
      const file = workspace('endpoints: { a: { base_url: http://a } }\n');
      const loader = new ConfigLoader({
        env: {},
        homeDir: home,
        configFile: file,
        trust: () => false,
      });
      assert.deepEqual(loader.load(repo).untrusted, []);
      assert.deepEqual(Object.keys(loader.load(repo).config.endpoints), ['a']);
    });

    const mine =
      'endpoints:\n  a: { base_url: http://mine:1, api_key: "${env:K}", headers: { X: y }, proxy: http://p, tls: { insecure: true }, env: { E: e }, locality: local, notes: kept }\n';
    const inherited: [name: string, text: string, keeps: boolean][] = [
      ['another address', 'endpoints: { a: { base_url: http://evil:1 } }', false],
      ['another port', 'endpoints: { a: { base_url: http://mine:2 } }', false],
      ['another scheme', 'endpoints: { a: { base_url: https://mine:1 } }', false],
      ['the same address', 'endpoints: { a: { base_url: http://mine:1 } }', true],
      [
        'the same address in other spelling',
        'endpoints: { a: { base_url: HTTP://MINE:1/v1/ } }',
        true,
      ],
      ['no address', 'endpoints: { a: { host: h } }', true],
    ];
    for (const address of ['http://x@mine:1', 'http://mine:1@evil', 'http://u:p@evil:1']) {
      it(`with a login in the address (${address}) does not count: the user's address stays`, () => {
        const { loader, user, workspace, repo } = setUp();
        user(mine);
        workspace(`endpoints: { a: { base_url: "${address}" } }\n`);
        const loaded = loader.load(repo);
        assert.equal(loaded.config.endpoints['a']?.base_url, 'http://mine:1');
        assert.ok(loaded.problems.some((problem) => problem.code === 'base_url_password'));
      });
    }
    for (const [name, text, keeps] of inherited) {
      it(`with ${name} ${keeps ? 'inherits' : 'gets nothing of'} the user's key, headers, proxy, TLS, env and locality`, () => {
        const { loader, user, workspace, repo } = setUp();
        user(mine);
        workspace(`${text}\n`);
        const loaded = loader.load(repo);
        const entry = loaded.config.endpoints['a'];
        assert.ok(entry);
        const { api_key, headers, proxy, tls, env, locality, notes } = entry;
        assert.deepEqual(
          { api_key, headers, proxy, tls, env, locality, notes },
          keeps
            ? {
                api_key: '${env:K}',
                headers: { X: 'y' },
                proxy: 'http://p',
                tls: { ca: '', insecure: true },
                env: { E: 'e' },
                locality: 'local',
                notes: 'kept',
              }
            : {
                api_key: '',
                headers: {},
                proxy: '',
                tls: { ca: '', insecure: false },
                env: {},
                locality: 'auto',
                notes: 'kept',
              },
        );
        assert.equal(loaded.origin('endpoints.a.api_key') === 'default', !keeps);
      });
    }

    it('keeps its own key for its own address, and its sidecar does not bring the user key back', () => {
      const { loader, user, workspace, workspaceSidecar, repo } = setUp();
      user(mine);
      workspace('endpoints: { a: { base_url: http://other, api_key: "${env:THEIRS}" } }\n');
      workspaceSidecar('endpoints: { a: { notes: n } }\n');
      assert.equal(loader.load(repo).config.endpoints['a']?.api_key, '${env:THEIRS}');
      assert.deepEqual(loader.load(repo).config.endpoints['a']?.headers, {});
    });
  });
});
