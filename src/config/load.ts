import path from 'node:path';
import { checkConfig } from './check.ts';
import { checkFinding, type CheckFinding } from './checkFinding.ts';
import { ConfigFile, type ConfigFileState, type OpenText } from './configFile.ts';
import { wholeFileProblem } from './wholeFileProblem.ts';
import { formatPath } from './configPath.ts';
import { effectiveConfig } from './effectiveConfig.ts';
import { environmentLayers } from './envVars.ts';
import { absolutePaths } from './absolutePaths.ts';
import { failClosed } from './failClosed.ts';
import { type ConfigLayer, mergeLayers } from './mergeLayers.ts';
import { realPathOfDeepest } from './paths.ts';
import { placeFinding } from './placeFinding.ts';
import type { ConfigProblem } from './problem.ts';
import type { EffectiveConfig, ModelsFile } from './schema.ts';
import { sidecarPath } from './sidecarPath.ts';
import { privilegedHash } from './trust.ts';
import { userConfigFile } from './userConfigFile.ts';

export type ConfigRole = 'user' | 'user-sidecar' | 'workspace' | 'workspace-sidecar';

interface ConfigFileInfo {
  readonly path: string;
  readonly role: ConfigRole;
  readonly exists: boolean;
  /** Whether its settings count: it exists, is ours and, in a workspace, trusted. */
  readonly used: boolean;
  /** What `delegate trust` records for a workspace file as it is now; null for the user's own files. */
  readonly trustHash: string | null;
}

export interface LoadedConfig {
  readonly config: EffectiveConfig;
  readonly problems: readonly ConfigProblem[];
  /** Whether something in use is not what its file says now: the last good version, or a default in its place. */
  readonly stale: boolean;
  readonly files: readonly ConfigFileInfo[];
  /** Workspace files that were checked but are not used until they are trusted. */
  readonly untrusted: readonly string[];
  /** The file, `$VARIABLE` or `default` that set a key; `path` as formatPath() writes it. */
  origin(path: string): string;
  /** A finding about the whole as a problem at its place in the file that set the key. */
  place(finding: CheckFinding): ConfigProblem;
}

export interface ConfigLoaderOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string;
  /** `--config`. */
  readonly configFile?: string;
  /** Whether a workspace file (real path) with these privileged keys may be used; see trust.ts. */
  readonly trust: (file: string, hash: string) => boolean;
  readonly platform?: NodeJS.Platform;
  /** For editors: what they have open counts instead of what is on disk. */
  readonly openText?: OpenText;
}

interface Layered {
  readonly role: ConfigRole;
  readonly file: string;
  readonly state: ConfigFileState;
  /** What is taken from it: the good parts, and the strictest value for what cannot be read. */
  readonly value: ModelsFile;
  readonly problems: readonly ConfigProblem[];
  readonly isUsed: boolean;
}

/** As formatPath() writes it. */
const LAST_SEGMENT = /(\.[A-Za-z0-9_-]+|\[\d+\]|\["(?:[^"\\]|\\.)*"\])$/;

/**
 * Reads the configuration anew on every call. A file that is broken never makes load() throw: its good parts and what its
 * broken parts last said stay in use, and `problems` says where and why.
 */
export class ConfigLoader {
  readonly #options: ConfigLoaderOptions;
  readonly #files = new Map<string, ConfigFile>();

  constructor(options: ConfigLoaderOptions) {
    this.#options = options;
  }

  /** The user's models.yaml: `--config`, else `$DELEGATE_CONFIG`, else the one in the config dir. It need not exist. */
  get userFile(): string {
    const { platform = process.platform, ...options } = this.#options;
    return userConfigFile({ ...options, platform });
  }

