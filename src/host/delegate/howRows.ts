import { sanitiseLine } from '../../base/sanitise.ts';
import type { Policy } from '../../protocol/job.ts';
import { formatPlural } from '../../protocol/statusLineParts.ts';
import type { DelegateFacts } from '../../protocol/ui/uiTools.ts';
import { delegatePlan, type DelegatePlan, type Obstacle } from './delegatePlan.ts';
import { describePlan } from './describePlan.ts';
import type { How, Who } from './delegation.ts';
import { escapeIcons } from './escapeIcons.ts';
import type { CommandAct } from './failureRows.ts';
import { heading, type StepRow } from './stepRow.ts';

export type HowAct =
  | { readonly kind: 'start' }
  /** `id` names the answer that is changed. */
  | { readonly kind: 'change'; readonly id: keyof How; readonly how: How }
  | CommandAct;

const POLICIES: readonly Policy[] = ['prefer-local', 'local-only', 'any'];
const POLICY_MEANS: Record<Policy, string> = {
  'local-only': 'never leaves this machine and your network',
  'prefer-local': 'near ones first; a cloud model only when it is named',
  any: 'wherever it is served',
};
const MAX_REPAIR_ROUNDS = 3;

const OBSTACLES: Record<Obstacle, string> = {
  not_a_repository: 'This folder is not a git repository, so the job cannot have a worktree',
  no_commits: 'The repository has no commit yet, so the job cannot have a worktree',
};

/** The rows of the step How: first what will happen, then each answer with what Enter makes of it. */
export function howRows(how: How, who: Who, facts: DelegateFacts | null): StepRow<HowAct>[] {
  const plan = delegatePlan(how, facts);
  const change: Change = (id, value) => ({ kind: 'change', id, how: { ...how, [id]: value } });
  return [
    ...(plan.obstacle === null
      ? [
          {
            icon: 'play',
            label: 'Start',
            description: escapeIcons(describePlan(plan, who)),
            act: START,
          },
        ]
      : obstacleRows(plan.obstacle, change)),
    heading('How'),
    isolationRow(plan, change),
    ...uncommittedRows(plan, facts, change),
    ...gateRows(plan, facts, change),
    {
      icon: 'shield',
      label: `Policy: ${plan.policy}`,
      description: POLICY_MEANS[plan.policy],
      act: change('policy', after(POLICIES, plan.policy)),
    },
    {
      icon: plan.isReadOnly ? 'eye' : 'edit',
      label: plan.isReadOnly ? 'Read-only: yes' : 'Read-only: no',
      description: plan.isReadOnly ? 'looks and answers, changes nothing' : 'may change files',
      act: change('isReadOnly', !plan.isReadOnly),
    },
    ...runnerRows(plan, facts, how),
  ];
}

const START: HowAct = { kind: 'start' };

type Change = <Id extends keyof How>(id: Id, value: How[Id]) => HowAct;

function obstacleRows(obstacle: Obstacle, change: Change): StepRow<HowAct>[] {
  return [
    { icon: 'warning', label: OBSTACLES[obstacle], act: null },
    obstacle === 'not_a_repository'
      ? {
          icon: 'repo-create',
          label: 'Initialize a repository…',
          description: 'then make a first commit; what you typed is kept',
          act: { kind: 'command', command: 'git.init' },
        }
      : {
          icon: 'git-commit',
          label: 'Open Source Control to make a first commit',
          description: 'what you typed is kept',
          act: { kind: 'command', command: 'workbench.view.scm' },
        },
    {
      icon: 'folder',
      label: 'Work in the folder itself',
      description: 'changes cannot be taken back by the bridge',
      act: change('isolation', 'none'),
    },
  ];
}

function isolationRow(plan: DelegatePlan, change: Change): StepRow<HowAct> {
  return plan.isolation === 'worktree'
    ? {
        icon: 'repo-forked',
        label: 'Place: worktree',
        description: 'a copy of its own; your checkout stays as it is until you accept',
        act: change('isolation', 'none'),
      }
    : {
        icon: 'folder',
        label: 'Place: the folder itself',
        description: 'changes your files while you look on',
        act: change('isolation', 'worktree'),
      };
}

