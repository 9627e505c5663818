import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import * as z from 'zod';
import { BridgeError } from '../../../src/base/bridgeError.ts';
import { answerSchema } from '../../../src/protocol/mcpAnswer.ts';
import type { BridgeApi } from '../../../src/server/bridgeApi.ts';
import { LazyBridge } from '../../../src/server/lazyBridge.ts';
import type { CallScope } from '../../../src/server/mcpSdk.ts';
import { ServerLog } from '../../../src/server/serverLog.ts';
import {
  defineTool,
  type Tool,
  type ToolAnswer,
  type ToolContext,
} from '../../../src/server/tool.ts';
import { ToolHost, type ToolHostOptions } from '../../../src/server/toolHost.ts';
import { bridgeDouble } from './bridgeDouble.ts';

const SCOPE: CallScope = { signal: new AbortController().signal, sendProgress: null };

function toolThat(run: (context: ToolContext) => Promise<ToolAnswer>): Tool {
  return defineTool({
    name: 'probe',
    title: 'Probe',
    description: 'A tool of the test',
    effect: 'read',
    isIdempotent: true,
    input: z.strictObject({ cwd: z.string().optional() }),
    output: answerSchema({}),
    run: (_args, context) => run(context),
  });
}

function hostOf(tool: Tool, bridge: Partial<BridgeApi> = {}, more: Partial<ToolHostOptions> = {}) {
  const logged: string[] = [];
  const host = new ToolHost({
    tools: [tool],
    withheld: [],
    bridge: new LazyBridge(async () => bridgeDouble(bridge)),
    caller: () => ({ kind: 'agent', name: 'test', session: null, pid: null }),
    defaultCwd: async () => '/project',
    progressIntervalMs: 1000,
    log: new ServerLog({ write: (line: string) => logged.push(line) > 0 }, () => new Date(0)),
    now: () => new Date(0),
    errorShape: 'nested',
    answerSize: 'bounded',
    ...more,
  });
  return { host, logged };
}

const textOf = (result: { content: unknown[] }): string =>
  (result.content[0] as { text: string }).text;