  /** @param repoRoot root of the job's repository, whose models.yaml is the workspace layer; null: none. */
  load(repoRoot: string | null): LoadedConfig {
    const { env, homeDir, configFile } = this.#options;
    const userFile = this.userFile;
    const user = [this.#read('user', userFile), this.#read('user-sidecar', sidecarPath(userFile))];
    const workspace =
      repoRoot === null ? [] : this.#readWorkspace(path.join(repoRoot, 'models.yaml'), userFile);
    const all = [...user, ...workspace];

    const problems = all.flatMap((layer) => layer.problems);
    problems.push(...workspace.flatMap((layer) => userKeyProblems(layer, all)));
    const isChosen = configFile !== undefined || Boolean(env['DELEGATE_CONFIG']);
    if (isChosen && user[0]?.state.exists === false) {
      problems.push(wholeFileProblem(userFile, 'missing_file', 'the file does not exist'));
    }
    const toLayers = (layers: readonly Layered[]): ConfigLayer[] =>
      layers
        .filter((layer) => layer.isUsed)
        .map(({ file, value }) => ({
          source: file,
          value: absolutePaths(value, path.dirname(file), homeDir),
        }));
    const files = { user: toLayers(user), workspace: toLayers(workspace).map(withoutUserKeys) };
    const beforeEnvironment = mergeLayers({ ...files, environment: [] }).value;
    const hasFile = isChosen || all.some((layer) => layer.isUsed);
    const environment = environmentLayers(env, beforeEnvironment, hasFile);
    problems.push(...environment.problems);

    const merged = mergeLayers({ ...files, environment: environment.layers });
    const origin = (key: string): string => originOf(merged.origins, key);
    const findings = checkConfig(merged.value);
    const placeInWhole = (finding: CheckFinding): ConfigProblem =>
      place(finding, all, origin(formatPath(finding.path)));
    problems.push(...findings.map(placeInWhole));
    for (const layer of workspace.filter((item) => !item.isUsed && item.state.exists)) {
      problems.push(...checkConfig(layer.value).map((finding) => place(finding, all, layer.file)));
    }
    return {
      config: effectiveConfig(merged.value, findings),
      problems,
      stale:
        all.some((layer) => layer.isUsed && layer.state.isStale) ||
        findings.some((finding) => finding.severity === 'error'),
      files: all.map(({ role, file, state, isUsed }) => ({
        path: file,
        role,
        exists: state.exists,
        used: isUsed,
        trustHash:
          role.startsWith('workspace') && state.exists ? privilegedHash(state.value) : null,
      })),
      untrusted: workspace
        .filter((layer) => layer.state.exists && !layer.isUsed)
        .map((layer) => layer.file),
      origin,
      place: placeInWhole,
    };
  }

  #read(role: ConfigRole, file: string): Layered {
    const state = this.#file(file).read();
    const { value, warnings } = failClosed(state, file);
    const problems = [...state.problems, ...warnings];
    return { role, file, state, value, problems, isUsed: state.exists };
  }

  /** Empty when the repository's models.yaml is something else's file, or the user's own that is already read. */
  #readWorkspace(file: string, userFile: string): Layered[] {
    if (realPathOfDeepest(file) === realPathOfDeepest(userFile)) return [];
    const main = this.#read('workspace', file);
    if (!main.state.exists || !isOurs(main.state)) return [];
    const sidecar = this.#read('workspace-sidecar', sidecarPath(file));
    const isMainUsed = this.#isTrusted(main);
    return [
      { ...main, isUsed: isMainUsed },
      { ...sidecar, isUsed: isMainUsed && sidecar.state.exists && this.#isTrusted(sidecar) },
    ];
  }

  #isTrusted(layer: Layered): boolean {
    return this.#options.trust(realPathOfDeepest(layer.file), privilegedHash(layer.state.value));
  }

  #file(file: string): ConfigFile {
    const known = this.#files.get(file) ?? new ConfigFile(file, this.#options.openText);
    this.#files.set(file, known);
    return known;
  }
}

/** Where keys are kept is the user's own affair: no repository moves the place at which they are looked for. */
function withoutUserKeys({ source, value }: ConfigLayer): ConfigLayer {
  const { secrets: _, ...rest } = value;
  return { source, value: rest };
}

function userKeyProblems(layer: Layered, all: readonly Layered[]): ConfigProblem[] {
  if (layer.state.value.secrets === undefined) return [];
  const message = 'not active: "secrets" counts in your own models.yaml only';
  const finding = checkFinding('warning', 'not_active', ['secrets'], message, { at: 'key' });
  return [place(finding, all, layer.file)];
}

/** Other programs have a models.yaml too. One that cannot be parsed is judged by its text. */
function isOurs(state: ConfigFileState): boolean {
  const data = state.value;
  if (data.endpoints !== undefined || data.defaults !== undefined) return true;
  return state.text !== null && /^["']?(endpoints|defaults)["']?\s*:/m.test(state.text);
}

function place(finding: CheckFinding, layers: readonly Layered[], source: string): ConfigProblem {
  const parsed = layers.find((layer) => layer.file === source)?.state.parsed;
  return placeFinding(finding, source, parsed?.document ?? null, parsed?.lines ?? null);
}

function originOf(origins: ReadonlyMap<string, string>, key: string): string {
  // A list, and the map of keys of an endpoint, is set as a whole: what is inside has the origin of the whole.
  for (let current = key; current !== ''; current = current.replace(LAST_SEGMENT, '')) {
    const exact = origins.get(current);
    if (exact !== undefined) return exact;
    if (!LAST_SEGMENT.test(current)) break;
  }
  // A group: the layer that set the last of its keys.
  let group: string | undefined;
  for (const [known, source] of origins) {
    if (known.startsWith(`${key}.`) || known.startsWith(`${key}[`)) group = source;
  }
  return group ?? 'default';
}
