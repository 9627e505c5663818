import { PrefixMeter } from '../../src/bridge/gateway/prefixMeter.ts';
import { startRehearsal } from '../../src/rehearsal/startRehearsal.ts';
import { runClaude } from '../integration/rehearsal/runClaude.ts';
import { bridgeWorld, PERSON, script } from '../support/bridgeWorld.ts';
import type { Figure } from './figure.ts';

const TURNS = 10;
const TASK = script(
  ...Array.from({ length: TURNS - 1 }, (_, turn) => `run: echo "output of turn ${turn}"`),
  'say: Done.',
);

/**
 * How much of each request's prompt (system, tools, messages as JSON) is, byte for byte, the beginning of the next one: what a
 * server's prompt cache can keep. A ten-turn job of the real Claude Code through the gateway, as requests.jsonl has it
 * (`common_prefix_bytes / prev_bytes`), beside a bare session with the same brief that goes straight to the endpoint, measured
 * there: without the gateway's rewrites. One value per pair of consecutive requests.
 */
export async function keptPrefix(runs: number): Promise<Figure[]> {
  const direct = new DirectMeter();
  const endpoint = await startRehearsal({
    onRequest: ({ path, body }) => {
      if (path === '/v1/messages') direct.add(body);
    },
  });
  const world = await bridgeWorld({
    models: `endpoints:\n  rehearsal: { base_url: ${endpoint.url} }\n`,
  });
  const ours: number[] = [];
  try {
    for (let run = 0; run < runs; run += 1) {
      const job = await world.run({ task: TASK }, PERSON);
      if (job.status !== 'done') throw new Error(`the job ended as ${job.status}`);
      ours.push(...keptShares(world.log(job.id, 'requests.jsonl')));
      direct.isOn = true;
      await runClaude({
        cwd: world.repo.root,
        home: world.repo.home,
        baseUrl: endpoint.url,
        prompt: TASK,
      });
      direct.isOn = false;
    }
  } finally {
    await world.dispose();
    await endpoint.close();
  }
  return [
    {
      name: 'kept prefix of consecutive requests',
      unit: 'share',
      ours,
      beside: { what: 'the same session straight to the endpoint', values: direct.shares },
    },
  ];
}

class DirectMeter {
  readonly shares: number[] = [];
  isOn = false;
  readonly #meter = new PrefixMeter();

  add(body: Record<string, unknown>): void {
    if (!this.isOn) return;
    const measured = this.#meter.measure(body);
    if (measured !== null) this.shares.push(measured.commonPrefixBytes / measured.prevBytes);
  }
}

function keptShares(requests: string): number[] {
  return requests
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { common_prefix_bytes: number | null; prev_bytes: number })
    .flatMap(({ common_prefix_bytes: kept, prev_bytes: size }) =>
      kept === null ? [] : [kept / size],
    );
}
