import path from 'node:path';
import { closestName } from './closestName.ts';
import type { ConfigPath } from './configPath.ts';
import { wholeFileProblem } from './wholeFileProblem.ts';
import { describeIssue } from './describeIssue.ts';
import { environmentEndpoint, otherGateway } from './envEndpoint.ts';
import {
  CONCURRENCY_PREFIX,
  FACT_VARIABLES,
  IGNORED_VARIABLES,
  MAPPED_VARIABLES,
  OWN_VARIABLES,
  USUAL_POOLS,
  type VariableKind,
} from './envTable.ts';
import type { ConfigLayer } from './mergeLayers.ts';
import type { ConfigProblem } from './problem.ts';
import { type ModelsFile, modelsFileSchema } from './schema.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What the DELEGATE_* variables set, one layer for each variable, and what is wrong with them. A variable that is empty
 * counts as not set; one with a value that cannot be used is reported and sets nothing.
 * @param files the configuration of all files, to find the pools and endpoints that variables mean.
 */
export function environmentLayers(
  env: Environment,
  files: ModelsFile,
  hasFile: boolean,
): { layers: ConfigLayer[]; problems: ConfigProblem[] } {
  const endpoint = environmentEndpoint(env, files, hasFile);
  const layers: ConfigLayer[] = [...endpoint.layers];
  const problems: ConfigProblem[] = [...endpoint.problems];
  const report = (name: string, message: string): void => {
    // A warning: what holds instead is what would hold without the variable.
    problems.push({
      ...wholeFileProblem(`$${name}`, 'bad_variable', `${message}; it is ignored`),
      severity: 'warning',
    });
  };
  for (const [name, text] of setVariables(env)) {
    const fact = lookUp(FACT_VARIABLES, name);
    if (fact !== undefined) {
      const value = lookUp(fact.values, text.trim().toLowerCase());
      if (value === undefined)
        report(name, `must be one of ${Object.keys(fact.values).join(', ')}`);
      else if (value !== null)
        layers.push({ source: `$${name}`, value: factOfAll(fact.fact, value, files) });
      continue;
    }
    const target = targetOf(name, files);
    if (target === null) continue;
    const value = readValue(text, target.kind);
    const layer = nest(target.path, value);
    const checked = modelsFileSchema.safeParse(layer);
    if (!checked.success) {
      const [finding] = checked.error.issues.flatMap((issue) => describeIssue(issue, layer));
      report(name, finding?.message ?? 'the value cannot be used');
    } else if (target.kind === 'path' && !isFixedPath(value)) {
      report(name, 'must be an absolute path, or one that begins with "~/"');
    } else layers.push({ source: `$${name}`, value: layer });
  }
  return { layers, problems };
}

/** Variables win over files, so a fact that a file states of some models is overruled for them, too. */
function factOfAll(
  fact: 'prompt_cache' | 'resend_reasoning',
  value: string | boolean,
  files: ModelsFile,
): ModelsFile {
  const patterns = Object.entries(files.models ?? {}).filter(([, facts]) => fact in facts);
  const names = ['*', ...patterns.map(([pattern]) => pattern)];
  return { models: Object.fromEntries(names.map((pattern) => [pattern, { [fact]: value }])) };
}

function isFixedPath(value: unknown): boolean {
  return typeof value === 'string' && (path.isAbsolute(value) || /^~([\\/]|$)/.test(value));
}

/** What one variable of the environment does, for `delegate doctor`. */
export interface VariableUse {
  readonly name: string;
  readonly use: 'sets' | 'ignored' | 'unknown';
  /** The key that it sets, what it is for, why it is ignored, or the name that was probably meant (may be empty). */
  readonly text: string;
}

/** Every DELEGATE_* variable that is set, in order of name; values are not repeated. */
export function describeVariables(env: Environment): VariableUse[] {
  const known = [
    ...Object.keys(MAPPED_VARIABLES),
    ...Object.keys(FACT_VARIABLES),
    ...Object.keys(OWN_VARIABLES),
    ...Object.keys(IGNORED_VARIABLES),
  ];
  return setVariables(env).map(([name]): VariableUse => {
    const target = targetOf(name, {});
    if (target !== null) return { name, use: 'sets', text: target.path.join('.') };
    const fact = lookUp(FACT_VARIABLES, name);
    if (fact !== undefined) return { name, use: 'sets', text: `models.*.${fact.fact}` };
    const passedOver = otherGateway(env, name);
    if (passedOver !== null) return { name, use: 'ignored', text: passedOver };
    const own = lookUp(OWN_VARIABLES, name);
    if (own !== undefined) return { name, use: 'sets', text: own };
    const reason = lookUp(IGNORED_VARIABLES, name);
    if (reason !== undefined) return { name, use: 'ignored', text: reason };
    return { name, use: 'unknown', text: closestName(name, known) ?? '' };
  });
}

function setVariables(env: Environment): [string, string][] {
  return Object.entries(env)
    .filter(
      (entry): entry is [string, string] =>
        entry[0].startsWith('DELEGATE_') && (entry[1] ?? '').trim() !== '',
    )
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function targetOf(
  name: string,
  files: ModelsFile,
): { path: ConfigPath; kind: VariableKind } | null {
  const mapped = lookUp(MAPPED_VARIABLES, name);
  if (mapped !== undefined) return mapped;
  if (!name.startsWith(CONCURRENCY_PREFIX)) return null;
  const bucket = name.slice(CONCURRENCY_PREFIX.length);
  if (bucket === '') return null;
  const pools = ['default', ...Object.keys(files.pools ?? {}), ...USUAL_POOLS];
  const pool =
    pools.find((prefix) => bucketOf(prefix) === bucket) ??
    bucket.toLowerCase().replaceAll('_', '-');
  return { path: ['pools', pool, 'slots'], kind: 'number' };
}

/** `glm-` -> `GLM`, as the variables spell the prefix of a pool. */
function bucketOf(prefix: string): string {
  return prefix
    .replace(/^[-_]+|[-_]+$/g, '')
    .replaceAll('-', '_')
    .toUpperCase();
}

/** The text as what the key wants; a text that does not fit is left as it is, and the schema words what is wrong. */
function readValue(text: string, kind: VariableKind): unknown {
  const trimmed = text.trim();
  if (kind === 'list')
    return trimmed
      .split(/[,\n]/)
      .map((item) => item.trim())
      .filter((item) => item !== '');
  if (kind === 'number') return /^-?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : trimmed;
  if (kind === 'boolean') {
    if (/^(1|true|yes|on)$/i.test(trimmed)) return true;
    if (/^(0|false|no|off)$/i.test(trimmed)) return false;
  }
  return trimmed;
}

function nest(path: ConfigPath, value: unknown): Record<string, unknown> {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Record<
    string,
    unknown
  >;
}

function lookUp<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