function uncommittedRows(
  plan: DelegatePlan,
  facts: DelegateFacts | null,
  change: Change,
): StepRow<HowAct>[] {
  const count = facts?.uncommitted ?? 0;
  if (count === 0 || plan.isolation === 'none' || plan.obstacle !== null) return [];
  const changes = formatPlural(count, 'uncommitted change');
  return plan.from === 'head'
    ? [
        {
          icon: 'git-commit',
          label: 'Starts from: the last commit',
          description: `your ${changes} ${count === 1 ? 'is' : 'are'} not part of it`,
          act: change('from', 'working-tree'),
        },
      ]
    : [
        {
          icon: 'diff',
          label: 'Starts from: your working tree',
          description: `with your ${changes}`,
          act: change('from', 'head'),
        },
      ];
}

function gateRows(
  plan: DelegatePlan,
  facts: DelegateFacts | null,
  change: Change,
): StepRow<HowAct>[] {
  if (plan.isReadOnly) return [];
  const gates = facts?.gates ?? [];
  if (gates.length === 0 && plan.gate === null)
    return [
      {
        icon: 'beaker',
        label: 'Gate: none',
        description: 'no check is configured; the result will say that nothing has checked it',
        act: { kind: 'command', command: 'delegationBridge.openConfig' },
      },
    ];
  const names = [...gates.map(({ name }) => name), null];
  const gate = gates.find(({ name }) => name === plan.gate);
  const lost = plan.lostGate === null ? '' : `there is no gate ${plan.lostGate} any more; `;
  const rows: StepRow<HowAct>[] = [
    {
      icon: 'beaker',
      label: `Gate: ${escapeIcons(sanitiseLine(plan.gate ?? 'none', 60))}`,
      description: escapeIcons(
        sanitiseLine(
          `${lost}${plan.gate === null ? 'nothing checks the result' : (gate?.run ?? gate?.kind ?? '')}`,
          140,
        ),
      ),
      act: change('gate', { name: after(names, plan.gate) }),
    },
  ];
  if (plan.gate === null) return rows;
  const rounds = plan.repairRounds;
  return [
    ...rows,
    {
      icon: 'sync',
      label: `Repair rounds: ${rounds === 0 ? 'none' : rounds}`,
      description:
        rounds === 0
          ? 'a failed gate ends the job'
          : 'so often a failed gate goes back to the model',
      act: change('repairRounds', rounds >= MAX_REPAIR_ROUNDS ? 0 : rounds + 1),
    },
  ];
}

function runnerRows(plan: DelegatePlan, facts: DelegateFacts | null, how: How): StepRow<HowAct>[] {
  const change = (id: keyof How, answers: Partial<How>): HowAct => ({
    kind: 'change',
    id,
    how: { ...how, ...answers },
  });
  const agents = facts?.agents ?? [];
  const runner: StepRow<HowAct> =
    plan.runner === 'claude-code'
      ? {
          icon: 'hubot',
          label: 'Runner: Claude Code',
          description: 'a whole Claude Code session on that model',
          act: change('runner', { runner: 'loop' }),
        }
      : {
          icon: 'hubot',
          label: 'Runner: built-in loop',
          description:
            'a short prompt and eight tools, for models and servers that need it simpler',
          act: change('runner', { runner: 'claude-code', agent: null }),
        };
  if (agents.length === 0 && plan.lostAgent === null) return [runner];
  const names = [null, ...agents.map(({ name }) => name)];
  const lost = plan.lostAgent === null ? '' : `there is no agent ${plan.lostAgent} any more; `;
  const said = agents.find(({ name }) => name === plan.agent)?.description;
  return [
    runner,
    {
      icon: 'person',
      label: `Agent: ${escapeIcons(sanitiseLine(plan.agent ?? 'none', 60))}`,
      description: escapeIcons(sanitiseLine(`${lost}${said ?? 'the brief alone'}`, 140)),
      act: change('agent', { agent: after(names, plan.agent) }),
    },
  ];
}

function after<T>(all: readonly T[], present: T): T {
  const next = all[(all.indexOf(present) + 1) % all.length];
  return next === undefined ? present : next;
}
