import path from 'node:path';

/** `models.yaml` -> `models.local.yaml`, in the same folder. */
export function sidecarPath(configFile: string): string {
  const { dir, name, ext } = path.parse(configFile);
  return path.join(dir, `${name}.local${ext}`);
}
