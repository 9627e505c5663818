import { existsSync } from 'node:fs';
import { BridgeError } from '../../base/bridgeError.ts';
import { sanitiseLine } from '../../base/sanitise.ts';
import { cleanEnv } from '../processes/cleanEnv.ts';
import { findProgram } from '../processes/findProgram.ts';
import { type Keychain, KEYCHAIN_SERVICE } from './keychain.ts';
import { type KeychainAnswer, runKeychainProgram } from './runKeychainProgram.ts';

const PROGRAM = 'secret-tool';
const LIMIT_MS = 30_000;
/** What is longer it cuts off without a word (tried with 0.20). */
const MAX_VALUE_BYTES = 8_000;
/** How to reach the session bus and the person's screen; for this program alone. */
const SESSION_VARIABLES = ['DBUS_SESSION_BUS_ADDRESS', 'DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY'];

/** The Secret Service of a Linux desktop (GNOME Keyring, KWallet, KeePassXC), through libsecret's `secret-tool`. */
export class Libsecret implements Keychain {
  readonly #env: NodeJS.ProcessEnv;
  readonly #timeoutMs: number;

  constructor(env: NodeJS.ProcessEnv, timeoutMs = LIMIT_MS) {
    this.#env = env;
    this.#timeoutMs = timeoutMs;
  }

  async get(name: string): Promise<string | null> {
    const answer = await this.#run(['lookup', ...attributes(name)]);
    if (answer.code === 0) return answer.stdout;
    // "Not found" is said by the exit status alone, and so is "locked, and nobody could be asked to unlock it".
    if (answer.code !== 1 || answer.stderr.trim() !== '') throw failure(answer);
    if (await this.#isThere(name)) throw locked();
    return null;
  }

  async set(name: string, value: string): Promise<void> {
    if (Buffer.byteLength(value) > MAX_VALUE_BYTES) {
      throw new BridgeError('bad_argument', `The secret "${name}" is too long for the keychain.`, {
        hint: 'Keep it in the secret file ("secrets: file" in models.yaml).',
      });
    }
    const label = `--label=Delegation Bridge: ${name}`;
    const answer = await this.#run(['store', label, ...attributes(name)], value);
    if (answer.code !== 0) throw failure(answer);
  }

  async delete(name: string): Promise<void> {
    const answer = await this.#run(['clear', ...attributes(name)]);
    if (answer.code !== 0 && answer.stderr.trim() !== '') throw failure(answer);
    if (await this.#isThere(name)) throw locked();
  }

  /** Of a locked keychain, too, it is known what is in it. */
  async #isThere(name: string): Promise<boolean> {
    const answer = await this.#run(['search', ...attributes(name)]);
    return answer.stdout.trim() !== '';
  }

  async #run(args: readonly string[], input?: string): Promise<KeychainAnswer> {
    const program = await findProgram(PROGRAM, this.#env, '/');
    if (program === null) {
      throw new BridgeError(
        'config_invalid',
        `${PROGRAM} is not installed, so the keychain cannot be asked.`,
        {
          hint: 'Install libsecret-tools (Debian, Ubuntu) or libsecret (Fedora, Arch), or set "secrets: file" in models.yaml.',
        },
      );
    }
    return runKeychainProgram({
      program,
      args,
      env: sessionEnv(this.#env),
      timeoutMs: this.#timeoutMs,
      ...(input === undefined ? {} : { input }),
    });
  }
}

function attributes(name: string): string[] {
  return ['application', KEYCHAIN_SERVICE, 'name', name];
}

function sessionEnv(env: NodeJS.ProcessEnv): Record<string, string> {
  const clean: Record<string, string> = { ...cleanEnv(env), LC_ALL: 'C.UTF-8' };
  for (const name of SESSION_VARIABLES) {
    const value = env[name];
    if (value !== undefined && value !== '') clean[name] = value;
  }
  // An MCP client may start us with a handful of variables; the bus of the user is at a known place.
  const bus = `/run/user/${process.getuid?.() ?? ''}/bus`;
  if (clean['DBUS_SESSION_BUS_ADDRESS'] === undefined && existsSync(bus))
    clean['DBUS_SESSION_BUS_ADDRESS'] = `unix:path=${bus}`;
  return clean;
}

const OR_FILE = 'or set "secrets: file" in models.yaml.';

/** What the program says, and what it means. */
const MEANINGS: readonly (readonly [said: RegExp, message: string, hint: string])[] = [
  [
    /autolaunch|Could not connect|Cannot spawn a message bus|Connection refused/i,
    'There is no session bus, so the keychain cannot be asked.',
    `Start from a desktop session (DBUS_SESSION_BUS_ADDRESS has to be set), ${OR_FILE}`,
  ],
  [
    /was not provided|ServiceUnknown|not activatable/i,
    'No program offers a keychain in this session.',
    `Start one, such as gnome-keyring or KWallet, ${OR_FILE}`,
  ],
  [
    /locked|dismissed|prompt|Object does not exist|No such object/i,
    'The keychain is locked, or has no default collection.',
    `Unlock it, ${OR_FILE}`,
  ],
];

function locked(): BridgeError {
  return new BridgeError('config_invalid', 'The keychain is locked.', {
    hint: `Unlock it, ${OR_FILE}`,
  });
}

/** What went wrong, in words; what the program said is shown, its output never. */
function failure({ code, stderr }: KeychainAnswer): BridgeError {
  const said = sanitiseLine(stderr, 200);
  const [, message, hint] = MEANINGS.find(([pattern]) => pattern.test(said)) ?? [
    null,
    `The keychain refused (exit status ${code ?? 'none'}).`,
    `Look at it, ${OR_FILE}`,
  ];
  const whole = said === '' ? message : `${message} It said: ${said}`;
  return new BridgeError('config_invalid', whole, { hint });
}
