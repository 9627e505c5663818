import path from 'node:path';
import { configDir, expandHome } from './paths.ts';

export interface UserConfigFileOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string;
  readonly platform: NodeJS.Platform;
  /** `--config`. */
  readonly configFile?: string;
  /** What a relative path is relative to. Default: the folder of this process. */
  readonly cwd?: string;
}

/** The user's models.yaml: `--config`, else `$DELEGATE_CONFIG`, else the one in the config dir. It need not exist. */
export function userConfigFile(options: UserConfigFileOptions): string {
  const { env, homeDir, platform, configFile, cwd = '' } = options;
  const chosen = configFile ?? (env['DELEGATE_CONFIG'] || undefined);
  if (chosen !== undefined) return path.resolve(cwd, expandHome(chosen, homeDir));
  return path.join(configDir(env, homeDir, platform), 'models.yaml');
}
