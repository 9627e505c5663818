import * as z from 'zod';
import { jobRequestSchema } from '../job.ts';
import type { CamelKeys } from '../keys.ts';
import { acceptResultSchema } from './acceptResult.ts';
import { addEndpoint } from './addEndpoint.ts';
import { checkAgents } from './checkAgents.ts';
import { configFacts } from './configFacts.ts';
import { delegateFacts } from './delegateFacts.ts';
import { doctor } from './doctor.ts';
import { dropFiles } from './dropFiles.ts';
import { explainRoute } from './explainRoute.ts';
import { gc } from './gc.ts';
import { importConfig, importSources, keepImportKeys } from './importConfig.ts';
import { jobAnswer } from './jobAnswer.ts';
import { jobFeed } from './jobFeed.ts';
import { makePractice } from './makePractice.ts';
import { mergeInputs } from './mergeInputs.ts';
import { overview } from './overview.ts';
import { personAccept } from './personAccept.ts';
import { readLog } from './readLog.ts';
import { removeEndpoint } from './removeEndpoint.ts';
import { retryJob } from './retryJob.ts';
import { reviewFile } from './reviewFile.ts';
import { reviewJob } from './reviewJob.ts';
import { saveReviewFile } from './saveReviewFile.ts';
import { scanEndpoints } from './scanEndpoints.ts';
import { slotUse } from './slotUse.ts';
import { secretNames } from './secretNames.ts';
import { setup } from './setup.ts';
import { trust } from './trust.ts';
import { tryEndpoint } from './tryEndpoint.ts';
import { tryGate } from './tryGate.ts';

const oneJob = { input: z.strictObject({ job_id: z.string().min(1) }), output: jobAnswer };

/** The tools of the `ui` profile as VS Code calls them: what it sends, and what it needs of the answer. */
export const UI_TOOLS = {
  job_feed: jobFeed,
  read_log: readLog,
  review_job: reviewJob,
  review_file: reviewFile,
  save_review_file: saveReviewFile,
  drop_files: dropFiles,
  merge_inputs: mergeInputs,
  accept_job: personAccept,
  retry_job: retryJob,
  scan_endpoints: scanEndpoints,
  setup,
  doctor,
  gc,
  list_models: overview,
  slot_use: slotUse,
  delegate_facts: delegateFacts,
  explain_route: explainRoute,
  run_agent: { input: jobRequestSchema, output: jobAnswer },
  job_status: oneJob,
  cancel_job: oneJob,
  reject_job: oneJob,
  restore_job: oneJob,
  abandon_job: oneJob,
  undo_accept: {
    input: oneJob.input,
    output: jobAnswer.extend({ result: acceptResultSchema }),
  },
  run_gate: { input: oneJob.input.extend({ gate: z.string().optional() }), output: jobAnswer },
  config_facts: configFacts,
  check_agents: checkAgents,
  try_endpoint: tryEndpoint,
  try_gate: tryGate,
  add_endpoint: addEndpoint,
  remove_endpoint: removeEndpoint,
  make_practice: makePractice,
  import_sources: importSources,
  import_config: importConfig,
  keep_import_keys: keepImportKeys,
  set_secret: {
    input: z.strictObject({
      name: z.string().min(1),
      value: z.string().min(1).optional(),
      is_new: z.boolean().optional(),
    }),
    output: z.object({ names: z.array(z.string()) }),
  },
  secret_names: secretNames,
  trust,
  dirty_paths: {
    input: z.strictObject({ window: z.string(), paths: z.array(z.string()) }),
    output: z.object({ count: z.number() }),
  },
} as const;

export type UiToolName = keyof typeof UI_TOOLS;
/** Arguments in camelCase: the client writes them in wire spelling. */
export type UiArgs<Name extends UiToolName> = CamelKeys<z.input<(typeof UI_TOOLS)[Name]['input']>>;
export type UiAnswer<Name extends UiToolName> = CamelKeys<
  z.output<(typeof UI_TOOLS)[Name]['output']>
>;
export type FeedJob = UiAnswer<'job_feed'>['jobs'][number];
export type DelegateFacts = UiAnswer<'delegate_facts'>;
export type ModelsOverview = UiAnswer<'list_models'>;
export type ReviewState = UiAnswer<'review_job'>;
export type AcceptResult = UiAnswer<'accept_job'>['result'];
export type SetupPlan = UiAnswer<'setup'>;
