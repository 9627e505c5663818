import type { ConfigPath } from './configPath.ts';

/** `path`: absolute or below `~`, because the processes that read it have different working folders. */
export type VariableKind = 'text' | 'path' | 'number' | 'boolean' | 'list';

/** Variables that set one key. Names as the tools that came before use them. */
export const MAPPED_VARIABLES: Readonly<Record<string, { path: ConfigPath; kind: VariableKind }>> =
  {
    DELEGATE_LOCAL_MODEL: { path: ['defaults', 'model'], kind: 'text' },
    DELEGATE_LOCAL_CODING_MODEL: { path: ['runners', 'loop', 'coding_model'], kind: 'text' },
    DELEGATE_LOCAL_AGENTS_DIR: { path: ['runners', 'loop', 'agents_dir'], kind: 'path' },
    DELEGATE_LOCAL_MAX_TURNS: { path: ['runners', 'loop', 'max_turns'], kind: 'number' },
    DELEGATE_TURN_TIMEOUT: { path: ['runners', 'loop', 'turn_timeout_s'], kind: 'number' },
    DELEGATE_DISPATCH_TIMEOUT: { path: ['runners', 'loop', 'dispatch_timeout_s'], kind: 'number' },
    DELEGATE_MAX_NUDGES: { path: ['runners', 'loop', 'nudges'], kind: 'number' },
    DELEGATE_MAX_READ_FILE_BYTES: { path: ['runners', 'loop', 'max_read_bytes'], kind: 'number' },
    DELEGATE_MAX_WRITE_BYTES: { path: ['runners', 'loop', 'max_write_bytes'], kind: 'number' },
    DELEGATE_RUN_BASH: { path: ['runners', 'loop', 'bash'], kind: 'boolean' },
    DELEGATE_RUN_BASH_TIMEOUT: { path: ['runners', 'loop', 'bash_timeout_s'], kind: 'number' },
    DELEGATE_RUN_BASH_CONCURRENCY: {
      path: ['runners', 'loop', 'bash_concurrency'],
      kind: 'number',
    },
    DELEGATE_MAX_BATCH_SIZE: { path: ['runners', 'loop', 'max_batch'], kind: 'number' },
    DELEGATE_ENV_PASSTHROUGH: { path: ['runners', 'loop', 'env_passthrough'], kind: 'list' },
    DELEGATE_PROVIDER_ALLOWED_HOSTS: {
      path: ['runners', 'loop', 'provider_allowed_hosts'],
      kind: 'list',
    },
    DELEGATE_STREAMING: { path: ['runners', 'loop', 'streaming'], kind: 'boolean' },
    DELEGATE_FAILOVER_GRACE: { path: ['failover', 'grace_s'], kind: 'number' },
    DELEGATE_CODEX_BIN: { path: ['runners', 'codex', 'bin'], kind: 'text' },
    DELEGATE_CODEX_MODEL: { path: ['runners', 'codex', 'model'], kind: 'text' },
    DELEGATE_CODEX_EFFORT: { path: ['runners', 'codex', 'effort'], kind: 'text' },
    DELEGATE_CODEX_ALLOW_DANGER: { path: ['runners', 'codex', 'allow_danger'], kind: 'boolean' },
    DELEGATE_CODEX_SESSIONS_DIR: { path: ['runners', 'codex', 'sessions_dir'], kind: 'path' },
    DELEGATE_CODEX_MAX_CONCURRENT: { path: ['runners', 'codex', 'max_concurrent'], kind: 'number' },
    DELEGATE_CODEX_MAX_PER_PROJECT: {
      path: ['runners', 'codex', 'max_per_project'],
      kind: 'number',
    },
    DELEGATE_CODEX_MAX_QUEUE: { path: ['runners', 'codex', 'max_queue'], kind: 'number' },
    DELEGATE_CODEX_STAGGER_S: { path: ['runners', 'codex', 'stagger_s'], kind: 'number' },
    DELEGATE_CODEX_QUOTA_WARN: { path: ['runners', 'codex', 'quota_warn_pct'], kind: 'number' },
    DELEGATE_CODEX_QUOTA_REFUSE_PCT: {
      path: ['runners', 'codex', 'quota_refuse_pct'],
      kind: 'number',
    },
    DELEGATE_AGY_BIN: { path: ['runners', 'gemini', 'bin'], kind: 'text' },
    DELEGATE_GEMINI_ALLOW_DANGER: { path: ['runners', 'gemini', 'allow_danger'], kind: 'boolean' },
    DELEGATE_GEMINI_MAX_CONCURRENT: {
      path: ['runners', 'gemini', 'max_concurrent'],
      kind: 'number',
    },
    DELEGATE_GEMINI_MAX_QUEUE: { path: ['runners', 'gemini', 'max_queue'], kind: 'number' },
    DELEGATE_DSH_LAUNCHER: { path: ['runners', 'dsh', 'launcher'], kind: 'text' },
    DELEGATE_DSH_MODELS_FILE: { path: ['runners', 'dsh', 'models_file'], kind: 'path' },
    DELEGATE_DSH_MAX_CONCURRENT: { path: ['runners', 'dsh', 'max_concurrent'], kind: 'number' },
    DELEGATE_DSH_MAX_PER_PROJECT: { path: ['runners', 'dsh', 'max_per_project'], kind: 'number' },
    DELEGATE_DSH_MAX_QUEUE: { path: ['runners', 'dsh', 'max_queue'], kind: 'number' },
    DELEGATE_DSH_STAGGER_S: { path: ['runners', 'dsh', 'stagger_s'], kind: 'number' },
  };

