import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface ClaudeRun {
  /** Working directory of the session. */
  cwd: string;
  /** A scratch HOME; the real one is never read. */
  home: string;
  /** Where it sends its requests. */
  baseUrl: string;
  prompt: string;
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
}

export interface ClaudeMessage {
  type: string;
  subtype?: string;
  [field: string]: unknown;
}

export interface ClaudeOutcome {
  exitCode: number | null;
  messages: ClaudeMessage[];
  /** The last message of type "result". */
  result: ClaudeMessage & { result: string; is_error: boolean; session_id: string };
}

const CLAUDE = fileURLToPath(new URL('../../../node_modules/.bin/claude', import.meta.url));
/** A session that hangs is ended, so that it does not outlive its test. */
const TIMEOUT_MS = 110_000;
const TOOLS = 'Write,Edit,Read,Bash';

/** Runs the pinned Claude Code CLI to its end against a server on loopback, with nothing of this machine's own set-up. */
export async function runClaude(run: ClaudeRun): Promise<ClaudeOutcome> {
  const args = ['-p', '--model', 'some-model', '--output-format', 'stream-json', '--verbose'];
  args.push('--permission-mode', 'acceptEdits', '--tools', TOOLS, '--allowedTools', TOOLS);
  args.push('--setting-sources', '', '--strict-mcp-config', ...(run.args ?? []));
  const child = spawn(CLAUDE, args, {
    cwd: run.cwd,
    env: {
      PATH: process.env['PATH'],
      HOME: run.home,
      ANTHROPIC_BASE_URL: run.baseUrl,
      ANTHROPIC_API_KEY: 'not-a-key',
      CLAUDE_CODE_MAX_CONTEXT_TOKENS: '65536',
      CLAUDE_CODE_ATTRIBUTION_HEADER: '0',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      ...run.env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.end(run.prompt);
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  const messages = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ClaudeMessage);
  const result = messages.findLast((message) => message.type === 'result');
  if (result === undefined) throw new Error(`Claude Code ended without a result: ${stderr}`);
  return { exitCode, messages, result: result as ClaudeOutcome['result'] };
}

/** Names of the tools a session called, in order. */
export function toolCallsIn(messages: readonly ClaudeMessage[]): string[] {
  return messages.flatMap((message) => {
    const { content } = (message['message'] ?? {}) as {
      content?: { type: string; name: string }[];
    };
    if (message.type !== 'assistant' || !Array.isArray(content)) return [];
    return content.filter((block) => block.type === 'tool_use').map((block) => block.name);
  });
}
