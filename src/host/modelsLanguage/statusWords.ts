import { formatPlural } from '../../protocol/statusLineParts.ts';
import type { LanguageState } from './languageState.ts';

export interface StatusFacts {
  readonly state: LanguageState;
  readonly errors: number;
  readonly warnings: number;
  /** The settings of a repository that nobody has trusted yet. */
  readonly isUntrusted: boolean;
  readonly isRestricted: boolean;
}

export interface StatusWords {
  readonly text: string;
  readonly detail: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly isBusy: boolean;
  readonly action: 'restart' | 'trust' | 'problems' | null;
}

/** What the language status of a models.yaml says, the most important first. */
export function statusWords(facts: StatusFacts): StatusWords {
  const { state, errors, warnings, isUntrusted, isRestricted } = facts;
  const words = (
    text: string,
    detail: string,
    severity: StatusWords['severity'],
    action: StatusWords['action'] = null,
  ): StatusWords => ({ text, detail, severity, action, isBusy: false });
  switch (state.kind) {
    case 'idle':
    case 'starting':
    case 'waiting':
      return {
        ...words('models.yaml is not checked yet', 'The language server starts.', 'info'),
        isBusy: true,
      };
    case 'ended':
      return words('The language server has ended', state.reason, 'error', 'restart');
    case 'running':
      break;
  }
  const counts = [
    ...(errors > 0 ? [formatPlural(errors, 'error')] : []),
    ...(warnings > 0 ? [formatPlural(warnings, 'warning')] : []),
  ].join(', ');
  if (isUntrusted) {
    return words(
      'Not trusted, so it does not count',
      counts === '' ? 'It is only checked.' : `It is only checked: ${counts}.`,
      'warning',
      isRestricted ? null : 'trust',
    );
  }
  const asked = isRestricted ? 'No endpoint is asked in Restricted Mode.' : '';
  if (counts === '') return words('No problems', asked, 'info');
  return words(counts, asked, errors > 0 ? 'error' : 'warning', 'problems');
}
