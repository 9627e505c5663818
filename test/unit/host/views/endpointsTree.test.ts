import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { EndpointsTree } from '../../../../src/host/views/endpointsTree.ts';
import type { LoadState } from '../../../../src/host/jobs/loadState.ts';
import { PoolsTree } from '../../../../src/host/views/poolsTree.ts';
import type { ModelsOverview } from '../../../../src/protocol/ui/uiTools.ts';
import { feedJob, runningJob } from '../../../support/feedJob.ts';
import { endpoint, overview, probe, servedModel } from '../../../support/overview.ts';

const READY: LoadState = { kind: 'ready' };
const running = runningJob({ id: 'job-1' });

function treeOf(
  answer: ModelsOverview | null,
  more: { state?: LoadState; isLive?: boolean; ageS?: number } = {},
) {
  return new EndpointsTree({
    overview: { overview: answer, state: more.state ?? READY, askedAtMs: 1000 },
    jobs: { jobs: (group) => (group === 'running' ? [running] : []), job: () => running },
    nowMs: () => 1000 + (more.ageS ?? 0) * 1000,
    isLive: () => more.isLive ?? true,
  });
}

function linesOf(tree: EndpointsTree): string[] {
  return tree
    .children()
    .flatMap((node) => [
      lineOf(tree, node),
      ...tree.children(node).map((child) => `  ${lineOf(tree, child)}`),
    ]);
}

function lineOf(tree: EndpointsTree, node: Parameters<EndpointsTree['row']>[0]): string {
  const { icon, label, description } = tree.row(node);
  return [icon?.id ?? '', label, description].filter((part) => part !== '').join(' | ');
}

