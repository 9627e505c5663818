import { el } from '../../dom/el.ts';

interface ActionButtonOptions {
  readonly icon?: string;
  readonly isPrimary?: boolean;
  readonly onClick: () => void;
}

type VsCodeButton = HTMLElementTagNameMap['vscode-button'];

/** A button with words, as VS Code draws it. */
export function actionButton(label: string, options: ActionButtonOptions): VsCodeButton {
  const button = el(
    'vscode-button',
    {
      attrs: options.icon === undefined ? {} : { icon: options.icon },
      onClick: () => {
        if (!button.disabled) options.onClick();
      },
    },
    label,
  );
  button.secondary = options.isPrimary !== true;
  return button;
}

/** Switches a button off, with the reason as its tooltip; null: it is on. */
export function setWhyOff(button: VsCodeButton, whyOff: string | null, title = ''): void {
  if (button.disabled !== (whyOff !== null)) button.disabled = whyOff !== null;
  const tooltip = whyOff ?? title;
  if (button.title !== tooltip) button.title = tooltip;
}