describe('ToolHost', () => {
  it('text begins with the provenance, which the structured content has too', async () => {
    const { host } = hostOf(
      toolThat(async () => ({ provenance: 'Who and where', fields: { a: 1 } })),
    );
    const result = await host.call('probe', {}, SCOPE);
    assert.equal(textOf(result).split('\n')[0], 'Who and where');
    assert.deepEqual(result.structuredContent, { ok: true, provenance: 'Who and where', a: 1 });
    assert.equal(result.isError, undefined);
  });

  const thrown: [string, Error, string][] = [
    [
      'an error of the bridge',
      new BridgeError('wrong_state', 'It is over.', { hint: 'Look.', details: { known: ['x'] } }),
      'wrong_state',
    ],
    ['any other error', new TypeError('x is not a function'), 'internal'],
  ];
  for (const [name, error, kind] of thrown) {
    it(`${name} becomes a value`, async () => {
      const { host, logged } = hostOf(toolThat(() => Promise.reject(error)));
      const result = await host.call('probe', {}, SCOPE);
      assert.equal(result.isError, true);
      const structured = result.structuredContent as {
        ok: boolean;
        error: { kind: string; known?: string[] };
      };
      assert.equal(structured.ok, false);
      assert.equal(structured.error.kind, kind);
      assert.match(textOf(result), /^No model was asked · probe did not succeed/);
      assert.equal(
        logged.length,
        kind === 'internal' ? 1 : 0,
        'only what is a defect of ours is logged',
      );
    });
  }

  it('an engine that cannot be made is a value too, and is tried again', async () => {
    let tries = 0;
    const bridge = new LazyBridge(async () => {
      tries += 1;
      if (tries === 1) throw new BridgeError('state_dir_invalid', 'The state folder is a link.');
      return bridgeDouble({});
    });
    const { host } = hostOf(
      toolThat(async () => ({ provenance: 'p', fields: {} })),
      {},
      { bridge },
    );
    assert.equal((await host.call('probe', {}, SCOPE)).isError, true);
    assert.equal((await host.call('probe', {}, SCOPE)).isError, undefined);
  });

  it('problems of the configuration stand on answers and on errors', async () => {
    const problem = {
      file: '/m.yaml',
      line: 3,
      column: 5,
      endLine: 3,
      endColumn: 8,
      severity: 'error' as const,
      code: 'unknown_key',
      path: 'x',
      message: 'unknown key "x"',
      suggestion: 'y',
    };
    const seen: string[] = [];
    const bridge: Partial<BridgeApi> = {
      configState: async (cwd) => {
        seen.push(cwd);
        return {
          configFile: '/m.yaml',
          configStale: true,
          problems: [problem],
          endpoints: [],
          gates: [],
        };
      },
    };
    for (const run of [
      async (): Promise<ToolAnswer> => ({ provenance: 'p', fields: {}, text: 'plain' }),
      (): Promise<ToolAnswer> => Promise.reject(new BridgeError('lost', 'Gone.')),
    ]) {
      const { host } = hostOf(toolThat(run), bridge);
      const result = await host.call('probe', { cwd: '/elsewhere' }, SCOPE);
      const structured = result.structuredContent as {
        config_stale: boolean;
        problems: { line: number; suggestion: string }[];
      };
      assert.equal(structured.config_stale, true);
      assert.equal(structured.problems[0]?.line, 3);
      assert.equal(structured.problems[0]?.suggestion, 'y');
      assert.match(textOf(result), /unknown key/);
    }
    assert.deepEqual(seen, ['/elsewhere', '/elsewhere']);
  });

  it('a long answer is cut with a mark and a link to the whole', async () => {
    const { host } = hostOf(
      toolThat(async () => ({
        provenance: 'p',
        fields: { log: 'x'.repeat(200_000) },
        resourceUri: 'delegate://jobs/j/transcript',
      })),
    );
    const result = await host.call('probe', {}, SCOPE);
    assert.ok(Buffer.byteLength(textOf(result)) <= 60_000);
    assert.ok(textOf(result).startsWith('p\n'), 'the provenance is not what is cut');
    assert.deepEqual(result.content[1], {
      type: 'resource_link',
      uri: 'delegate://jobs/j/transcript',
      name: 'jobs/j/transcript',
    });
    const structured = result.structuredContent as {
      truncated: boolean;
      resource: string;
      log: string;
    };
    assert.equal(structured.truncated, true);
    assert.equal(structured.resource, 'delegate://jobs/j/transcript');
    assert.match(structured.log, /\[cut: 200000 characters in all\]$/);
  });

  it('in the flat shape the word of the error takes the place of the object', async () => {
    const failing = toolThat(() =>
      Promise.reject(new BridgeError('unknown_job', 'There is no job x.')),
    );
    const { host } = hostOf(failing, {}, { errorShape: 'flat' });
    const structured = (await host.call('probe', {}, SCOPE)).structuredContent as Record<
      string,
      unknown
    >;
    assert.equal(structured['error'], 'unknown_job');
    assert.equal(structured['message'], 'There is no job x.');
  });

  it('a tool that is withheld answers restricted, one that is unknown is a protocol error', async () => {
    const tool = toolThat(async () => ({ provenance: 'p', fields: {} }));
    const { host } = hostOf(tool, {}, { tools: [], withheld: [tool] });
    const structured = (await host.call('probe', {}, SCOPE)).structuredContent as {
      error: { kind: string };
    };
    assert.equal(structured.error.kind, 'restricted');
    await assert.rejects(host.call('other', {}, SCOPE), /no tool "other"/);
  });

  it('settle waits for what calls have left behind and survives its failure', async () => {
    let finish: () => void = () => undefined;
    const work = new Promise<void>((_resolve, reject) => {
      finish = () => reject(new Error('late failure'));
    });
    const { host, logged } = hostOf(
      toolThat(async ({ onAbandoned }) => {
        onAbandoned(work);
        return { provenance: 'p', fields: {} };
      }),
    );
    await host.call('probe', {}, SCOPE);
    const settled = host.settle();
    finish();
    await settled;
    assert.match(logged.join(''), /late failure/);
  });
});
