import { BridgeError } from '../../base/bridgeError.ts';
import { sanitiseLine } from '../../base/sanitise.ts';
import { cleanEnv } from '../processes/cleanEnv.ts';
import { type Keychain, KEYCHAIN_SERVICE } from './keychain.ts';
import { type KeychainAnswer, runKeychainProgram } from './runKeychainProgram.ts';

const PROGRAM = '/usr/bin/security';
const LIMIT_MS = 30_000;
/** errSecItemNotFound, as an exit status. */
const NOT_FOUND = 44;
/** `security -i` reads lines of at most 4096 bytes, the rest of the command included. */
const MAX_VALUE_BYTES = 3_000;
/** What needs no quotes in a line of `security -i`, and is printed again as it is. */
const PLAIN = /^[A-Za-z0-9._~+/=:@%-]+$/;
const ENCODED = 'base64:';

/** The login keychain of macOS, through `security`. */
export class MacKeychain implements Keychain {
  readonly #env: NodeJS.ProcessEnv;
  readonly #program: string;

  constructor(env: NodeJS.ProcessEnv, program = PROGRAM) {
    this.#env = env;
    this.#program = program;
  }

  async get(name: string): Promise<string | null> {
    const answer = await this.#run(['find-generic-password', ...item(name), '-w']);
    if (answer.code === NOT_FOUND) return null;
    if (answer.code !== 0) throw failure(answer);
    return decoded(answer.stdout.replace(/\n$/, ''));
  }

  /** Its exit status is that of the program, not of the line it read, so what was kept is read again. */
  async set(name: string, value: string): Promise<void> {
    const text = PLAIN.test(value) && !value.startsWith(ENCODED) ? value : encoded(value);
    if (text.length > MAX_VALUE_BYTES) {
      throw new BridgeError('bad_argument', `The secret "${name}" is too long for the keychain.`, {
        hint: 'Keep it in the secret file ("secrets: file" in models.yaml).',
      });
    }
    const line = ['add-generic-password', '-U', ...item(name), '-w', text].join(' ');
    const answer = await this.#run(['-i'], `${line}\n`);
    if (answer.code !== 0 || (await this.get(name)) !== value) throw failure(answer);
  }

  async delete(name: string): Promise<void> {
    const answer = await this.#run(['delete-generic-password', ...item(name)]);
    if (answer.code !== 0 && answer.code !== NOT_FOUND) throw failure(answer);
  }

  #run(args: readonly string[], input?: string): Promise<KeychainAnswer> {
    return runKeychainProgram({
      program: this.#program,
      args,
      env: cleanEnv(this.#env),
      timeoutMs: LIMIT_MS,
      ...(input === undefined ? {} : { input }),
    });
  }
}

/** A name has only letters, digits, dots, dashes and underscores, so it needs no quotes. */
function item(name: string): string[] {
  return ['-a', name, '-s', KEYCHAIN_SERVICE];
}

function encoded(value: string): string {
  return ENCODED + Buffer.from(value, 'utf8').toString('base64');
}

function decoded(text: string): string {
  return text.startsWith(ENCODED)
    ? Buffer.from(text.slice(ENCODED.length), 'base64').toString('utf8')
    : text;
}

function failure({ code, stderr }: KeychainAnswer): BridgeError {
  const said = sanitiseLine(stderr, 200);
  const isLocked = /interaction is not allowed|locked|auth(entication)? failed/i.test(said);
  const what = isLocked
    ? 'The keychain is locked.'
    : `The keychain refused (exit status ${code ?? 'none'}).`;
  return new BridgeError('config_invalid', said === '' ? what : `${what} security said: ${said}`, {
    hint: isLocked
      ? 'Unlock it ("security unlock-keychain"), or set "secrets: file" in models.yaml.'
      : 'Look at it in Keychain Access, or set "secrets: file" in models.yaml.',
  });
}
