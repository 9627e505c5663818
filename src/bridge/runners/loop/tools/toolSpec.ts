import type { ToolSpec } from '../wire/turnTypes.ts';
import type { ToolName } from './toolNames.ts';

export interface Parameter {
  readonly type: 'string' | 'integer' | 'boolean';
  readonly description: string;
  readonly isRequired?: boolean;
}

/** A tool as the model is told of it; the order of the parameters is the order of the text. */
export function toolSpec(
  name: ToolName,
  description: string,
  parameters: Readonly<Record<string, Parameter>>,
): ToolSpec {
  const entries = Object.entries(parameters);
  return {
    name,
    description,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        entries.map(([key, { type, description: text }]) => [key, { type, description: text }]),
      ),
      required: entries.filter(([, each]) => each.isRequired === true).map(([key]) => key),
    },
  };
}
