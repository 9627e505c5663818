import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { failureFixes } from '../../../../src/host/commands/failureFixes.ts';

const declared = (
  JSON.parse(readFileSync('package.json', 'utf8')) as {
    contributes: {
      commands: { command: string }[];
      views: Record<string, { id: string }[]>;
    };
  }
).contributes;
const KINDS = [
  'server_unavailable',
  'internal',
  'host_start_failed',
  'model_unavailable',
  'model_unsuitable',
  'unknown_endpoint',
  'backend_unreachable',
  'backend_error',
  'auth_failed',
  'secret_missing',
  'config_invalid',
  'unknown_gate',
  'policy_refused',
  'untrusted',
  'restricted',
  'storage_full',
  'not_a_repository',
  'no_commits',
];

describe('failureFixes', () => {
  for (const kind of KINDS) {
    it(`leads somewhere that exists for ${kind}`, () => {
      const fixes = failureFixes(kind);
      assert.ok(fixes.length > 0);
      for (const { command } of fixes) {
        const isKnown =
          declared.commands.some((each) => each.command === command) ||
          Object.values(declared.views)
            .flat()
            .some(({ id }) => `${id}.focus` === command) ||
          command.startsWith('workbench.');
        assert.ok(isKnown, command);
      }
    });
  }

  it('offers nothing where only the person knows', () => {
    for (const kind of ['conflict', 'wrong_state', 'cancelled', 'not a kind'])
      assert.deepEqual(failureFixes(kind), []);
  });
});
