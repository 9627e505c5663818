import { statSync } from 'node:fs';
import { join } from 'node:path';
import { sidecarPath } from '../config/sidecarPath.ts';
import type { BridgeContext } from './bridgeContext.ts';
import { repositoryTop } from './repositoryTop.ts';

const POLL_MS = 500;

/**
 * Looks at the few files that say which endpoints there are: the user's models.yaml, that of the repository, what is written beside
 * them, which of them are trusted, and the keys. By polling: such files are replaced, created and linked, and watchers lose them then.
 */
export class ConfigWatcher {
  readonly #files: readonly string[];
  readonly #timer: NodeJS.Timeout;
  #seen: string;

  constructor(
    context: Pick<BridgeContext, 'userConfigFile' | 'trust' | 'secretFiles'>,
    cwd: string,
    listener: () => void,
  ) {
    const models = [context.userConfigFile, join(repositoryTop(cwd), 'models.yaml')];
    this.#files = [
      ...models,
      ...models.map((file) => sidecarPath(file)),
      context.trust.file,
      ...context.secretFiles,
    ];
    this.#seen = this.#look();
    this.#timer = setInterval(() => {
      const present = this.#look();
      if (present === this.#seen) return;
      this.#seen = present;
      listener();
    }, POLL_MS);
    this.#timer.unref();
  }

  dispose(): void {
    clearInterval(this.#timer);
  }

  #look(): string {
    return this.#files.map(stampOf).join(' ');
  }
}

function stampOf(file: string): string {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    return found === undefined ? '' : `${found.ino}:${found.size}:${found.mtimeMs}`;
  } catch (error) {
    // A folder that may not be looked into is a state like any other.
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}
