import * as path from 'node:path';
import { realPathOfDeepest } from '../../config/paths.ts';
import { sidecarPath } from '../../config/sidecarPath.ts';
import { userConfigFile } from '../../config/userConfigFile.ts';

export interface ConfigPlacesOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly homeDir: string;
  readonly platform: NodeJS.Platform;
  /** Folder of the processes that read the configuration. */
  readonly cwd: string;
  /** Roots of the workspace. */
  readonly folders: readonly string[];
}

/**
 * The files that are read as models.yaml in this window: the user's, those at the roots of the workspace, and their sidecars. No other file
 * of that name is looked at, for other programs have a models.yaml too. A link counts by its own path and by that of its target.
 */
export function configPlaces(options: ConfigPlacesOptions): string[] {
  const mains = [
    userConfigFile(options),
    ...options.folders.map((folder) => path.join(folder, 'models.yaml')),
  ];
  const files = mains.flatMap((file) => [file, sidecarPath(file)]);
  return [...new Set(files.flatMap((file) => [file, realPathOfDeepest(file)]))];
}
