import { el } from '../../dom/el.ts';

/** A part of the right side: a heading and what belongs to it. */
export function card(
  id: string,
  title: string,
  ...children: readonly (Node | null)[]
): HTMLElement {
  const headingId = `${id}-title`;
  return el(
    'section',
    { class: `card ${id}`, attrs: { 'aria-labelledby': headingId } },
    el('h2', { text: title, attrs: { id: headingId } }),
    ...children,
  );
}
