import type { FeedJob } from '../../protocol/ui/uiTools.ts';
import type { JobsModel } from '../jobs/jobsModel.ts';
import type { OverviewModel } from '../jobs/overviewModel.ts';
import type { EndpointsNode } from './endpointsNode.ts';
import { problemRow, untrustedRow } from './rows/configRow.ts';
import { type Endpoint, endpointRow, unaskedRow } from './rows/endpointRow.ts';
import { jobLabel } from './rows/jobFacts.ts';
import { jobLine } from './rows/jobLine.ts';
import { modelRow } from './rows/modelRow.ts';
import { errorRow, noteRow } from './rows/noteRow.ts';
import type { Row } from './rows/row.ts';

export interface EndpointsTreeOptions {
  readonly overview: Pick<OverviewModel, 'overview' | 'state' | 'askedAtMs'>;
  readonly jobs: Pick<JobsModel, 'jobs' | 'job'>;
  readonly nowMs: () => number;
  /** There is a server that could say otherwise. */
  readonly isLive: () => boolean;
}

/** The rows of the endpoints view, without VS Code. */
export class EndpointsTree {
  readonly #options: EndpointsTreeOptions;

  constructor(options: EndpointsTreeOptions) {
    this.#options = options;
  }

  children(node?: EndpointsNode): readonly EndpointsNode[] {
    if (node === undefined) return this.#root();
    return node.kind === 'endpoint' ? this.#below(node.endpoint) : [];
  }

  row(node: EndpointsNode): Row {
    switch (node.kind) {
      case 'error':
        return errorRow(node.id, node);
      case 'problem':
        return problemRow(node.index, node.problem);
      case 'untrusted':
        return untrustedRow(node.file);
      case 'unasked':
        return unaskedRow(node.name);
      case 'endpoint':
        return endpointRow(node.endpoint, {
          ageS: this.#ageS(),
          isConfigured: this.#options.overview.overview?.isConfigured ?? true,
        });
      case 'model':
        return modelRow(node.endpoint, node.model);
      case 'text':
        return { ...noteRow(node.id, node.text), icon: { id: node.icon } };
      case 'jobLine': {
        const job = this.#options.jobs.job(node.jobId);
        const title = job === null ? node.jobId : jobLabel(job);
        return jobLine(`on:${node.endpoint}:${node.jobId}`, title, [], true);
      }
    }
  }

  #root(): readonly EndpointsNode[] {
    const { overview, state } = this.#options.overview;
    const nodes: EndpointsNode[] = [];
    if (state.kind === 'error' && state.errorKind !== 'server_unavailable') {
      const { message, hint } = state;
      nodes.push({ kind: 'error', id: 'error:endpoints', message, hint });
    }
    if (overview === null) return nodes;
    overview.problems?.forEach((problem, index) => nodes.push({ kind: 'problem', index, problem }));
    for (const file of overview.untrusted) nodes.push({ kind: 'untrusted', file });
    if (!overview.isProbed) {
      if (!overview.isConfigured) return nodes;
      return [...nodes, ...overview.configured.map((name) => ({ kind: 'unasked' as const, name }))];
    }
    for (const endpoint of overview.endpoints) {
      // Without any configuration the usual address was tried: silence there is no news.
      if (overview.isConfigured || endpoint.probe.state === 'up')
        nodes.push({ kind: 'endpoint', name: endpoint.name, endpoint });
    }
    return nodes;
  }

  #below({ name, probe }: Endpoint): readonly EndpointsNode[] {
    const text = (id: string, value: string, icon: string): EndpointsNode => ({
      kind: 'text',
      id: `${id}:${name}`,
      text: value,
      icon,
    });
    const nodes: EndpointsNode[] = [];
    if (probe.message !== null) nodes.push(text('why', probe.message, 'error'));
    if (probe.hint !== '') nodes.push(text('hint', probe.hint, 'lightbulb'));
    probe.warnings.forEach((warning, n) => nodes.push(text(`warning${n}`, warning, 'warning')));
    for (const model of probe.models) nodes.push({ kind: 'model', endpoint: name, model });
    if (probe.state === 'up' && probe.models.length === 0) {
      const none = probe.listsModels
        ? 'It serves no model right now.'
        : 'It does not say which models it serves: any name may be asked for.';
      nodes.push(text('none', none, 'info'));
    }
    const isHere = (job: FeedJob): boolean => job.endpoint === name;
    for (const job of this.#options.jobs.jobs('running').filter(isHere))
      nodes.push({ kind: 'jobLine', endpoint: name, jobId: job.id });
    return nodes;
  }

  /** Null while the answer is as fresh as it gets. */
  #ageS(): number | null {
    const { overview, isLive, nowMs } = this.#options;
    const isFresh = isLive() && overview.state.kind === 'ready';
    if (isFresh || overview.askedAtMs === null) return null;
    return (nowMs() - overview.askedAtMs) / 1000;
  }
}
