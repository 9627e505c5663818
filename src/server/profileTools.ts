import type { Profile } from './serverOptions.ts';
import type { Tool } from './tool.ts';
import { abandonJob } from './tools/abandonJob.ts';
import { acceptJob } from './tools/acceptJob.ts';
import { addEndpoint } from './tools/addEndpoint.ts';
import { cancelJob } from './tools/cancelJob.ts';
import { checkAgents } from './tools/checkAgents.ts';
import { configFacts } from './tools/configFacts.ts';
import { delegateFacts } from './tools/delegateFacts.ts';
import { dirtyPaths } from './tools/dirtyPaths.ts';
import { dropFiles } from './tools/dropFiles.ts';
import { doctor } from './tools/doctor.ts';
import { explainRoute } from './tools/explainRoute.ts';
import { gc } from './tools/gc.ts';
import { importConfig } from './tools/importConfig.ts';
import { importSources } from './tools/importSources.ts';
import { jobDiff } from './tools/jobDiff.ts';
import { jobFeed } from './tools/jobFeed.ts';
import { jobLog } from './tools/jobLog.ts';
import { jobStatus } from './tools/jobStatus.ts';
import { keepImportKeys } from './tools/keepImportKeys.ts';
import { listAgents } from './tools/listAgents.ts';
import { listJobs } from './tools/listJobs.ts';
import { listModels } from './tools/listModels.ts';
import { makePractice } from './tools/makePractice.ts';
import { mergeInputs } from './tools/mergeInputs.ts';
import { personAccept } from './tools/personAccept.ts';
import { readLog } from './tools/readLog.ts';
import { registerEndpoint } from './tools/registerEndpoint.ts';
import { rejectJob } from './tools/rejectJob.ts';
import { removeEndpoint } from './tools/removeEndpoint.ts';
import { restoreJob } from './tools/restoreJob.ts';
import { retryJob } from './tools/retryJob.ts';
import { reviewFile } from './tools/reviewFile.ts';
import { reviewJob } from './tools/reviewJob.ts';
import { runAgent } from './tools/runAgent.ts';
import { runBatch } from './tools/runBatch.ts';
import { runGate } from './tools/runGate.ts';
import { saveReviewFile } from './tools/saveReviewFile.ts';
import { scanEndpoints } from './tools/scanEndpoints.ts';
import { secretNames } from './tools/secretNames.ts';
import { setSecret } from './tools/setSecret.ts';
import { setup } from './tools/setup.ts';
import { slotUse } from './tools/slotUse.ts';
import { trust } from './tools/trust.ts';
import { tryEndpoint } from './tools/tryEndpoint.ts';
import { tryGate } from './tools/tryGate.ts';
import { undoAccept } from './tools/undoAccept.ts';
import { waitJobs } from './tools/waitJobs.ts';

const BRIDGE_TOOLS: readonly Tool[] = [
  listModels,
  listAgents,
  explainRoute,
  runAgent,
  runBatch,
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
  secretNames,
  gc,
  dirtyPaths,
  jobFeed,
  readLog,
  reviewJob,
  reviewFile,
  saveReviewFile,
  mergeInputs,
  dropFiles,
  retryJob,
  scanEndpoints,
  doctor,
  slotUse,
  delegateFacts,
  configFacts,
  checkAgents,
  tryEndpoint,
  tryGate,
  addEndpoint,
  removeEndpoint,
  makePractice,
  setup,
  importSources,
  importConfig,
  keepImportKeys,
];

export interface OfferedTools {
  readonly offered: readonly Tool[];
  /** In restricted mode: those that do more than look. */
  readonly withheld: readonly Tool[];
}

/** `env` is that of the server: some profiles have settings of their own in it. */
export async function profileTools(
  profile: Profile,
  isRestricted: boolean,
  env: NodeJS.ProcessEnv = {},
): Promise<OfferedTools> {
  const all = await allTools(profile, env);
  if (!isRestricted) return { offered: all, withheld: [] };
  return {
    offered: all.filter((tool) => tool.effect === 'read'),
    withheld: all.filter((tool) => tool.effect !== 'read'),
  };
}

async function allTools(profile: Profile, env: NodeJS.ProcessEnv): Promise<readonly Tool[]> {
  switch (profile) {
    case 'bridge':
      return BRIDGE_TOOLS;
    case 'ui':
      return [
        ...BRIDGE_TOOLS.map((tool) => (tool.name === personAccept.name ? personAccept : tool)),
        ...PERSON_TOOLS,
      ];
    case 'localagents':
      return (await import('./localagentsTools.ts')).localagentsTools;
    case 'delegate-local':
      return (await import('./delegateLocalTools.ts')).delegateLocalTools(env);
  }
}
