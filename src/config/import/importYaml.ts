import { BridgeError } from '../../base/bridgeError.ts';
import { isGroup } from '../parts.ts';
import { readYamlText } from '../yamlText.ts';

/**
 * The keys of a YAML file that another tool reads. A text that a hostile file could choke us with is refused as it is for models.yaml.
 * @throws BridgeError `bad_argument` with the line, never with text of the file
 */
export function importYaml(text: string): Record<string, unknown> {
  const { data, findings } = readYamlText(text);
  const error = findings.find(({ severity }) => severity === 'error');
  if (error !== undefined) {
    const place = error.range.line > 0 ? `Line ${error.range.line}: ` : '';
    // What the parser says of a syntax error may quote the line, and a key may stand on it.
    const reason = error.code === 'syntax' ? 'this is not YAML that can be read' : error.message;
    throw new BridgeError('bad_argument', `${place}${reason}.`, {
      hint: 'Look at the file in an editor.',
    });
  }
  if (data === null || data === undefined) return {};
  if (isGroup(data)) return data;
  throw new BridgeError('bad_argument', 'The file is not a group of keys.', {
    hint: 'Is it the right file?',
  });
}
