import { NO_RANGE, type TextRange } from '../../config/documentRanges.ts';
import type { AgentFile } from './listAgentFiles.ts';
import { lintKeys } from './lintKeys.ts';
import { lintModel } from './lintModel.ts';
import { lintTools } from './lintTools.ts';
import type { ToolSettings } from './offeredTools.ts';
import type { ParsedAgent } from './parseAgent.ts';

/** What a definition says that does not come about, or that comes about otherwise than its author may think. */
export interface AgentFinding {
  /** `error`: the definition cannot be used. `info`: works as written, but only here or only in Claude Code. */
  readonly severity: 'error' | 'warning' | 'info';
  /** Stable word for code to branch on, such as `unknown_tool`. */
  readonly code: string;
  /** In the file, from 1; line 0: no place in the text. */
  readonly range: TextRange;
  readonly message: string;
  /** What to do; empty when the message says it. */
  readonly hint: string;
  /** A word of the file that was probably meant otherwise, for a fix at a click. */
  readonly replacement?: { readonly found: string; readonly replace: string };
}

/** What a definition is held against. */
export interface AgentFacts {
  /** Names that endpoints answer for right now; null: nobody was asked. */
  readonly servedNames: readonly string[] | null;
  readonly settings: ToolSettings;
  /** The file of the same name that wins over this one; null: this one is found. */
  readonly shadowedBy: string | null;
}

/** Checks one definition, in the order of the file. Pure: what it is held against comes with it. */
export function lintAgent(file: AgentFile, parsed: ParsedAgent, facts: AgentFacts): AgentFinding[] {
  const findings: AgentFinding[] = [
    ...parsed.problems.map(({ key: _, ...problem }) => ({ ...problem, hint: '' })),
    ...lintKeys(file, parsed),
    ...lintModel(parsed, facts),
    ...lintTools(parsed, facts),
  ];
  const whole = (
    severity: AgentFinding['severity'],
    code: string,
    message: string,
    hint: string,
  ): void => {
    findings.push({ severity, code, range: NO_RANGE, message, hint });
  };
  if (facts.shadowedBy !== null) {
    whole(
      'info',
      'shadowed',
      `${facts.shadowedBy} has the same name and wins over this file`,
      'Rename one of them if both are wanted.',
    );
  }
  // What is missing from front matter that cannot be read is not known.
  if (parsed.problems.some((problem) => problem.severity === 'error')) return inOrder(findings);
  if (
    (parsed.description ?? '') === '' &&
    !parsed.problems.some(({ key }) => key === 'description')
  ) {
    whole(
      'warning',
      'no_description',
      'there is no description: nobody can tell when to use it, and Claude Code does not offer it',
      'Add "description:" to the front matter.',
    );
  }
  if (parsed.body === '') {
    whole(
      'warning',
      'no_body',
      'there is no text below the front matter, so the model is told nothing of its role',
      '',
    );
  }
  return inOrder(findings);
}

function inOrder(findings: readonly AgentFinding[]): AgentFinding[] {
  return [...findings].sort(
    (a, b) => a.range.line - b.range.line || a.range.column - b.range.column,
  );
}
