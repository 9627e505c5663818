import { createHash } from 'node:crypto';
import type { Answer, Reply } from './answer.ts';
import { chooseToolCall, smallestCall } from './chooseToolCall.ts';
import type { Conversation, Turn } from './conversation.ts';
import { findScriptText } from './findScriptText.ts';
import { parseScript } from './parseScript.ts';
import { isFault, isToolStep, type Fault, type Manner, type ScriptItem } from './script.ts';

/** How Claude Code asks for the summary that takes the place of a conversation grown too long. */
const SUMMARY_REQUEST = /^CRITICAL: Respond with TEXT ONLY/m;

const NO_SCRIPT =
  'This is the rehearsal server. It has no model: it plays the script in a ```rehearsal block of the newest message, and there is none.';

/**
 * Decides what each request gets. The place in a script is read from the conversation itself (tool results since the
 * message with the script), so a resumed or retried request finds its step again; only the faults that were already
 * played are remembered here, per conversation.
 */
export class Player {
  /** Conversation and script to the lines whose fault or manner has been played. */
  private readonly played = new Map<string, Set<number>>();

  reply(conversation: Conversation): Reply {
    const { turns } = conversation;
    const briefIndex = turns.findLastIndex((turn) => scriptOf(turn) !== null);
    const brief = turns[briefIndex];
    const text = brief === undefined ? null : scriptOf(brief);
    if (text === null) return withoutScript(conversation);

    const parsed = parseScript(text);
    if (!parsed.ok) {
      return plain(
        `Line ${parsed.line} of the rehearsal script: ${parsed.problem} Nothing was done.`,
      );
    }
    const since = turns.slice(briefIndex + 1);
    const place = placeOf(since);
    const round = parsed.script.rounds[place.round];
    if (round === undefined) {
      return plain('The rehearsal script is over. Nothing was done for this message.');
    }
    const played = this.playedIn(conversation.session, turns.slice(0, briefIndex + 1), text);
    if (asksForSummary(turns)) return plain(summaryOf(text, round, place.results, played));
    return replyFrom(round, place.results, played, conversation);
  }

  private playedIn(session: string, history: readonly Turn[], script: string): Set<number> {
    const ordinal = history.filter((turn) => scriptOf(turn) !== null).length;
    const key = createHash('sha256')
      .update(JSON.stringify([session, ordinal, script]))
      .digest('hex');
    let lines = this.played.get(key);
    if (lines === undefined) this.played.set(key, (lines = new Set()));
    return lines;
  }
}

function scriptOf(turn: Turn): string | null {
  return turn.kind === 'user' ? findScriptText(turn.text) : null;
}

/** A round ends when the user speaks again after a final answer; its steps are counted by their results. */
function placeOf(since: readonly Turn[]): { round: number; results: number } {
  const place = { round: 0, results: 0 };
  let isOver = false;
  for (const turn of since) {
    if (turn.kind === 'final') isOver = true;
    else if (turn.kind === 'result') place.results++;
    else if (turn.kind === 'user' && isOver) {
      place.round++;
      place.results = 0;
      isOver = false;
    }
  }
  return place;
}

function replyFrom(
  round: readonly ScriptItem[],
  results: number,
  played: Set<number>,
  conversation: Conversation,
): Reply {
  const from = indexAfterSteps(round, results);
  const answer: Answer = { thinking: null, text: null, call: null };
  const said: string[] = [];
  const manners: Manner[] = [];
  let fault: Fault | null = null;
  for (const item of round.slice(from)) {
    if (isToolStep(item)) {
      answer.call = chooseToolCall(item, conversation.tools);
      if (answer.call === null) return plain(noToolFor(item, conversation));
      break;
    }
    if (item.kind === 'say') said.push(item.text);
    else if (fault === null && !played.has(item.line)) {
      played.add(item.line);
      if (isFault(item)) fault = item;
      else manners.push(item);
    }
  }
  const thoughts = manners.flatMap((manner) => (manner.kind === 'thinking' ? [manner.text] : []));
  answer.thinking = thoughts.length > 0 ? thoughts.join('\n') : null;
  answer.text = said.length > 0 ? said.join('\n') : null;
  if (answer.call === null) answer.text ??= 'The rehearsal script is over.';
  return { answer, fault, manners };
}

/** The request comes as a message, beside a tool result or, by way of a gateway, inside one. */
function asksForSummary(turns: readonly Turn[]): boolean {
  const last = turns.at(-1);
  return last !== undefined && 'text' in last && SUMMARY_REQUEST.test(last.text);
}

/** What is left to play, as a script: the conversation that starts with this summary goes on with it. */
function summaryOf(
  text: string,
  round: readonly ScriptItem[],
  results: number,
  played: ReadonlySet<number>,
): string {
  const next = round.slice(indexAfterSteps(round, results)).find((item) => !played.has(item.line));
  const lines = text.split('\n');
  const left = lines.slice((next?.line ?? lines.length + 1) - 1).join('\n');
  const fence = '`'.repeat(
    Math.max(3, ...(left.match(/`{3,}/g) ?? []).map((run) => run.length + 1)),
  );
  return `<summary>\nThe rehearsal goes on with:\n\n${fence}rehearsal\n${left}\n${fence}\n</summary>`;
}

/** Where to go on once `count` tool steps have their results; more results than steps lead behind the last step. */
function indexAfterSteps(round: readonly ScriptItem[], count: number): number {
  const stepIndexes = round.flatMap((item, index) => (isToolStep(item) ? [index] : []));
  const last = stepIndexes[Math.min(count, stepIndexes.length) - 1];
  return last === undefined ? 0 : last + 1;
}

function noToolFor(item: ScriptItem, { tools }: Conversation): string {
  const offered = tools.map((tool) => tool.name).join(', ') || 'none at all';
  return `Line ${item.line} of the rehearsal script ("${item.kind}") needs a tool that this client does not offer (it offers: ${offered}). The script stops here.`;
}

/**
 * Without a script there is nothing to play. A client that demands a call, or offers one single tool (the question
 * whether a model can call tools at all), gets the smallest call, because this server can.
 */
function withoutScript({ tools, turns, demandedTool }: Conversation): Reply {
  if (turns.at(-1)?.kind === 'result') return plain(NO_SCRIPT);
  const only = tools.length === 1 ? tools[0] : undefined;
  const tool =
    demandedTool === null
      ? only
      : (tools.find((candidate) => candidate.name === demandedTool) ?? tools[0]);
  if (tool === undefined) return plain(NO_SCRIPT);
  return {
    answer: { thinking: null, text: null, call: smallestCall(tool) },
    fault: null,
    manners: [],
  };
}

function plain(text: string): Reply {
  return { answer: { thinking: null, text, call: null }, fault: null, manners: [] };
}
