import { parsePath } from '../../config/configPath.ts';
import { isGroup } from '../../config/parts.ts';
import type { ConfigProblem } from '../../config/problem.ts';
import type { FormProblem, FormState } from '../../protocol/modelsLanguage/formState.ts';
import type { ModelsDocument } from '../modelsDocuments.ts';
import { maskSecrets, redactUnreadable } from './maskSecrets.ts';

interface FormFacts {
  /** What counts where the document says nothing: the other layers, with all defaults. */
  readonly inherited: unknown;
  /** Titles of the quick fixes of a problem. */
  readonly fixesOf: (problem: ConfigProblem) => readonly string[];
}

/** A document as the form shows it: what it says as written, what counts elsewhere, and what is wrong, without a key in it. */
export function formState(models: ModelsDocument, { inherited, fixesOf }: FormFacts): FormState {
  const { document, role, isUsed, parsed, problems } = models;
  const isEditable = parsed.document !== null && parsed.broken.every((part) => part.length > 0);
  // The parser has made this data once already, within its limits.
  const data: unknown = isEditable ? (parsed.document?.toJS({ maxAliasCount: 100 }) ?? {}) : null;
  const own = maskSecrets(data);
  const redact = isEditable ? own.redact : redactUnreadable(document.getText());
  return {
    version: document.version,
    role: role ?? 'other',
    isUsed,
    isEditable,
    values: isGroup(own.data) ? own.data : null,
    inherited: groupOf(maskSecrets(inherited).data),
    problems: problems.map((problem) => formProblem(problem, redact, fixesOf(problem))),
  };
}

function formProblem(
  problem: ConfigProblem,
  redact: (text: string) => string,
  fixes: readonly string[],
): FormProblem {
  const { path, severity, code, message, suggestion, line, column } = problem;
  return {
    path: [...(parsePath(path) ?? [])],
    ...{ severity, code, line, column },
    message: redact(message),
    suggestion: suggestion === null ? null : redact(suggestion),
    fixes: fixes.map(redact),
  };
}

function groupOf(value: unknown): Record<string, unknown> {
  return isGroup(value) ? value : {};
}
