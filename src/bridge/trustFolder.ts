import { BridgeError } from '../base/bridgeError.ts';
import type { LoadedConfig } from '../config/load.ts';
import { sidecarPath } from '../config/sidecarPath.ts';
import { effectiveValues } from '../config/effectiveValues.ts';
import type { BridgeContext } from './bridgeContext.ts';
import { trustSubject } from './trustSubject.ts';

export interface TrustGiven {
  readonly file: string;
  /** Keys that can run programs or send data elsewhere (`gates` stands for all gates), and files of Claude Code's settings. */
  readonly keys: readonly string[];
  /** What these keys are set to from now on, as JSON; literal secrets are hidden. */
  readonly values: readonly { readonly key: string; readonly value: string }[];
  /** Whether the models.yaml counts now. One without `endpoints` and `defaults` is taken for another program's. */
  readonly isUsed: boolean;
}

/**
 * Trusts what a folder brings along as it is now: its models.yaml with the sidecar, and its settings of Claude Code. A change of a
 * privileged key, or of the settings, asks again.
 * @param fingerprint of what was shown before (`trustSubject`); null: nothing was shown
 * @throws BridgeError wrong_state when the files are not those that were shown
 */
export function trustFolder(
  context: BridgeContext,
  path: string,
  fingerprint: string | null = null,
): TrustGiven {
  const subject = trustSubject(path);
  if (fingerprint !== null && fingerprint !== subject.fingerprint) {
    throw new BridgeError('wrong_state', `The settings of ${subject.folder} have just changed.`, {
      hint: 'Look at them again before you trust them.',
    });
  }
  for (const { file, hash } of subject.hashes) context.trust.trust(file, hash);
  const { file, keys } = subject;
  const loaded = context.loadConfig(subject.folder);
  return {
    file,
    keys,
    values: valuesInForce(loaded, file, keys),
    isUsed: loaded.files.some((each) => each.path === file && each.used),
  };
}

/** Whether anything of the folder was trusted before. */
export function untrustFolder(context: BridgeContext, path: string): boolean {
  const { file, settingsFiles } = trustSubject(path, { mayBeMissing: true });
  const revoked = [file, sidecarPath(file), ...settingsFiles].map((each) =>
    context.trust.revoke(each),
  );
  return revoked.includes(true);
}

function valuesInForce(
  loaded: LoadedConfig,
  file: string,
  keys: readonly string[],
): TrustGiven['values'] {
  const isBelow = (path: string, key: string): boolean =>
    path === key || path.startsWith(`${key}.`) || path.startsWith(`${key}[`);
  return effectiveValues(loaded)
    .filter(({ origin }) => origin === file || origin === sidecarPath(file))
    .filter(({ path }) => keys.some((key) => isBelow(path, key)))
    .map(({ path, value }) => ({ key: path, value: JSON.stringify(value) }));
}
