import type { Command } from './command.ts';

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Left out of the list of commands: called by other programs only. */
  readonly isHidden?: boolean;
  readonly load: () => Promise<Command>;
}

/** Every sub-command; each is loaded when it is called. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'run',
    summary: 'Hand a task to a model and follow it',
    load: async () => (await import('./commands/run.ts')).run,
  },
  {
    name: 'jobs',
    summary: 'List jobs',
    load: async () => (await import('./commands/jobs.ts')).jobs,
  },
  {
    name: 'show',
    summary: 'Show the receipt of a job',
    load: async () => (await import('./commands/show.ts')).show,
  },
  {
    name: 'log',
    summary: 'Show what a job did',
    load: async () => (await import('./commands/log.ts')).log,
  },
  {
    name: 'diff',
    summary: 'Show what a job changed',
    load: async () => (await import('./commands/diff.ts')).diff,
  },
  {
    name: 'accept',
    summary: 'Apply what a job changed',
    load: async () => (await import('./commands/accept.ts')).accept,
  },
  {
    name: 'undo',
    summary: 'Take the last accept of a job back',
    load: async () => (await import('./commands/undo.ts')).undo,
  },
  {
    name: 'reject',
    summary: 'Drop what a job changed; it can be restored',
    load: async () => (await import('./commands/reject.ts')).reject,
  },
  {
    name: 'restore',
    summary: 'Bring a rejected job back for review',
    load: async () => (await import('./commands/restore.ts')).restore,
  },
  {
    name: 'abandon',
    summary: 'End the review of a job undecided',
    load: async () => (await import('./commands/abandon.ts')).abandon,
  },
  {
    name: 'cancel',
    summary: 'End a job',
    load: async () => (await import('./commands/cancel.ts')).cancel,
  },
  {
    name: 'retry',
    summary: 'Queue the task of a job again',
    load: async () => (await import('./commands/retry.ts')).retry,
  },
  {
    name: 'wait',
    summary: 'Wait for jobs to end',
    load: async () => (await import('./commands/wait.ts')).wait,
  },
  {
    name: 'gate',
    summary: 'Run a gate again on a job',
    load: async () => (await import('./commands/gate.ts')).gate,
  },
  {
    name: 'models',
    summary: 'What each endpoint serves right now',
    load: async () => (await import('./commands/models.ts')).models,
  },
  {
    name: 'agents',
    summary: 'Check agent and skill definitions',
    load: async () => (await import('./commands/agents.ts')).agents,
  },
  {
    name: 'route',
    summary: 'Explain where a task would run',
    load: async () => (await import('./commands/route.ts')).route,
  },
  {
    name: 'endpoint',
    summary: 'Add an endpoint',
    load: async () => (await import('./commands/endpoint.ts')).endpoint,
  },
  {
    name: 'trust',
    summary: "Let a workspace's models.yaml count",
    load: async () => (await import('./commands/trust.ts')).trust,
  },
  {
    name: 'secret',
    summary: 'Keep keys that the configuration refers to',
    load: async () => (await import('./commands/secret.ts')).secret,
  },
  {
    name: 'setup',
    summary: 'Set up Claude Code, or take that back',
    load: async () => (await import('./commands/setup.ts')).setup,
  },
  {
    name: 'doctor',
    summary: 'Check folders, configuration and programs',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'import',
    summary: 'Take over endpoints from another tool',
    load: async () => (await import('./commands/importConfig.ts')).importConfig,
  },
  {
    name: 'migrate',
    summary: 'Turn DELEGATE_* variables into a models.yaml',
    load: async () => (await import('./commands/migrate.ts')).migrate,
  },
  {
    name: 'gc',
    summary: 'Remove what retention says may go',
    load: async () => (await import('./commands/gc.ts')).gc,
  },
  {
    name: 'rehearse',
    summary: 'Run a model server that needs no model',
    load: async () => (await import('./commands/rehearse.ts')).rehearse,
  },
  {
    name: 'mcp',
    summary: 'Serve an MCP client over stdio',
    load: async () => (await import('./commands/mcp.ts')).mcp,
  },
  {
    name: 'admit',
    summary: 'Start waiting jobs, then leave',
    isHidden: true,
    load: async () => (await import('./commands/admit.ts')).admit,
  },
];
