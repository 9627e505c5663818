import type { BridgeContext } from './bridgeContext.ts';
import { trustFolder, type TrustGiven, untrustFolder } from './trustFolder.ts';
import { trustSubject, type TrustSubject } from './trustSubject.ts';

/** Which repositories' own settings count. */
export class TrustedFolders {
  readonly #context: BridgeContext;

  constructor(context: BridgeContext) {
    this.#context = context;
  }

  list(): { path: string; at: string }[] {
    return this.#context.trust.list().map(({ file, trustedAt }) => ({ path: file, at: trustedAt }));
  }

  /** What trusting a folder would let count, and whether all of it does already. */
  async subject(path: string): Promise<TrustSubject & { isTrusted: boolean }> {
    this.#context.assertUnrestricted();
    const subject = trustSubject(path);
    const { trust } = this.#context;
    return {
      ...subject,
      isTrusted: subject.hashes.every(({ file, hash }) => trust.isTrusted(file, hash)),
    };
  }

  /** @param fingerprint of what `subject` has shown; without it whatever is there now is trusted */
  async add(path: string, fingerprint: string | null = null): Promise<TrustGiven> {
    this.#context.assertUnrestricted();
    return trustFolder(this.#context, path, fingerprint);
  }

  /** Whether it was trusted. */
  async remove(path: string): Promise<boolean> {
    this.#context.assertUnrestricted();
    return untrustFolder(this.#context, path);
  }
}
