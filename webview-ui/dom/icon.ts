import { el } from './el.ts';

/** A codicon that only repeats what the words beside it say. */
export function icon(name: string, extra = ''): HTMLElement {
  return el('span', {
    class: `codicon codicon-${name}${name === 'loading' ? ' spin' : ''} ${extra}`.trim(),
    attrs: { 'aria-hidden': 'true' },
  });
}
