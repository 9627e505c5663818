import { BridgeError } from '../base/bridgeError.ts';
import { removeSidecarEndpoint } from '../config/removeSidecarEndpoint.ts';
import { isSameServer } from '../config/serverRoot.ts';
import type { BridgeContext } from './bridgeContext.ts';

/**
 * Takes back what registering an endpoint wrote. One that has another address by now was changed by somebody and stays.
 * @returns the file that was written, and whether the endpoint is still there because another file names it
 * @throws BridgeError unknown_endpoint when the sidecar does not name it, wrong_state when it has another address
 */
export function removeEndpoint(
  context: BridgeContext,
  name: string,
  options: { baseUrl: string; repoRoot: string | null },
): { file: string; isStillThere: boolean } {
  const known = context.loadConfig(options.repoRoot).config.endpoints[name];
  if (known !== undefined && !isSameServer(known.base_url, options.baseUrl)) {
    throw new BridgeError('wrong_state', `The endpoint ${name} has another address by now.`, {
      hint: 'Remove it in models.yaml yourself if it is not needed.',
    });
  }
  const file = removeSidecarEndpoint(context.userConfigFile, name);
  if (file === null) {
    throw new BridgeError('unknown_endpoint', `No endpoint ${name} was registered here.`, {
      hint: 'One that models.yaml itself names is removed there.',
    });
  }
  const left = context.loadConfig(options.repoRoot).config.endpoints;
  return { file, isStillThere: Object.hasOwn(left, name) };
}
