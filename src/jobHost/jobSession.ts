import type { BridgeContext } from '../bridge/bridgeContext.ts';
import type { JobLogWriter } from '../bridge/jobs/jobLogWriter.ts';
import type { StoredJob } from '../bridge/jobs/jobRow.ts';
import type { HostGuard } from '../bridge/processes/hostGuard.ts';
import type { RunnerEnd } from '../bridge/runners/runner.ts';
import type { JobProgress } from './jobProgress.ts';
import type { JobEndpoint } from './jobSetup.ts';
import type { StopSignal } from './stopSignal.ts';

export interface SessionDeps {
  readonly context: BridgeContext;
  readonly job: StoredJob;
  readonly guard: HostGuard;
  readonly log: JobLogWriter;
  readonly progress: JobProgress;
  readonly stop: StopSignal;
  readonly endpoint: JobEndpoint;
  readonly runCwd: string;
  /** Top of the job's tree; null outside git. */
  readonly treeRoot: string | null;
  /** Replaces what is known to be secret, also of an endpoint to which the job has moved. */
  readonly redact: (text: string) => string;
  /** The disk is full. */
  readonly onFull: () => void;
  /** The job goes on at another endpoint. */
  readonly onMoved: (endpoint: JobEndpoint) => void;
}

/** What drives the model for one job: one round for the task, and one for each repair. */
export interface JobSession {
  /** Requests that the endpoint of the record answered: the proof of where the job ran. */
  readonly requests: number;
  readonly modelServed: string | null;
  /** Finds what the session needs, so that what is missing is said before the model is asked anything. */
  prepare(): Promise<void>;
  /** Runs one round to its end. Stopped from outside, it ends with what there is. */
  run(task: string, resumeSessionId: string | null): Promise<RunnerEnd>;
  close(): Promise<void>;
}
