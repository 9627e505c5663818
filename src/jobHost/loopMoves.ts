import { BridgeError } from '../base/bridgeError.ts';
import { moveToStandIn } from '../bridge/jobs/moveToStandIn.ts';
import type { LoopPlace } from '../bridge/runners/loop/loopPlace.ts';
import { setUpEndpoint, type JobEndpoint } from './jobSetup.ts';
import type { SessionDeps } from './jobSession.ts';
import { loopPlaceOf } from './loopPlaceOf.ts';
import { checkToolCalls } from './toolCheck.ts';

/** The moves of a running job along the chain of its model, when its endpoint gives no answer. */
export class LoopMoves {
  readonly #deps: SessionDeps;
  readonly #opened: JobEndpoint[] = [];

  constructor(deps: SessionDeps) {
    this.#deps = deps;
  }

  /**
   * The next place that has room, made ready; null when there is none, or failover on errors is not configured. A stand-in that turns
   * out to be no better is left for the next one.
   */
  async next(problem: BridgeError): Promise<{ place: LoopPlace; endpoint: JobEndpoint } | null> {
    const { context, job, endpoint: first, progress, log, stop, onMoved } = this.#deps;
    const { config } = first.config;
    let { kind, message, hint } = problem;
    for (;;) {
      progress.flush();
      const failure = { kind, message, hint };
      const why = { reason: reasonOf(message), failure };
      const moved = moveToStandIn(context.store, job.record.id, config, why, new Date());
      if (moved === null) return null;
      const { endpoint: to, fallback } = moved.record;
      log.transcript(`[failover] ${to ?? '?'} ${moved.spec.servedModel}: ${message}`);
      try {
        const endpoint = await setUpEndpoint(context, moved, stop.signal);
        this.#opened.push(endpoint);
        onMoved(endpoint);
        const { servedModel, request } = moved.spec;
        const warning = await checkToolCalls(context, endpoint, servedModel, stop.signal);
        progress.update((record) => ({
          ...record,
          locality: endpoint.locality,
          context: { ...record.context, window: endpoint.contextWindow },
          warnings: warning === null ? record.warnings : [...record.warnings, warning],
        }));
        log.event('start', {
          endpoint: to,
          model: servedModel,
          context: endpoint.contextWindow,
          fallback,
        });
        return { place: loopPlaceOf(endpoint, servedModel, request), endpoint };
      } catch (error) {
        if (stop.signal.aborted) throw error;
        ({ kind, message, hint } = BridgeError.from(error));
      }
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#opened.map(({ resolved }) => resolved.target.dispatcher.close()));
  }
}

/** The record's warning goes on after it. */
function reasonOf(message: string): string {
  return message.replace(/\.$/, '');
}
