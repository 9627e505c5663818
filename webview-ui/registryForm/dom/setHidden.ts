/** Hides or shows an element, and touches it only where that is another state: hundreds of cards are asked at each change. */
export function setHidden(element: HTMLElement, isHidden: boolean): void {
  if (element.hidden !== isHidden) element.hidden = isHidden;
}
