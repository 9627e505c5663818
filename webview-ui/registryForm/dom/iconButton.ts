import { el } from '../../dom/el.ts';
import { icon } from '../../dom/icon.ts';

/** A small button without words; `label` is what it is called, and its tooltip. */
export function iconButton(name: string, label: string, onClick: () => void): HTMLButtonElement {
  return el(
    'button',
    {
      class: 'icon-button',
      title: label,
      attrs: { type: 'button', 'aria-label': label },
      // One that is off stays where the focus is, and does nothing.
      onClick: (event) => {
        if ((event.currentTarget as HTMLElement).getAttribute('aria-disabled') !== 'true')
          onClick();
      },
    },
    icon(name),
  );
}
