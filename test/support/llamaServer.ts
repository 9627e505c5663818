import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ScriptStep } from '../../tools/scripted-model/scripted-model.mjs';
import { buildScriptedModel } from '../../tools/scripted-model/scripted-model.mjs';

export interface LlamaServerOptions {
  /** The program, from tools/llamaServer.mjs. */
  binary: string;
  /** Tool calls, then one text; see tools/scripted-model/README.md. */
  steps: readonly ScriptStep[];
  /**
   * `strict` refuses a system message after the first message, `adjacent` drops a tool result that does not directly
   * follow its call. Default `plain`.
   */
  template?: 'plain' | 'strict' | 'adjacent';
  /** Of all slots together, in tokens. Default 65536. */
  contextTokens?: number;
  /** Default 1. */
  slots?: number;
  apiKey?: string;
}

export interface LlamaServer {
  /** http://127.0.0.1:PORT */
  readonly url: string;
  /** What it wrote, for the message of a failed test. */
  output(): string;
  /** Ends the server with everything it started, and removes its model. */
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 30_000;
const TEMPLATES = {
  plain: 'template.jinja',
  strict: 'template-strict.jinja',
  adjacent: 'template-adjacent.jinja',
} as const;

/** Starts a real llama.cpp server with a model that plays `steps`; rejects with its output when it does not get ready. */
export async function startLlamaServer(options: LlamaServerOptions): Promise<LlamaServer> {
  const folder = await mkdtemp(join(tmpdir(), 'llama-server-'));
  const model = join(folder, 'scripted.gguf');
  const template = `../../tools/scripted-model/${TEMPLATES[options.template ?? 'plain']}`;
  const contextTokens = options.contextTokens ?? 65_536;
  await writeFile(
    model,
    buildScriptedModel({
      steps: options.steps,
      template: await readFile(fileURLToPath(new URL(template, import.meta.url)), 'utf8'),
    }),
  );
  const port = await freePort();
  const args = ['-m', model, '-c', String(contextTokens), '-np', String(options.slots ?? 1)];
  args.push('-t', '1', '--host', '127.0.0.1', '--port', String(port), '--alias', 'scripted');
  args.push('--metrics', ...(options.apiKey === undefined ? [] : ['--api-key', options.apiKey]));
  // In a process group of its own, so that it can be ended as a tree.
  const child = spawn(options.binary, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  let ended: string | null = null;
  const end = new Promise<void>((resolve) => {
    child.once('error', (error) => resolve(void (ended = error.message)));
    child.once('exit', (code, signal) => resolve(void (ended = `exit ${code ?? signal ?? ''}`)));
  });
  const killTree = (): void => {
    if (child.pid === undefined || ended !== null) return;
    process.kill(-child.pid, 'SIGKILL');
  };
  process.once('exit', killTree);
  const stop = async (): Promise<void> => {
    killTree();
    await end;
    process.off('exit', killTree);
    await rm(folder, { recursive: true, force: true });
  };

  const url = `http://127.0.0.1:${port}`;
  const deadlineMs = performance.now() + START_TIMEOUT_MS;
  while (!(await isReady(url))) {
    if (ended !== null || performance.now() > deadlineMs) {
      const why = ended ?? `not ready within ${START_TIMEOUT_MS / 1000} s`;
      await stop();
      throw new Error(`llama-server did not start (${why}):\n${output}`);
    }
    await delay(20);
  }
  return { url, output: () => output, stop };
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`)).status === 200;
  } catch {
    // Nothing listens yet.
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
