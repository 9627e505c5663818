import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { BridgeError } from '../../base/bridgeError.ts';
import { atomicWrite } from '../../config/atomicWrite.ts';
import { editModelsText } from '../../config/edit/editModelsText.ts';
import { realPathOfDeepest } from '../../config/paths.ts';
import type { BridgeContext } from '../bridgeContext.ts';
import type { SecretStore } from './secretStore.ts';

export interface MovedSecrets {
  readonly names: readonly string[];
  readonly keptIn: SecretStore['keptIn'];
  /** The models.yaml that says so now. */
  readonly file: string;
}

/** What a person does with the secrets. No value leaves by any of it. */
export class KeptSecrets {
  readonly #context: BridgeContext;

  constructor(context: BridgeContext) {
    this.#context = context;
  }

  /** Names alone; a value leaves the engine only in a request to its endpoint. */
  state(): { names: string[]; keptIn: SecretStore['keptIn'] } {
    const { secrets } = this.#context;
    return { names: secrets.names(), keptIn: secrets.keptIn };
  }

  async set(name: string, value: string): Promise<void> {
    this.#context.assertUnrestricted();
    await this.#context.secrets.set(name, value);
  }

  /** Whether there was one to delete. */
  async delete(name: string): Promise<boolean> {
    this.#context.assertUnrestricted();
    return this.#context.secrets.delete(name);
  }

  /**
   * Moves all secrets to the other place and has the user's models.yaml say so. What is kept now is deleted last, when every value has
   * been read back from where it went: whatever fails before leaves it in force.
   */
  async move(to: SecretStore['keptIn']): Promise<MovedSecrets> {
    this.#context.assertUnrestricted();
    const from = this.#context.secrets;
    const target = this.#context.secretStore(to);
    const file = this.#context.userConfigFile;
    if (from.keptIn === to) {
      throw new BridgeError('wrong_state', `Secrets are kept in the ${to} already.`);
    }
    const names = from.names();
    const [values, others] = await Promise.all([from.read(names), target.read(names)]);
    const differing = names.filter((name) => {
      const other = others.get(name);
      return other !== null && other !== values.get(name);
    });
    if (differing.length > 0) {
      throw new BridgeError('conflict', `The ${to} has other values for ${differing.join(', ')}.`, {
        hint: 'Delete them in one of the two places, then move again.',
      });
    }
    // Names in the list whose value somebody took out of the keychain have nothing to move.
    const kept = names.filter((name) => values.get(name) !== null);
    for (const name of kept) await target.set(name, values.get(name) ?? '');
    const again = await target.read(kept);
    const lost = kept.filter((name) => again.get(name) !== values.get(name));
    if (lost.length > 0) {
      throw new BridgeError('config_invalid', `The ${to} did not keep ${lost.join(', ')}.`, {
        hint: 'Nothing was taken away from where they are.',
      });
    }
    this.#writeSetting(file, to);
    for (const name of names) await from.delete(name);
    return { names: kept, keptIn: to, file };
  }

  #writeSetting(named: string, to: SecretStore['keptIn']): void {
    // A file that is a link (dotfiles in a repository) stays one.
    const file = realPathOfDeepest(named);
    const before = readOrEmpty(file);
    const edited = editModelsText(before, [{ kind: 'set', path: ['secrets'], value: to }]);
    if (!edited.isOk) {
      throw new BridgeError('config_invalid', `${file} was not changed: ${edited.message}`, {
        hint: `Write "secrets: ${to}" there, then move again. The secrets are in both places now.`,
      });
    }
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0o600;
    atomicWrite(file, edited.text, mode & 0o777);
    if (this.#context.secrets.keptIn === to) return;
    atomicWrite(file, before, mode & 0o777);
    throw new BridgeError('config_invalid', `Another file says "secrets", and wins over ${file}.`, {
      hint: `Correct models.local.yaml beside it, then move again. The secrets are in both places now.`,
    });
  }
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return '';
    throw error;
  }
}
