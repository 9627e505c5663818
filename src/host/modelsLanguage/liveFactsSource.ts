import { BridgeError } from '../../base/bridgeError.ts';
import { toWire } from '../../protocol/keys.ts';
import type { LiveFacts } from '../../protocol/modelsLanguage/liveFacts.ts';
import type { BridgeLink } from '../bridge/bridgeLink.ts';
import type { HostLog } from '../bridge/hostLog.ts';
import type { OverviewModel } from '../jobs/overviewModel.ts';

/** The longest wait for endpoints; each is given up after `defaults.probe_timeout_s`. */
const PATIENCE_MS = 15_000;
const RESTRICTED = 'This window is in Restricted Mode, so no endpoint is asked.';

export interface LiveFactsSourceOptions {
  readonly overview: Pick<OverviewModel, 'overview' | 'state' | 'askedAtMs' | 'refresh'>;
  readonly link: Pick<BridgeLink, 'call'>;
  readonly log: HostLog;
  readonly isTrusted: () => boolean;
  readonly nowMs: () => number;
  readonly patienceMs?: number;
}

/** What endpoints, store and secret store say, for those who write models.yaml. */
export class LiveFactsSource {
  readonly #options: LiveFactsSourceOptions;
  /** The last try, whether or not there was an answer: what fails is not asked again for being told of. */
  #triedAtMs: number | null = null;

  constructor(options: LiveFactsSourceOptions) {
    this.#options = options;
  }

  /**
   * What is known, after the endpoints were asked if that was longer ago than `maxAgeMs`. Never rejects: `trouble` says why there is
   * nothing newer. In Restricted Mode nobody is asked.
   */
  async facts(maxAgeMs: number): Promise<LiveFacts> {
    const { overview, isTrusted, nowMs } = this.#options;
    if (!isTrusted()) return { ...this.#known(RESTRICTED), secrets: null };
    const lastMs = Math.max(overview.askedAtMs ?? -Infinity, this.#triedAtMs ?? -Infinity);
    const [isInTime, secrets] = await Promise.all([
      nowMs() - lastMs > maxAgeMs ? this.#asked() : true,
      this.#secrets(),
    ]);
    return { ...this.#known(isInTime ? '' : 'The endpoints have not answered yet.'), secrets };
  }

  #known(trouble: string): Omit<LiveFacts, 'secrets'> {
    const { askedAtMs, overview, state } = this.#options.overview;
    const why =
      trouble === '' && state.kind === 'error' ? `${state.message} ${state.hint}`.trim() : trouble;
    if (overview === null || askedAtMs === null || !overview.isProbed)
      return { asked_at: null, trouble: why, endpoints: [], pools: [] };
    const wire = toWire({
      endpoints: overview.endpoints.map(
        ({ name, baseUrl, locality, inUse, maxConcurrent, probe }) => ({
          ...{ name, baseUrl, locality, inUse, maxConcurrent, probe },
        }),
      ),
      pools: overview.pools,
    }) as Pick<LiveFacts, 'endpoints' | 'pools'>;
    return { ...wire, asked_at: new Date(askedAtMs).toISOString(), trouble: why };
  }

  /** False: the answer takes longer than anybody waits for; it is told as a change when it is there. */
  async #asked(): Promise<boolean> {
    const { overview, nowMs, patienceMs = PATIENCE_MS } = this.#options;
    this.#triedAtMs = nowMs();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), patienceMs);
    });
    const isInTime = await Promise.race([overview.refresh().then(() => true), late]);
    clearTimeout(timer);
    return isInTime;
  }

  async #secrets(): Promise<string[] | null> {
    try {
      return (await this.#options.link.call('secret_names', {})).names;
    } catch (error) {
      const { kind, message } = BridgeError.from(error);
      // That there is no server is said for the endpoints already.
      if (kind !== 'server_unavailable') this.#options.log.warn(`Names of secrets: ${message}`);
      return null;
    }
  }
}
