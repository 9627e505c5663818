import { localagentsTools } from './localagentsTools.ts';
import type { Profile } from './serverOptions.ts';
import type { Tool } from './tool.ts';
import { abandonJob } from './tools/abandonJob.ts';
import { acceptJob } from './tools/acceptJob.ts';
import { cancelJob } from './tools/cancelJob.ts';
import { dirtyPaths } from './tools/dirtyPaths.ts';
import { explainRoute } from './tools/explainRoute.ts';
import { gc } from './tools/gc.ts';
import { jobDiff } from './tools/jobDiff.ts';
import { jobLog } from './tools/jobLog.ts';
import { jobStatus } from './tools/jobStatus.ts';
import { listJobs } from './tools/listJobs.ts';
import { listModels } from './tools/listModels.ts';
import { registerEndpoint } from './tools/registerEndpoint.ts';
import { rejectJob } from './tools/rejectJob.ts';
import { restoreJob } from './tools/restoreJob.ts';
import { runAgent } from './tools/runAgent.ts';
import { runGate } from './tools/runGate.ts';
import { setSecret } from './tools/setSecret.ts';
import { trust } from './tools/trust.ts';
import { undoAccept } from './tools/undoAccept.ts';
import { waitJobs } from './tools/waitJobs.ts';

const BRIDGE_TOOLS: readonly Tool[] = [
  listModels,
  explainRoute,
  runAgent,
  waitJobs,
  jobStatus,
  jobLog,
  jobDiff,
  listJobs,
  cancelJob,
  acceptJob,
  rejectJob,
  registerEndpoint,
];

/** What a person needs and a model should not see. */
const PERSON_TOOLS: readonly Tool[] = [
  undoAccept,
  restoreJob,
  abandonJob,
  runGate,
  trust,
  setSecret,
  gc,
  dirtyPaths,
];

const PROFILE_TOOLS: Readonly<Record<Profile, readonly Tool[]>> = {
  bridge: BRIDGE_TOOLS,
  ui: [...BRIDGE_TOOLS, ...PERSON_TOOLS],
  localagents: localagentsTools,
};

export interface OfferedTools {
  readonly offered: readonly Tool[];
  /** In restricted mode: those that do more than look. */
  readonly withheld: readonly Tool[];
}

export function profileTools(profile: Profile, isRestricted: boolean): OfferedTools {
  const all = PROFILE_TOOLS[profile];
  if (!isRestricted) return { offered: all, withheld: [] };
  return {
    offered: all.filter((tool) => tool.effect === 'read'),
    withheld: all.filter((tool) => tool.effect !== 'read'),
  };
}
