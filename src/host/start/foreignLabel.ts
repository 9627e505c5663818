import { sanitiseLine } from '../../base/sanitise.ts';
import { escapeIcons } from '../delegate/escapeIcons.ts';

/** Text of a server, a model or a workspace for a label: one line, and no icon that it asks for by `$(name)`. */
export function foreignLabel(text: string, maxLength = 120): string {
  return escapeIcons(sanitiseLine(text, maxLength));
}
