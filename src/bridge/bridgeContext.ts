import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BridgeError } from '../base/bridgeError.ts';
import { ConfigLoader, type LoadedConfig } from '../config/load.ts';
import { configDir, prepareStateDir, stateDir } from '../config/paths.ts';
import { SecretNames } from '../config/secretNames.ts';
import { SecretFile } from '../config/secrets.ts';
import { TrustFile } from '../config/trust.ts';
import type { EndpointProbe } from './endpoints/endpointProbe.ts';
import { JobStore } from './jobs/jobStore.ts';
import { FileStore } from './secrets/fileStore.ts';
import { KeychainStore } from './secrets/keychainStore.ts';
import { openKeychain } from './secrets/openKeychain.ts';
import type { SecretStore } from './secrets/secretStore.ts';
import type { GitRunner } from './worktrees/gitRunner.ts';
import { openGit } from './worktrees/lfs.ts';
import { tryFindRepository } from './worktrees/repository.ts';

export interface ContextOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly homeDir: string;
  /** What `--config` named; null: the usual look-up. */
  readonly configFile: string | null;
  /** An untrusted window: workspace files are shown and never used. */
  readonly isRestricted: boolean;
}

/** What every process of the bridge works with: the folders, the store, the configuration, the secrets, git. */
export class BridgeContext {
  readonly env: NodeJS.ProcessEnv;
  readonly homeDir: string;
  readonly stateDir: string;
  readonly configDir: string;
  readonly configFile: string | null;
  readonly trust: TrustFile;
  /** Questions to endpoints that have no answer yet, by what is asked: tasks of a batch need not each ask. */
  readonly probesUnderWay = new Map<string, Promise<EndpointProbe>>();
  readonly #isRestricted: boolean;
  #store: JobStore | null = null;
  #git: Promise<GitRunner> | null = null;
  readonly #loader: ConfigLoader;
  readonly #secretFile: SecretFile;
  readonly #secretNames: SecretNames;

  constructor(options: ContextOptions) {
    const { env, homeDir, configFile } = options;
    if (homeDir === '') {
      throw new BridgeError('state_dir_invalid', 'There is no home folder.', { hint: 'Set HOME.' });
    }
    this.env = env;
    this.homeDir = homeDir;
    this.configFile = configFile;
    this.#isRestricted = options.isRestricted;
    this.stateDir = stateDir(env, homeDir, process.platform);
    this.configDir = configDir(env, homeDir, process.platform);
    prepareStateDir(this.stateDir);
    for (const name of ['locks', 'jobs']) {
      mkdirSync(join(this.stateDir, name), { recursive: true, mode: 0o700 });
    }
    this.#secretFile = new SecretFile(this.configDir);
    this.#secretNames = new SecretNames(this.configDir);
    this.trust = new TrustFile(this.stateDir);
    this.#loader = new ConfigLoader({
      env,
      homeDir,
      ...(configFile === null ? {} : { configFile }),
      trust: (file, hash) => !this.#isRestricted && this.trust.isTrusted(file, hash),
    });
  }

  /** The user's models.yaml, whether or not it exists. */
  get userConfigFile(): string {
    return this.#loader.userFile;
  }

  get isRestricted(): boolean {
    return this.#isRestricted;
  }

  /** In an untrusted window nothing is run, probed or changed: looked at in code, whatever a client offers. */
  assertUnrestricted(): void {
    if (!this.#isRestricted) return;
    throw new BridgeError(
      'restricted',
      'This window is not trusted, so nothing is run, probed or changed.',
      {
        hint: 'Trust the workspace in VS Code, then try again.',
      },
    );
  }

  /** Where the user's own models.yaml says that secrets are kept; a repository has no say in it. */
  get secrets(): SecretStore {
    return this.secretStore(this.loadConfig(null).config.secrets);
  }

  secretStore(place: SecretStore['keptIn']): SecretStore {
    return place === 'file'
      ? new FileStore(this.#secretFile)
      : new KeychainStore(openKeychain(this.env, process.platform), this.#secretNames);
  }

  /** Files that change when a secret is kept or deleted. */
  get secretFiles(): readonly string[] {
    return [this.#secretFile.file, this.#secretNames.file];
  }

  get store(): JobStore {
    this.#store ??= new JobStore(this.stateDir);
    return this.#store;
  }

  git(): Promise<GitRunner> {
    this.#git ??= openGit({
      env: this.env,
      cwd: this.stateDir,
      runsFilters: !this.#isRestricted,
    });
    return this.#git;
  }

  /** The repository that a folder is in; null: in none. */
  async repoRootOf(cwd: string): Promise<string | null> {
    const repository = await tryFindRepository(await this.git(), cwd);
    return repository?.repoRoot ?? null;
  }

  /** The same for a folder that somebody else has named and that may be gone. */
  async repoRootIfThere(cwd: string): Promise<string | null> {
    return existsSync(cwd) ? this.repoRootOf(cwd) : null;
  }

  /** Read again on every call: edits take effect at once. The repository of the job decides about workspace files. */
  loadConfig(repoRoot: string | null): LoadedConfig {
    return this.#loader.load(repoRoot);
  }

  dispose(): void {
    this.#store?.close();
    this.#store = null;
  }
}
