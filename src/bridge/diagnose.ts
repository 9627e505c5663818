import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { EffectiveConfig } from '../config/schema.ts';
import { effectiveValues } from '../config/effectiveValues.ts';
import { describeVariables } from '../config/envVars.ts';
import { servedProblems } from '../config/servedProblems.ts';
import { placesOf } from './agents/placesOf.ts';
import { surveyAgents } from './agents/surveyAgents.ts';
import type { BridgeContext } from './bridgeContext.ts';
import type { DoctorReport } from './bridgeTypes.ts';
import { LIVE_STATUSES } from './jobs/status.ts';
import { cleanEnv } from './processes/cleanEnv.ts';
import { findProgram } from './processes/findProgram.ts';
import { servedFacts } from './servedFacts.ts';
import { surveyEndpoints } from './surveyEndpoints.ts';

const run = promisify(execFile);
const VERSION_LIMIT_MS = 10_000;

/** What is in force, where it came from and what is wrong with it, also in the light of what the endpoints say; no value of a secret is part of it. */
export async function diagnose(
  context: BridgeContext,
  version: string,
  { folder, repoRoot }: { readonly folder: string; readonly repoRoot: string | null },
): Promise<DoctorReport> {
  const loaded = context.loadConfig(repoRoot);
  // In an untrusted window no endpoint is asked.
  const surveyed = context.isRestricted
    ? []
    : await surveyEndpoints(context, loaded, { policy: 'any' });
  const programs = ['git', loaded.config.runners['claude-code'].bin];
  const { store } = context;
  const values = effectiveValues(loaded).map(({ path, value, origin }) => ({
    key: path,
    value: JSON.stringify(value),
    source: origin,
  }));
  return {
    version,
    node: process.version,
    stateDir: context.stateDir,
    configDir: context.configDir,
    files: loaded.files.map(({ path, role, exists, used }) => ({
      path,
      role,
      isExisting: exists,
      isUsed: used,
    })),
    problems: [...loaded.problems, ...servedProblems(loaded, servedFacts(surveyed))],
    programs: await Promise.all(programs.map((name) => findVersion(context, name))),
    values,
    ignoredVariables: ignoredVariables(context.env, values),
    agents: findingsOf(context, loaded.config, folder),
    jobs: {
      queued: store.inOrder(['queued']).length,
      live: store.inOrder(LIVE_STATUSES).length,
      pendingReview: store.list().filter((job) => job.record.review.status === 'pending').length,
    },
  };
}

/** Nothing is said of names that an endpoint serves: that an agent's model is not up now is no fault of the agent. */
function findingsOf(
  context: BridgeContext,
  config: EffectiveConfig,
  folder: string,
): DoctorReport['agents'] {
  const { agents, folders } = surveyAgents(placesOf(context, config, folder), config, null);
  const skipped = folders.flatMap((place) => place.skipped);
  return [
    ...agents.flatMap(({ path, findings }) =>
      findings.map(({ severity, range, message, hint }) => ({
        file: path,
        line: range.line,
        severity,
        message,
        hint,
      })),
    ),
    ...skipped.map(({ path, why }) => ({
      file: path,
      line: 0,
      severity: 'info' as const,
      message: `this is no agent: ${why}`,
      hint: '',
    })),
  ];
}

async function findVersion(
  context: BridgeContext,
  name: string,
): Promise<DoctorReport['programs'][number]> {
  const path = await findProgram(name, context.env, context.stateDir);
  if (path === null) return { name, path: null, version: null };
  try {
    const { stdout } = await run(path, ['--version'], {
      timeout: VERSION_LIMIT_MS,
      env: cleanEnv(context.env),
    });
    return { name, path, version: stdout.split('\n')[0]?.trim() ?? null };
  } catch (error) {
    // It is there and does not say its version: unknown is null.
    if (error instanceof Error) return { name, path, version: null };
    throw error;
  }
}

function ignoredVariables(
  env: BridgeContext['env'],
  values: DoctorReport['values'],
): DoctorReport['ignoredVariables'] {
  return describeVariables(env).flatMap(({ name, use, text }) => {
    if (use === 'ignored') return [{ name, why: text }];
    if (use === 'unknown') return [{ name, why: didYouMean(text) }];
    const isInUse = name !== KEY_VARIABLE || values.some(({ value }) => value.includes(name));
    return isInUse ? [] : [{ name, why: 'no endpoint uses it; set DELEGATE_LOCAL_URL, too' }];
  });
}

/** Alone among the variables it has an effect only together with another, or with a file that refers to it. */
const KEY_VARIABLE = 'DELEGATE_LOCAL_KEY';

function didYouMean(name: string): string {
  return name === '' ? 'not known' : `not known; did you mean ${name}?`;
}
