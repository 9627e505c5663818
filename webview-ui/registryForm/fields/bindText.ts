import type { FieldDraft } from './fieldDraft.ts';

/** Makes an element of text write a draft: Enter or leaving it commits, Escape takes back. In a text of several lines it is Ctrl+Enter. */
export function bindText(
  input: HTMLInputElement | HTMLTextAreaElement,
  draft: FieldDraft,
  show: () => void,
): void {
  input.addEventListener('input', () => {
    draft.type(input.value);
    show();
  });
  input.addEventListener('blur', () => draft.commit(false));
  input.addEventListener('keydown', ((event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === 'Escape' && draft.takeBack()) {
      event.preventDefault();
      event.stopPropagation();
    } else if (
      event.key === 'Enter' &&
      (input instanceof HTMLInputElement || event.ctrlKey || event.metaKey)
    ) {
      event.preventDefault();
      draft.commit(true);
    }
  }) as EventListener);
}
