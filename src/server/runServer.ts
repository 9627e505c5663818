import type { Writable } from 'node:stream';
import { BridgeError } from '../base/bridgeError.ts';
import type { Caller } from '../bridge/bridgeTypes.ts';
import { completeArgument } from './completion.ts';
import { createBridge } from './createBridge.ts';
import { defaultCwd } from './defaultCwd.ts';
import { instructionsOf } from './instructions.ts';
import { LazyBridge } from './lazyBridge.ts';
import { connectMcpServer, type McpConnection } from './mcpSdk.ts';
import { profileTools } from './profileTools.ts';
import { getPrompt, listPrompts } from './prompts.ts';
import { Resources } from './resources.ts';
import { ServerLog } from './serverLog.ts';
import { parseServerOptions, type Profile, type ServerOptions } from './serverOptions.ts';
import { Subscriptions } from './subscriptions.ts';
import { type ErrorShape, ToolHost } from './toolHost.ts';
import { waitForEnd } from './waitForEnd.ts';

const ROOTS_TIMEOUT_MS = 2_000;
/** At most four notifications a second for one resource. */
const NOTIFICATION_GAP_MS = 250;
/** With the time until the store is looked at again a view is never more than 300 ms behind. */
const UI_GAP_MS = 200;
/** As the reference system of a profile has its errors. */
const ERROR_SHAPES: Readonly<Record<Profile, ErrorShape>> = {
  bridge: 'nested',
  ui: 'nested',
  localagents: 'flat',
  'delegate-local': 'text',
};
/** How long a leaving server finishes what calls have left to it. */
const SETTLE_MS = 5_000;

/**
 * Serves one MCP client over stdio until stdin ends, the parent is gone or a signal comes. Jobs go on without it.
 *
 * @param stdout the claimed stdout, see claimStdout()
 * @param distDir folder of the bundles
 * @returns the exit code
 */
export async function runServer(
  argv: readonly string[],
  stdout: Writable,
  distDir: string,
): Promise<number> {
  const now = (): Date => new Date();
  const log = new ServerLog(process.stderr, now);
  let options: ServerOptions;
  try {
    options = parseServerOptions(argv);
  } catch (error) {
    const { message, hint } = BridgeError.from(error);
    process.stderr.write(`${[message, hint].filter((part) => part !== '').join(' ')}\n`);
    return 1;
  }
  const session = await startSession(options, { stdout, distDir, log, now });
  const { reason, isDefect } = await waitForEnd(process, stdout);
  log.write(isDefect ? 'error' : 'info', 'server', `leaves: ${reason}`);
  await session.dispose();
  return isDefect ? 1 : 0;
}

async function startSession(
  options: ServerOptions,
  {
    stdout,
    distDir,
    log,
    now,
  }: { stdout: Writable; distDir: string; log: ServerLog; now: () => Date },
): Promise<{ dispose(): Promise<void> }> {
  const { env } = process;
  const bridge = new LazyBridge(async () => {
    const created = await createBridge({ ...options, env, distDir });
    if (!options.isRestricted) created.startAdmissionTimer();
    return created;
  });
  const logError = (error: unknown): void =>
    log.write('warning', 'mcp', BridgeError.from(error).message);
  let connection: McpConnection | null = null;
  const cwd = (): Promise<string> =>
    defaultCwd({
      env,
      listRoots: async () => (await connection?.listRoots(ROOTS_TIMEOUT_MS)) ?? [],
      processCwd: () => process.cwd(),
      onError: logError,
    });
  const { offered, withheld } = await profileTools(options.profile, options.isRestricted, env);
  const tools = new ToolHost({
    tools: offered,
    withheld,
    bridge,
    caller: () => callerOf(options, connection, env),
    defaultCwd: cwd,
    progressIntervalMs: options.progressIntervalMs,
    log,
    now,
    errorShape: ERROR_SHAPES[options.profile],
    answerSize: options.profile === 'ui' ? 'whole' : 'bounded',
  });
  const resources = new Resources(() => bridge.get(), cwd, now);
  const subscriptions = new Subscriptions({
    bridge: () => bridge.get(),
    notify: (uri) => connection?.resourceUpdated(uri),
    minGapMs: options.profile === 'ui' ? UI_GAP_MS : NOTIFICATION_GAP_MS,
    cwd,
  });
  connection = await connectMcpServer({
    version: process.env['DELEGATE_VERSION'] ?? 'development',
    instructions: instructionsOf(options.profile),
    stdin: process.stdin,
    stdout,
    onError: logError,
    handlers: {
      listTools: () => tools.list(),
      callTool: (name, args, scope) => tools.call(name, args, scope),
      listResources: () => resources.list(),
      listResourceTemplates: () => resources.templates(),
      readResource: (uri) => resources.read(uri),
      subscribe: (uri) => subscriptions.subscribe(uri),
      unsubscribe: (uri) => subscriptions.unsubscribe(uri),
      listPrompts,
      getPrompt: async (name, args) => getPrompt(name, args),
      complete: async (argument, typed) =>
        completeArgument(argument, typed, await bridge.get(), await cwd()),
    },
  });
  return {
    dispose: async () => {
      subscriptions.dispose();
      await Promise.race([tools.settle(), delay(SETTLE_MS)]);
      await bridge.dispose();
    },
  };
}

/** In the ui profile a person presses the buttons; else it is the model of whatever client has greeted. */
function callerOf(
  options: ServerOptions,
  connection: McpConnection | null,
  env: NodeJS.ProcessEnv,
): Caller {
  if (options.profile === 'ui') {
    return { kind: 'person', name: 'vscode', session: null, pid: process.ppid };
  }
  return {
    kind: 'agent',
    name: connection?.clientName() ?? 'unknown',
    session: env['CLAUDE_CODE_SESSION_ID'] ?? null,
    pid: process.ppid,
  };
}

function delay(timeMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, timeMs);
  });
}
