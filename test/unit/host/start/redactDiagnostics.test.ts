import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { redactDiagnostics } from '../../../../src/host/start/redactDiagnostics.ts';

const WHO = {
  homeDir: '/home/jane',
  folders: ['/home/jane/work/secret-project', '/srv/other'],
  userName: 'jane',
};

describe('redactDiagnostics', () => {
  const table: [text: string, clean: string][] = [
    ['State /home/jane/.local/state/x', 'State ~/.local/state/x'],
    ['cwd /home/jane/work/secret-project/src', 'cwd <folder 1>/src'],
    ['cwd /srv/other', 'cwd <folder 2>'],
    ['runs as jane on', 'runs as <user> on'],
    ['janeiro', 'janeiro'],
    ['http://127.0.0.1:8080 up', 'http://127.0.0.1:8080 up'],
    ['http://localhost:1 and http://[::1]:2', 'http://localhost:1 and http://[::1]:2'],
    ['https://gpu.corp.example/v1', 'https://host-1/v1'],
    [
      'https://a.example:8443 http://b.example https://A.example',
      'https://host-1:8443 http://host-2 https://host-1',
    ],
    [
      'tower.example is off; base_url http://tower.example',
      'host-1 is off; base_url http://host-1',
    ],
    ['https://me:pw@h.example/x', 'https://<login>@host-1/x'],
    ['key sk-ant-api03-abcdefghijklmnop', 'key <secret>'],
    ['Authorization: Bearer abcdefgh12345678', 'Authorization: <secret>'],
    ['ghp_abcdefghijklmnopqrst', '<secret>'],
    ['token 0123456789abcdef0123456789abcdef01234567', 'token <secret>'],
    ['mail jane.doe@corp.example', 'mail <mail>'],
  ];
  for (const [text, clean] of table) {
    it(`makes of ${text}: ${clean}`, () => {
      assert.equal(redactDiagnostics(text, WHO), clean);
    });
  }

  it('leaves no home folder, folder or key in, wherever they stand', () => {
    const filler = fc.string({ unit: 'grapheme', maxLength: 20 });
    fc.assert(
      fc.property(
        filler,
        fc.constantFrom('/home/jane', '/home/jane/work/secret-project', 'sk-ant-0123456789abcdef'),
        filler,
        (before, hidden, after) => {
          const clean = redactDiagnostics(`${before} ${hidden} ${after}`, WHO);
          assert.ok(!clean.includes(hidden), clean);
        },
      ),
    );
  });

  it('takes a long text in little time', () => {
    const text = 'https://h.example/a?b=c '.repeat(20_000);
    const startedMs = performance.now();
    redactDiagnostics(text, WHO);
    assert.ok(performance.now() - startedMs < 2_000);
  });
});
