import type { ConfigPath } from '../../../src/config/configPath.ts';
import type { FormField } from '../../../src/protocol/modelsLanguage/formState.ts';

/** A part of the form. `show` brings it to what the form says now, and touches nothing that is as it should be. */
export interface View {
  readonly element: HTMLElement;
  show(): void;
}

/** A key of the file and how it is entered. */
export interface Place {
  readonly path: ConfigPath;
  readonly field: FormField;
}
