import type { COMMANDS } from '../../../contributions.ts';

/** A row of a tree as it is decided without VS Code: rowItem.ts makes the item of it. */
export interface Row {
  /** Stable over the life of the tree, so that VS Code keeps what is open and selected. */
  readonly id: string;
  readonly label: string;
  /** Beside the label, the most important first: the tree cuts on the right. */
  readonly description: string;
  readonly icon: RowIcon | null;
  readonly contextValue: string;
  /** The whole row in words, for those who do not see icons and colours. Holds nothing that changes each second. */
  readonly accessibleLabel: string;
  readonly children: 'none' | 'collapsed' | 'expanded';
  /** What a click and Enter do; null where they open the children, or nothing. */
  readonly command: { readonly name: keyof typeof COMMANDS; readonly title: string } | null;
  /** Plain text; rows with more to say have it made when it is looked at. */
  readonly tooltip: string | null;
}

export interface RowIcon {
  /** A codicon. */
  readonly id: string;
  /** A theme colour that repeats what the icon says. */
  readonly color?: string;
}

export const PASSED = 'testing.iconPassed';
export const FAILED = 'testing.iconFailed';
export const WARNING = 'list.warningForeground';
export const MUTED = 'disabledForeground';

/** Parts of a description; what is not known or not worth saying is left out. */
export function joinParts(parts: readonly (string | null)[], separator = ' · '): string {
  return parts.filter((part) => part !== null && part !== '').join(separator);
}
