import type { BridgeContext } from './bridgeContext.ts';
import type { EndpointProbe } from './endpoints/endpointProbe.ts';
import { type NewEndpoint, registerEndpoint } from './registerEndpoint.ts';
import { removeEndpoint } from './removeEndpoint.ts';
import { scanEndpoints, type ScanReport } from './scanEndpoints.ts';
import type { TriedEndpoint } from './triedEndpoint.ts';
import { tryEndpoint, type TryOptions } from './tryEndpoint.ts';

/** Finds model servers, and registers those that a person chooses. */
export class EndpointSetup {
  readonly #context: BridgeContext;

  constructor(context: BridgeContext) {
    this.#context = context;
  }

  /** Which model servers answer on the usual ports of this machine. */
  async scan(options: {
    cwd: string;
    ports?: readonly number[];
    signal?: AbortSignal;
  }): Promise<ScanReport> {
    this.#context.assertUnrestricted();
    const { cwd, ...rest } = options;
    const repoRoot = await this.#context.repoRootIfThere(cwd);
    return scanEndpoints(this.#context, { ...rest, repoRoot });
  }

  /** What answers at an address that is not in the configuration yet, and the smallest entry for it. */
  async try(
    address: string,
    options: Omit<TryOptions, 'repoRoot'> & { cwd: string },
  ): Promise<TriedEndpoint> {
    this.#context.assertUnrestricted();
    const { cwd, ...rest } = options;
    const repoRoot = await this.#context.repoRootIfThere(cwd);
    return tryEndpoint(this.#context, address, { repoRoot, ...rest });
  }

  async register(
    name: string,
    entry: NewEndpoint,
    cwd: string,
  ): Promise<{ file: string; probe: EndpointProbe }> {
    this.#context.assertUnrestricted();
    return registerEndpoint(this.#context, name, entry, await this.#context.repoRootOf(cwd));
  }

  /** Takes back what registering wrote. */
  async remove(
    name: string,
    baseUrl: string,
    cwd: string,
  ): Promise<{ file: string; isStillThere: boolean }> {
    this.#context.assertUnrestricted();
    const repoRoot = await this.#context.repoRootIfThere(cwd);
    return removeEndpoint(this.#context, name, { baseUrl, repoRoot });
  }
}
