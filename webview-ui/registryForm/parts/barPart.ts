import type { FormState } from '../../../src/protocol/modelsLanguage/formState.ts';
import { el } from '../../dom/el.ts';
import { icon } from '../../dom/icon.ts';
import { setText } from '../../dom/setText.ts';
import { actionButton, setWhyOff } from '../dom/actionButton.ts';
import { setHidden } from '../dom/setHidden.ts';
import { setAttribute } from '../dom/setAttribute.ts';
import { countWords } from '../facts/countWords.ts';
import type { View } from '../fields/fieldView.ts';
import type { Form } from '../form.ts';
import { ProblemsPanel } from './problemsPanel.ts';

const ROLES: Readonly<Record<FormState['role'], string>> = {
  user: 'your own file, for every workspace',
  'user-sidecar': 'sidecar of your own file, kept out of git',
  workspace: 'file of this workspace',
  'workspace-sidecar': 'sidecar of this workspace, kept out of git',
  other: 'not one of the files that are read: it is only checked',
};

interface BarOptions {
  readonly onOpenYaml: () => void;
  readonly onRegister: () => void;
}

/** The top: which file it is, whether it counts, what is wrong with it, and what can be done with the whole of it. */
export class BarPart implements View {
  readonly element: HTMLElement;
  readonly #form: Form;
  readonly #file = el('h1', { class: 'file' });
  readonly #role = el('span', { class: 'role' });
  readonly #readonly = el('span', { class: 'badge', text: 'read-only' });
  readonly #untrusted: HTMLElement;
  readonly #trust;
  readonly #register;
  readonly #import;
  readonly #probe;
  readonly #problems: ProblemsPanel;
  readonly #summary: HTMLButtonElement;
  readonly #summaryIcon = el('span', {});
  readonly #summaryWords = el('span', {});
  #shownSummary = '';

  constructor(form: Form, options: BarOptions) {
    this.#form = form;
    this.#trust = actionButton('Trust…', {
      icon: 'shield',
      isPrimary: true,
      onClick: () => form.post({ type: 'trust' }),
    });
    this.#register = actionButton('Register Endpoint…', {
      icon: 'add',
      isPrimary: true,
      onClick: options.onRegister,
    });
    this.#import = actionButton('Import…', {
      icon: 'cloud-download',
      onClick: () => form.post({ type: 'import' }),
    });
    this.#probe = actionButton('Probe', {
      icon: 'pulse',
      onClick: () => form.post({ type: 'probe' }),
    });
    this.#problems = new ProblemsPanel(form, () => this.#summary.focus());
    this.#summary = el(
      'button',
      {
        class: 'problem-summary',
        attrs: { type: 'button', 'aria-controls': 'all-problems' },
        onClick: () => this.#problems.toggle(),
      },
      this.#summaryIcon,
      this.#summaryWords,
    );
    this.#untrusted = el(
      'div',
      { class: 'banner' },
      icon('shield'),
      el('span', { text: 'This file is not trusted: nothing of it counts yet.' }),
      this.#trust,
    );
    this.element = el(
      'header',
      { class: 'top' },
      el(
        'div',
        { class: 'top-line' },
        this.#file,
        this.#role,
        this.#readonly,
        this.#summary,
        el(
          'div',
          { class: 'buttons', attrs: { role: 'toolbar', 'aria-label': 'The whole file' } },
          actionButton('Open as YAML', { icon: 'go-to-file', onClick: options.onOpenYaml }),
          this.#probe,
          this.#import,
          this.#register,
        ),
      ),
      this.#untrusted,
      this.#problems.element,
    );
  }

  show(): void {
    const { state, isReadonly, whyNoActions, isAsking } = this.#form;
    setText(this.#file, state.role.endsWith('sidecar') ? 'models.local.yaml' : 'models.yaml');
    setText(this.#role, ROLES[state.role]);
    setHidden(this.#readonly, !isReadonly);
    setHidden(this.#untrusted, state.isUsed || state.role === 'other');
    setWhyOff(this.#trust, whyNoActions);
    const whyNoEdit = this.#form.isLocked
      ? isReadonly
        ? 'This file is read-only.'
        : 'The file cannot be edited by keys: mend it as YAML first.'
      : null;
    setWhyOff(this.#register, whyNoActions ?? whyNoEdit);
    setWhyOff(this.#import, whyNoActions ?? whyNoEdit);
    setWhyOff(
      this.#probe,
      whyNoActions ?? (isAsking ? 'The endpoints are being asked.' : null),
      'Ask the endpoints again',
    );
    this.#showSummary();
    this.#problems.show();
    setAttribute(this.#summary, 'aria-expanded', String(this.#problems.isShown));
  }

  #showSummary(): void {
    const { errors, warnings } = this.#form.problems.under([]);
    const words = countWords({ errors, warnings });
    if (words === this.#shownSummary && words !== '') return;
    this.#shownSummary = words;
    const tone = errors > 0 ? 'bad' : warnings > 0 ? 'attention' : 'good';
    this.#summary.className = `problem-summary tone-${tone}`;
    this.#summary.disabled = words === '';
    this.#summaryIcon.replaceChildren(
      icon(errors > 0 ? 'error' : warnings > 0 ? 'warning' : 'pass'),
    );
    setText(this.#summaryWords, words === '' ? 'no problems' : words);
  }
}
