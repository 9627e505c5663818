import { existsSync } from 'node:fs';
import { sidecarPath } from '../config/sidecarPath.ts';
import { formatPath } from '../config/configPath.ts';
import type { BridgeContext } from './bridgeContext.ts';

export interface ConfigFacts {
  /** The user's models.yaml; it need not exist. */
  readonly configFile: string;
  readonly isExisting: boolean;
  /** The file beside it that registering an endpoint writes. */
  readonly sidecarFile: string;
  readonly endpoints: readonly {
    readonly name: string;
    readonly baseUrl: string;
    /** File or `$VARIABLE` that names it; `default` for the one that is guessed while nothing names any. */
    readonly source: string;
  }[];
  /** Files of the repository that count only once they are trusted. */
  readonly untrusted: readonly string[];
}

/** Which endpoints the configuration names, and where. No endpoint is asked. */
export function configFacts(context: BridgeContext, repoRoot: string | null): ConfigFacts {
  const loaded = context.loadConfig(repoRoot);
  const configFile = context.userConfigFile;
  return {
    configFile,
    isExisting: existsSync(configFile),
    sidecarFile: sidecarPath(configFile),
    endpoints: Object.entries(loaded.config.endpoints).map(([name, entry]) => ({
      name,
      baseUrl: entry.base_url,
      source: loaded.origin(formatPath(['endpoints', name, 'base_url'])),
    })),
    untrusted: loaded.untrusted,
  };
}
