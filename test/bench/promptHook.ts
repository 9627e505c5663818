import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../support/bridgeWorld.ts';
import type { Figure } from './figure.ts';

const SCRIPT = join(ROOT, 'media/claude-code/prompt-hook.sh');
const INPUT = JSON.stringify({
  session_id: 'bench',
  transcript_path: '/nowhere',
  cwd: '/',
  hook_event_name: 'UserPromptSubmit',
  prompt: 'Fix the parser first. Then please delegate the port of the tests to the local model.',
});

/**
 * The whole life of the prompt hook on a prompt that it answers, beside `sh -c :`, which any hook of Claude Code costs, and beside
 * `node -e 0`, which a hook in JavaScript would cost at least.
 */
export async function promptHook(runs: number): Promise<Figure[]> {
  const hook: number[] = [];
  const shell: number[] = [];
  const node: number[] = [];
  for (let run = -1; run < runs; run += 1) {
    const took = [
      lifeOf('sh', [SCRIPT], 'hookSpecificOutput'),
      lifeOf('sh', ['-c', ':'], ''),
      lifeOf(process.execPath, ['-e', '0'], ''),
    ];
    if (run < 0) continue;
    hook.push(took[0] ?? 0);
    shell.push(took[1] ?? 0);
    node.push(took[2] ?? 0);
  }
  const figure = { name: 'prompt hook', unit: 'ms' as const, ours: hook };
  return [
    { ...figure, beside: { what: 'sh -c :', values: shell } },
    { ...figure, beside: { what: 'node -e 0', values: node } },
  ];
}

function lifeOf(program: string, args: readonly string[], expected: string): number {
  const startedMs = performance.now();
  const { stdout, status } = spawnSync(program, args, { input: INPUT, encoding: 'utf8' });
  const tookMs = performance.now() - startedMs;
  if (status !== 0 || !stdout.includes(expected)) throw new Error(`${program} did not answer`);
  return tookMs;
}
