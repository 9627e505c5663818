import { existsSync, readFileSync } from 'node:fs';
import { BridgeError } from '../../base/bridgeError.ts';
import { sanitiseLine } from '../../base/sanitise.ts';
import type { PartReport, SetupReport } from '../../bridge/setup/setupTypes.ts';
import { SETUP_PARTS, type SetupPart } from '../../protocol/ui/setup.ts';
import { askChoice } from '../askChoice.ts';
import type { CliContext } from '../cliContext.ts';
import { type Command, type CommandArgs, JSON_OPTION } from '../command.ts';
import { formatFileChange } from '../formatFileChange.ts';
import { flag } from '../optionReaders.ts';
import { printJson, printText } from '../print.ts';

export const setup: Command = {
  usage: 'setup [<part>…] [--remove] [--dry-run] [--yes] [--force] [--json]',
  description:
    'Sets up Claude Code to use this bridge, or takes that back. Parts: registration (the MCP server, for every project of\nyours), skill (when to delegate and how), hook (a reminder when a prompt speaks of it), relay (a job as a background\nagent). Without a part: all. Each is shown before it is written; CLAUDE.md is never touched.',
  minPositionals: 0,
  maxPositionals: SETUP_PARTS.length,
  exitCodes:
    '0 every part is as it was asked for, 1 one is not, or nothing was written for want of --yes.',
  options: {
    remove: { type: 'boolean', help: 'Take the parts away; everything else stays as it was' },
    'dry-run': { type: 'boolean', help: 'Show what would be written and write nothing' },
    yes: { type: 'boolean', short: 'y', help: 'Write without asking' },
    force: {
      type: 'boolean',
      help: 'Also replace or remove what was changed since set-up wrote it',
    },
    json: JSON_OPTION,
  },
  run: async (args, context) => {
    const verb = flag(args, 'remove') ? 'remove' : 'install';
    const isJson = flag(args, 'json');
    const isYes = flag(args, 'yes');
    const force = flag(args, 'force');
    const bridge = await context.bridge();
    const plan = await bridge.setUp({ action: `plan-${verb}`, parts: partsOf(args), force });
    if (flag(args, 'dry-run')) {
      if (isJson) printJson(context, plan);
      else for (const part of plan.parts) printText(context, describePlan(part));
      return hasProblem(plan) ? 1 : 0;
    }
    const asked = await choose(plan, { isYes, isQuiet: isJson }, context);
    // Folders that a removal which was interrupted has left go with parts that are gone already.
    const gone = verb === 'remove' ? plan.parts.filter(({ state }) => state === 'absent') : [];
    const chosen = [...asked, ...gone.map(({ part }) => part)];
    const parts = plan.parts.filter(({ part }) => chosen.includes(part));
    const report: SetupReport = {
      launcher: plan.launcher,
      parts:
        parts.length === 0
          ? []
          : (
              await bridge.setUp({
                action: verb,
                parts: chosen,
                force,
                expect: parts.flatMap(({ changes }) =>
                  changes.map(({ file, beforeSha256 }) => ({ file, beforeSha256 })),
                ),
              })
            ).parts,
    };
    const rest = plan.parts.filter(({ part }) => !chosen.includes(part));
    if (isJson) printJson(context, { ...report, parts: [...report.parts, ...rest] });
    else printText(context, describeDone(report, verb));
    const isLeftOut =
      rest.some(({ changes }) => changes.length > 0) && !isYes && !isTerminal(context);
    return hasProblem(report) || hasProblem({ ...plan, parts: rest }) || isLeftOut ? 1 : 0;
  },
};

function partsOf({ positionals }: CommandArgs): SetupPart[] {
  if (positionals.length === 0) return [...SETUP_PARTS];
  return positionals.map((name) => {
    const part = SETUP_PARTS.find((known) => known === name);
    if (part !== undefined) return part;
    throw new BridgeError('bad_argument', `delegate setup: there is no part "${name}".`, {
      hint: `The parts are ${SETUP_PARTS.join(', ')}.`,
    });
  });
}

/** The parts that are to be written, each shown first. */
async function choose(
  plan: SetupReport,
  { isYes, isQuiet }: { isYes: boolean; isQuiet: boolean },
  context: CliContext,
): Promise<readonly SetupPart[]> {
  const chosen: SetupPart[] = [];
  let isAll = isYes;
  for (const part of plan.parts) {
    if (!isQuiet) printText(context, describePlan(part));
    if (part.changes.length === 0) continue;
    if (isAll) {
      chosen.push(part.part);
      continue;
    }
    if (isQuiet || !isTerminal(context)) continue;
    const answer = await askChoice('Write this? (y)es, (n)o, (a)ll, (q)uit: ', 'ynaq', context);
    if (answer === 'q') break;
    if (answer === 'a') isAll = true;
    if (answer !== 'n') chosen.push(part.part);
  }
  const isAsked = isYes || isTerminal(context);
  if (!isAsked && !isQuiet && plan.parts.some(({ changes }) => changes.length > 0)) {
    printText(context, '\nNothing was written. To write it: the same with --yes.');
  }
  return chosen;
}

function describePlan({ part, title, state, problem, note, changes }: PartReport): string {
  const lines = [`\n${part}: ${clean(title)} (${state})`];
  if (problem !== null) lines.push(clean(problem));
  if (note !== null) lines.push(clean(note));
  if (changes.length === 0 && problem === null) lines.push('Nothing to do.');
  for (const change of changes) lines.push(formatFileChange(change, textOf(change.file)));
  if (state === 'changed' && problem !== null) {
    lines.push('With --force it is replaced or removed all the same.');
  }
  return lines.join('\n');
}

function describeDone({ launcher, parts }: SetupReport, verb: 'install' | 'remove'): string {
  if (parts.length === 0) return '';
  const lines = parts.map(({ part, state, problem }) =>
    problem === null ? `${part}: ${state}` : `${part}: ${clean(problem)}`,
  );
  const isRegistered = parts.some(
    ({ part, state }) => part === 'registration' && state === 'installed',
  );
  if (verb === 'install' && isRegistered) lines.push(`Claude Code starts ${clean(launcher)} mcp.`);
  if (parts.some(({ changes }) => changes.length > 0))
    lines.push('Sessions of Claude Code that run already notice it when they are started again.');
  return `\n${lines.join('\n')}`;
}

/** What the plan has just read as well; the hashes of the plan are compared when it is written. */
function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function hasProblem({ parts }: SetupReport): boolean {
  return parts.some(({ problem }) => problem !== null);
}

function isTerminal({ stdin, stderr }: CliContext): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

function clean(text: string): string {
  return sanitiseLine(text, 2_000);
}