/**
 * Variables that say something of every model, and the value of the fact for each of their texts. Null: what holds without
 * the variable, which goes by the name of the model.
 */
export const FACT_VARIABLES: Readonly<
  Record<
    string,
    {
      readonly fact: 'prompt_cache' | 'resend_reasoning';
      readonly values: Readonly<Record<string, string | boolean | null>>;
    }
  >
> = {
  DELEGATE_PROMPT_CACHING: {
    fact: 'prompt_cache',
    values: {
      '0': 'none',
      false: 'none',
      no: 'none',
      off: 'none',
      1: null,
      true: null,
      yes: null,
      on: null,
    },
  },
  DELEGATE_RESEND_REASONING: {
    fact: 'resend_reasoning',
    values: {
      '0': false,
      false: false,
      no: false,
      off: false,
      1: true,
      true: true,
      yes: true,
      on: true,
      auto: null,
    },
  },
};

/** Variables that say where things are; read in paths.ts and load.ts, or make an endpoint (envVars.ts). */
export const OWN_VARIABLES: Readonly<Record<string, string>> = {
  DELEGATE_CONFIG: 'the path of models.yaml',
  DELEGATE_STATE: 'the state folder',
  DELEGATE_TEST_ISOLATION: 'used by tests',
  DELEGATE_TEST_ISOLATION_ROOT: 'used by tests: every stored file lies below it',
  DELEGATE_GATEWAY: 'the kind of gateway that the endpoint from the environment is',
  DELEGATE_LOCAL_URL: 'the address of an endpoint',
  DELEGATE_LOCAL_KEY: 'the key of that endpoint',
  DELEGATE_BIFROST_URL: 'the address of an endpoint, with DELEGATE_GATEWAY=bifrost',
  DELEGATE_BIFROST_VK_LOCAL: 'its key for local models',
  DELEGATE_BATCH_QUEUE_GRACE: 'seconds that a call of the profile delegate-local waits for a slot',
  DELEGATE_BIFROST_VK_CODE: 'its key for all other models',
};

const OWN_STATE = 'all state is in one folder; see DELEGATE_STATE';

/** Variables without a meaning here, and why. */
export const IGNORED_VARIABLES: Readonly<Record<string, string>> = {
  DELEGATE_CLOUD_MAX_TURNS:
    'one limit holds for all models: runners.loop.max_turns; a call may ask for another',
  DELEGATE_KEEP_TOOL_RESULTS:
    'old results are dropped when the window of the model fills up, not by their number',
  DELEGATE_ALLOW_PATH_ESCAPE: 'paths outside the folder of a job are always refused',
  DELEGATE_BATCH_TASK_TIMEOUT:
    'time in the queue does not count; see runners.loop.dispatch_timeout_s',
  DELEGATE_CROSS_PROCESS_SLOTS: 'slots are always shared by all processes',
  DELEGATE_SLOT_DIR: OWN_STATE,
  DELEGATE_SLOT_POLL: 'nothing is polled for slots',
  DELEGATE_LOG: 'every job has its own log',
  DELEGATE_CODEX_STDOUT_CAP: 'output is bounded by itself',
  DELEGATE_CODEX_STATE_DIR: OWN_STATE,
  DELEGATE_CODEX_JOBS_FILE: OWN_STATE,
  DELEGATE_GEMINI_STATE_DIR: OWN_STATE,
  DELEGATE_DSH_STATE_DIR: OWN_STATE,
  DELEGATE_WAIT_INTERVAL: 'waiting ends as soon as the job does',
};

/** `DELEGATE_CONCURRENCY_<BUCKET>`; `DEFAULT` is the pool `default`. */
export const CONCURRENCY_PREFIX = 'DELEGATE_CONCURRENCY_';

/** Pools whose prefix a `DELEGATE_CONCURRENCY_<BUCKET>` may mean without any file: `GLM` is `glm-`, as the tool before had it. */
export const USUAL_POOLS: readonly string[] = [
  'local-',
  'ornith',
  'glm-',
  'deepseek-v4-flash',
  'deepseek-',
  'qwen-3-8',
  'qwen-',
  'minimax',
  'grok',
  'codex',
  'gpt-',
];
