import type { ConfigProblem } from '../config/problem.ts';
import type {
  ChangedFile,
  Considered,
  Failure,
  JobRecord,
  JobStatus,
  Locality,
  QueueReason,
} from '../protocol/job.ts';
import type { EndpointPause } from './endpointPause.ts';
import type { EndpointProbe } from './endpoints/endpointProbe.ts';
import type { AcceptResult } from './worktrees/acceptTypes.ts';

/** What runs the bundles, and where they lie. */
export interface Installation {
  readonly execPath: string;
  readonly distDir: string;
}

/** Who calls: kept on the record, and the word of a review. */
export interface Caller {
  /** `vscode`, `cli`, or the name that an MCP client gave in its handshake. */
  readonly name: string;
  readonly kind: 'person' | 'agent';
  readonly session: string | null;
  readonly pid: number | null;
}

export interface EndpointView {
  readonly name: string;
  readonly baseUrl: string;
  readonly host: string;
  readonly notes: string;
  readonly locality: Locality;
  readonly maxConcurrent: number | null;
  readonly inUse: number;
  /** Null: nothing keeps jobs from it. */
  readonly pause: EndpointPause | null;
  readonly probe: EndpointProbe;
}

export interface PoolView {
  readonly name: string;
  readonly slots: number;
  readonly inUse: number;
  readonly waiting: readonly {
    readonly jobId: string;
    readonly position: number;
    readonly waitedS: number;
    readonly reason: QueueReason | null;
  }[];
}

export interface ModelsOverview {
  readonly configFile: string;
  readonly configStale: boolean;
  readonly problems: readonly ConfigProblem[];
  /** False while nothing names an endpoint: then the one that is listed is a guess. */
  readonly isConfigured: boolean;
  /** Names of all endpoints of the configuration. */
  readonly configured: readonly string[];
  /** False in an untrusted window, where no endpoint is asked: the empty list of `endpoints` then means nothing. */
  readonly isProbed: boolean;
  /** Files of the repository that are not used until they are trusted. */
  readonly untrusted: readonly string[];
  readonly defaultModel: string | null;
  readonly endpoints: readonly EndpointView[];
  readonly pools: readonly PoolView[];
  /** Advice for the delegating model: which served model to choose and when to ask the user. */
  readonly guidance: string;
}

export interface RouteExplanation {
  readonly ok: boolean;
  readonly rule: string | null;
  readonly endpoint: string | null;
  readonly model: string | null;
  readonly pool: string | null;
  readonly policy: string;
  readonly considered: readonly Considered[];
  readonly failure: Failure | null;
  readonly warnings: readonly string[];
}

export interface JobFilterOptions {
  readonly statuses?: readonly JobStatus[];
  /** Only jobs of the repository that holds this folder. */
  readonly cwd?: string;
  readonly limit?: number;
}

export interface WaitOptions {
  readonly mode: 'any' | 'all';
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Called when a job changes, and at least every 15 s. */
  readonly onProgress?: (jobs: readonly JobRecord[]) => void;
}

export interface WaitResult {
  readonly finished: readonly JobRecord[];
  readonly pending: readonly JobRecord[];
  readonly isTimedOut: boolean;
}

export interface JobDiff {
  readonly jobId: string;
  readonly base: string | null;
  readonly files: readonly ChangedFile[];
  readonly patch: string;
  readonly isPatchTruncated: boolean;
  /** Why there is no patch, or no way to know; null when list and patch are what was changed. */
  readonly note: string | null;
}

export interface JobLog {
  readonly jobId: string;
  readonly status: JobStatus;
  readonly dir: string;
  readonly text: string;
  readonly isTruncated: boolean;
}

export interface AcceptOptions {
  readonly files?: readonly string[];
  readonly how?: 'working-tree' | 'branch';
  readonly dryRun?: boolean;
  readonly skipConflicts?: boolean;
  /** A person has seen that the gate did not pass; without it such a job is not accepted. */
  readonly isGateFailureAccepted?: boolean;
  /** Finished texts from a merge editor, by path, as they are to lie on disk. */
  readonly resolved?: ReadonlyMap<string, Buffer>;
}

export interface AcceptOutcome {
  readonly job: JobRecord;
  readonly result: AcceptResult;
}

export interface CompleteOptions {
  readonly prompt: string;
  readonly system?: string;
  readonly model?: string;
  readonly endpoint?: string;
  readonly policy?: 'local-only' | 'prefer-local' | 'any';
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface CompleteResult {
  readonly text: string;
  readonly endpoint: string;
  readonly modelRequested: string | null;
  readonly modelServed: string | null;
  readonly stopReason: string | null;
  readonly usage: JobRecord['usage'];
  readonly rule: string;
}

/** What every answer says about the configuration, and the names that completion offers. */
export interface ConfigState {
  readonly configFile: string;
  readonly configStale: boolean;
  readonly problems: readonly ConfigProblem[];
  readonly endpoints: readonly string[];
  readonly gates: readonly string[];
}

export interface DoctorReport {
  readonly version: string;
  readonly node: string;
  readonly stateDir: string;
  readonly configDir: string;
  readonly files: readonly {
    readonly path: string;
    readonly role: string;
    readonly isExisting: boolean;
    /** False for one that does not exist, and for a workspace file that is not trusted. */
    readonly isUsed: boolean;
  }[];
  readonly problems: readonly ConfigProblem[];
  readonly programs: readonly {
    readonly name: string;
    readonly path: string | null;
    readonly version: string | null;
  }[];
  readonly values: readonly {
    readonly key: string;
    readonly value: string;
    readonly source: string;
  }[];
  readonly ignoredVariables: readonly { readonly name: string; readonly why: string }[];
  /** What is odd about agent and skill definitions, as one line each. */
  readonly agents: readonly {
    readonly file: string;
    /** 0: no place in the text. */
    readonly line: number;
    readonly severity: 'error' | 'warning' | 'info';
    readonly message: string;
    readonly hint: string;
  }[];
  readonly jobs: { readonly queued: number; readonly live: number; readonly pendingReview: number };
}

export interface GcReport {
  readonly removedJobs: readonly string[];
  readonly freedBytes: number;
  readonly kept: readonly { readonly jobId: string; readonly why: string }[];
  readonly needsCleanUp: readonly {
    readonly jobId: string;
    readonly what: string;
    readonly why: string;
  }[];
  /** What each job takes now, largest first; empty unless it was a dry run. */
  readonly disk: readonly {
    readonly jobId: string;
    readonly bytes: number;
    /** Of its worktree, which is kept; null when there is none. */
    readonly treeBytes: number | null;
  }[];
}