describe('the rows of the endpoints view', () => {
  it('say of one that is up what it serves, how full it is, where it is, and what it works on', () => {
    assert.deepEqual(linesOf(treeOf(overview({ endpoints: [endpoint()] }))), [
      'pass-filled | tower | llama.cpp · Qwen3.8-27B · 131k · 1/1 in use · local',
      '  symbol-misc | Qwen3.8-27B | 131k · tools',
      '  loading~spin | Fix the off-by-one in range()',
    ]);
  });

  it('say of one that is down why, in words, and what to try', () => {
    const down = endpoint({
      name: 'gpu-server',
      probe: probe({
        state: 'down',
        why: 'port_closed',
        message: 'gpu-server is up, but nothing listens on port 8000.',
        hint: 'Start the model server there.',
        models: [],
      }),
    });
    assert.deepEqual(linesOf(treeOf(overview({ endpoints: [down] }))), [
      'error | gpu-server | gpu-server is up, but nothing listens on port 8000.',
      '  error | gpu-server is up, but nothing listens on port 8000.',
      '  lightbulb | Start the model server there.',
    ]);
  });

  const pauses = [
    ['paused', 90, [], 'debug-pause', 'paused for 1:30'],
    ['trying', null, [], 'pass-filled', 'tried by one job'],
    ['partly', null, [{ model: 'glm-5', forS: 20 }], 'pass-filled', '1 model paused'],
  ] as const;
  for (const [state, forS, models, icon, text] of pauses) {
    it(`say that an endpoint is ${state}, and why`, () => {
      const reason = 'it does not answer';
      const tree = treeOf(
        overview({
          endpoints: [endpoint({ pause: { state, forS, reason, models: [...models] } })],
        }),
      );
      const [row] = tree.children().map((node) => tree.row(node));
      assert.equal(row?.icon?.id, icon);
      assert.match(row.description, new RegExp(`^${text} · llama.cpp`));
      assert.match(String(row.tooltip), /No job is sent there, or few: it does not answer/);
      for (const { model } of models) assert.match(String(row.tooltip), new RegExp(model));
    });
  }

  it('show unknown as unknown', () => {
    const gateway = endpoint({
      name: 'gateway',
      locality: 'unknown',
      maxConcurrent: null,
      inUse: 0,
      probe: probe({
        backend: 'litellm',
        models: [
          servedModel({ id: 'a', context: null, claimsTools: null }),
          servedModel({ id: 'b', claimsTools: false, loaded: false, warning: 'Small window.' }),
        ],
      }),
    });
    assert.deepEqual(linesOf(treeOf(overview({ endpoints: [gateway] }))), [
      'pass-filled | gateway | LiteLLM · 2 models · place unknown: not used for local-only',
      '  symbol-misc | a | window unknown · tools unknown',
      '  warning | b | 131k · no tools · not loaded · Small window.',
    ]);
  });

  it('never show an old answer as a live one', () => {
    const old = treeOf(overview({ endpoints: [endpoint()] }), { isLive: false, ageS: 190 });
    const [row] = old.children().map((node) => old.row(node));
    assert.match(row?.description ?? '', /^was up, asked 3 min ago · /);
    assert.equal(row?.icon?.id, 'question');
    assert.equal(row.contextValue, ';endpoint;old;');
    assert.doesNotMatch(row.accessibleLabel, /tower, up/);
  });

  it('put problems of the configuration and files without trust first, each with a way to mend it', () => {
    const tree = treeOf(
      overview({
        endpoints: [],
        untrusted: ['/repo/.delegate/models.yaml'],
        problems: [
          {
            file: '/home/ann/.config/delegation-bridge/models.yaml',
            line: 3,
            column: 5,
            severity: 'error',
            code: 'unknown_key',
            message: 'Unknown key base_ulr.',
            suggestion: 'base_url',
          },
        ],
      }),
    );
    assert.deepEqual(linesOf(tree), [
      'error | Unknown key base_ulr. | models.yaml:3 · base_url',
      'shield | models.yaml of this repository is not used | not trusted yet',
    ]);
    const [, untrusted] = tree.children();
    assert.ok(untrusted);
    assert.equal(tree.row(untrusted).command?.name, 'trustRepositorySettings');
  });

  it('say nothing of a guess that does not answer, and say that it is one when it does', () => {
    const guess = endpoint({ name: 'default' });
    const down = endpoint({ probe: probe({ state: 'down', message: 'x' }) });
    const rows = (each: ModelsOverview['endpoints'][number]): string[] =>
      linesOf(treeOf(overview({ isConfigured: false, endpoints: [each] })));
    assert.deepEqual(rows(down), []);
    assert.match(rows(guess)[0] ?? '', /not in models\.yaml/);
  });

  it('in Restricted Mode name what is configured and say that it was not asked', () => {
    const lines = linesOf(
      treeOf(overview({ isProbed: false, endpoints: [], configured: ['tower', 'cloud'] })),
    );
    assert.deepEqual(lines, [
      'circle-outline | tower | not asked in Restricted Mode',
      'circle-outline | cloud | not asked in Restricted Mode',
    ]);
  });

  it('keep what was known below an error, and leave a gone server to the line above them', () => {
    const failed = (errorKind: 'internal' | 'server_unavailable'): string[] =>
      linesOf(
        treeOf(overview({ endpoints: [endpoint()] }), {
          state: { kind: 'error', errorKind, message: 'It broke.', hint: 'Retry.' },
        }),
      );
    assert.equal(failed('internal')[0], 'error | It broke. | Retry.');
    assert.match(failed('internal')[1] ?? '', /^question \| tower/);
    assert.match(failed('server_unavailable')[0] ?? '', /^question \| tower/);
  });
});

describe('the rows of the pools view', () => {
  it('say how full each pool is and who waits', () => {
    const queued = feedJob({ id: 'job-2', task: 'Rename Foo to Bar' });
    const tree = new PoolsTree({
      overview: {
        state: READY,
        overview: overview({
          pools: [
            { name: 'glm-', slots: 6, inUse: 4, waiting: [] },
            {
              name: 'default',
              slots: 6,
              inUse: 6,
              waiting: [
                { jobId: 'job-2', position: 1, waitedS: 40 },
                { jobId: 'job-9', position: 2, waitedS: 4 },
              ],
            },
          ],
        }),
      },
      jobs: { job: (id) => (id === 'job-2' ? queued : null) },
    });
    const lines = tree.children().flatMap((node) => [node, ...tree.children(node)]);
    assert.deepEqual(
      lines.map((node) => tree.row(node).accessibleLabel),
      [
        'pool glm-, 4 of 6 places in use',
        'pool default, 6 of 6 places in use, full, 2 waiting',
        'Rename Foo to Bar, waiting, 1st in line',
        'A job of another repository, waiting, 2nd in line',
      ],
    );
  });
});
