import { spawnSync } from 'node:child_process';
import { VERSIONS } from './versions.mjs';

const SETUP_LIMIT_MS = 10 * 60_000;
/** setup.sh: something cannot be had on this machine. */
const UNAVAILABLE = 75;

/** Puts that VS Code on this machine where it is missing. Returns null, or why it cannot be had here. */
export function setUp(vscode, { withFonts = false } = {}) {
  const { codeServer, node } = VERSIONS[vscode];
  // npm's own variables describe this project; setup.sh installs into other folders.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^npm_(package|lifecycle|command|execpath|config_(local|global)_prefix)/.test(name),
    ),
  );
  const setup = spawnSync(
    'bash',
    ['tools/vscode-host/setup.sh', codeServer, node, ...(withFonts ? ['fonts'] : [])],
    {
      env,
      timeout: SETUP_LIMIT_MS,
      stdio: ['ignore', 'inherit', 'pipe'],
      encoding: 'utf8',
    },
  );
  process.stderr.write(setup.stderr ?? '');
  if (setup.status === 0) return null;
  if (setup.status === UNAVAILABLE) return setup.stderr.trim().split('\n').at(-1);
  throw new Error(
    `tools/vscode-host/setup.sh failed (${setup.error?.message ?? setup.signal ?? setup.status})`,
  );
}
