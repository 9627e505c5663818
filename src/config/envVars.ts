import type { ConfigLayer } from './mergeLayers.ts';
import type { ConfigProblem } from './problem.ts';
import type { ModelsFile } from './schema.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What the DELEGATE_* variables set, one layer for each variable, and what is wrong with them. */
export function environmentLayers(
  env: Environment,
  _files: ModelsFile,
  hasFile: boolean,
): { layers: ConfigLayer[]; problems: ConfigProblem[] } {
  const url = env['DELEGATE_LOCAL_URL'];
  if (hasFile && url === undefined) return { layers: [], problems: [] };
  return {
    layers: [
      {
        source: url === undefined ? 'default' : '$DELEGATE_LOCAL_URL',
        value: {
          endpoints: {
            'delegate-local': { base_url: url ?? 'http://localhost:4000', locality: 'unknown' },
          },
        },
      },
    ],
    problems: [],
  };
}
