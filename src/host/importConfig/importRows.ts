import type { UiAnswer } from '../../protocol/ui/uiTools.ts';
import type { ImportKind } from '../../protocol/ui/importConfig.ts';
import { foreignLabel } from '../start/foreignLabel.ts';

type Found = UiAnswer<'import_sources'>['found'][number];
type Plan = UiAnswer<'import_config'>;

/** What an import is made from; what is missing is asked for. */
export interface ImportChoice {
  readonly kind: ImportKind;
  readonly path?: string;
  readonly baseUrl?: string;
}

export interface ImportRow {
  readonly label: string;
  readonly description: string;
  readonly choice: ImportChoice;
}

export const SOURCE_NAMES: Readonly<Record<ImportKind, string>> = {
  localagents: 'localagents',
  litellm: 'LiteLLM',
  environment: 'Variables of delegate-local',
  ollama: 'Ollama',
  lmstudio: 'LM Studio',
};

const ICONS: Readonly<Record<ImportKind, string>> = {
  localagents: '$(file-code)',
  litellm: '$(file-code)',
  environment: '$(symbol-variable)',
  ollama: '$(server)',
  lmstudio: '$(server)',
};

/** What was found, best first as the engine has it. */
export function foundRows(found: readonly Found[]): ImportRow[] {
  return found.map(({ kind, path, baseUrl, detail }) => ({
    label: `${ICONS[kind]} ${SOURCE_NAMES[kind]}`,
    description: foreignLabel(detail, 200),
    choice: {
      kind,
      ...(path === null ? {} : { path }),
      ...(baseUrl === null ? {} : { baseUrl }),
    },
  }));
}

/** What can be imported from elsewhere; servers are asked in a trusted window alone. */
export function otherRows(isTrusted: boolean): ImportRow[] {
  const row = (kind: ImportKind, label: string, description: string): ImportRow => ({
    ...{ label: `${ICONS[kind]} ${label}`, description, choice: { kind } },
  });
  return [
    row('litellm', 'LiteLLM configuration…', 'choose the file'),
    row('localagents', 'localagents models.yaml…', 'choose the file'),
    ...(isTrusted
      ? [
          row('ollama', 'Ollama at another address…', 'asks for its list of models'),
          row('lmstudio', 'LM Studio at another address…', 'asks for its list of models'),
        ]
      : []),
  ];
}

export type Decision = 'apply' | 'cancel';

export interface PlanRow {
  readonly label: string;
  readonly detail: string;
  /** Null: the row only tells something. */
  readonly decision: Decision | null;
}

/** What can be done with what is shown, and what was left out. */
export function planRows(
  { secrets, notes, problems, isNew, targetFile }: Plan,
  isTrusted: boolean,
): { actions: PlanRow[]; notes: PlanRow[] } {
  const open = secrets.filter(({ isKept }) => !isKept).length;
  const apply: PlanRow = {
    label: `$(check) ${isNew ? 'Create the file' : 'Apply'}`,
    detail: foreignLabel(
      open === 0
        ? targetFile
        : `${targetFile} · asks what to do with ${open === 1 ? 'the key' : `the ${open} keys`} in the source`,
      300,
    ),
    decision: 'apply',
  };
  const tell = (icon: string, text: string): PlanRow => ({
    label: `$(${icon}) ${foreignLabel(text, 160)}`,
    // A label is cut at the edge of the list, a detail is not shown twice.
    detail: text.length > 90 ? foreignLabel(text, 400) : '',
    decision: null,
  });
  return {
    actions: [
      ...(isTrusted ? [apply] : []),
      { label: '$(close) Cancel', detail: 'Changes nothing', decision: 'cancel' },
    ],
    notes: [
      ...(isTrusted
        ? []
        : [
            tell(
              'workspace-untrusted',
              'Nothing is written in Restricted Mode: trust this window to apply it.',
            ),
          ]),
      ...problems.map(({ severity, line, message }) =>
        tell(severity, line > 0 ? `Line ${line}: ${message}` : message),
      ),
      ...notes.map((note) => tell('info', note)),
    ],
  };
}
