import { BridgeError } from '../base/bridgeError.ts';
import { atomicWrite } from './atomicWrite.ts';
import { sidecarPath } from './sidecarPath.ts';
import { editModelsText } from './edit/editModelsText.ts';
import { readEndpoints, readOwnFile } from './sidecarFile.ts';

/**
 * Takes one endpoint out of the sidecar of a models.yaml; everything else in it keeps its bytes. models.yaml itself is never
 * touched, so an endpoint that it names is still there. Atomic.
 * @returns the path of the sidecar; null when it does not name the endpoint
 * @throws BridgeError config_invalid when the sidecar is broken or a link
 */
export function removeSidecarEndpoint(configFile: string, name: string): string | null {
  const file = sidecarPath(configFile);
  const before = readOwnFile(file);
  if (before === null) return null;
  const known = readEndpoints(before, file);
  if (!Object.hasOwn(known, name)) return null;
  const edited = editModelsText(before, [{ kind: 'remove', path: ['endpoints', name] }]);
  if (!edited.isOk) {
    throw new BridgeError('config_invalid', `${file} cannot be written to. ${edited.message}`);
  }
  atomicWrite(file, edited.text, 0o600);
  return file;
}
