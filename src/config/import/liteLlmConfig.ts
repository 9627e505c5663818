import { isGroup } from '../parts.ts';
import type { ModelsFile } from '../schema.ts';
import { serverRoot } from '../serverRoot.ts';
import { importNote, quoted } from './importNote.ts';
import type { Imported } from './imported.ts';
import { liteLlmDeployment, type Deployment } from './liteLlmDeployment.ts';
import { liteLlmEndpoints } from './liteLlmEndpoints.ts';
import { liteLlmFallbacks } from './liteLlmFallbacks.ts';
import { liteLlmReference } from './liteLlmReference.ts';
import type { LiteralKeys } from './literalKeys.ts';

type Group = Readonly<Record<string, unknown>>;

export interface LiteLlmOptions {
  /** `gateway`: LiteLLM itself is the endpoint; `direct`: the servers behind it are. */
  readonly as: 'gateway' | 'direct';
  /** Where LiteLLM listens; its file does not say. */
  readonly gatewayUrl: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly literals: LiteralKeys;
}

const MAX_MODELS = 2_000;

/** Whether a LiteLLM configuration is that of a proxy which clients are meant to go through. */
export function isLiteLlmGateway(config: Group): boolean {
  const general = config['general_settings'];
  return isGroup(general) && Object.keys(general).length > 0;
}

/** A LiteLLM configuration, its includes merged in already (liteLlmIncludes.ts). */
export function liteLlmConfig(config: Group, options: LiteLlmOptions): Imported {
  const { literals } = options;
  const variables = isGroup(config['environment_variables']) ? config['environment_variables'] : {};
  const list = Array.isArray(config['model_list']) ? config['model_list'] : [];
  const general = isGroup(config['general_settings']) ? config['general_settings'] : {};
  const lists = ['router_settings', 'litellm_settings'].flatMap((section) => {
    const settings = config[section];
    return isGroup(settings) && settings['fallbacks'] !== undefined ? [settings['fallbacks']] : [];
  });
  if (options.as === 'gateway') {
    const given =
      general['master_key'] ??
      (options.env['LITELLM_MASTER_KEY'] ? 'os.environ/LITELLM_MASTER_KEY' : undefined);
    const key = liteLlmReference(given, 'litellm', 'general_settings.master_key', {
      variables,
      literals,
    });
    const entry = {
      base_url: serverRoot(options.gatewayUrl),
      backend: 'litellm' as const,
      ...(key === null || key === '' ? {} : { api_key: key }),
    };
    return {
      file: { endpoints: { litellm: entry } },
      notes: [
        importNote(
          `LiteLLM itself is the endpoint; its ${list.length} entries of model_list are asked for there.`,
        ),
        'A gateway may send a request anywhere, so local-only jobs do not use it. If all its models run here, say so with locality.',
        ...(key === null
          ? ['What stands at general_settings.master_key is no key; it was left out.']
          : []),
        ...(lists.length === 0
          ? []
          : ['Its fallbacks stay in LiteLLM, which applies them itself.']),
      ],
      literals,
    };
  }
  const notes: string[] = [];
  const deployments: Deployment[] = [];
  for (const item of list.slice(0, MAX_MODELS)) {
    const read = liteLlmDeployment(item, { variables, literals, env: options.env });
    if ('note' in read) notes.push(read.note);
    else deployments.push(read);
  }
  if (list.length > MAX_MODELS)
    notes.push(`model_list has more than ${MAX_MODELS} entries; the rest was left out.`);
  if (list.length === 0) notes.push('model_list has no entries, so there is nothing to take over.');
  const made = liteLlmEndpoints(deployments);
  const servedBy = new Map<string, string>();
  for (const { alias, model } of deployments) if (!servedBy.has(alias)) servedBy.set(alias, model);
  const { chains, notes: chainNotes } = liteLlmFallbacks(
    lists,
    (alias) => servedBy.get(alias) ?? null,
  );
  notes.push(...made.notes, ...aliasNotes(servedBy), ...chainNotes, ...settingNotes(config, list));
  const hasChains = Object.keys(chains).length > 0;
  return {
    file: {
      ...made.file,
      // LiteLLM's fallbacks are for errors; ours alone would be for a full pool.
      ...(hasChains ? { failover: { when: ['pool_full', 'error'], chains } } : {}),
    } satisfies ModelsFile,
    notes,
    literals,
  };
}

/** Aliases are LiteLLM's; the servers behind it know nothing of them. */
function aliasNotes(servedBy: ReadonlyMap<string, string>): string[] {
  const renamed = [...servedBy].filter(([alias, model]) => alias !== model && !model.includes('*'));
  if (renamed.length === 0) return [];
  const shown = renamed.slice(0, 8).map(([alias, model]) => `${quoted(alias)} is ${quoted(model)}`);
  const rest = renamed.length - shown.length;
  return [
    importNote(
      `The servers are asked by their own names: ${shown.join(', ')}${rest > 0 ? `, and ${rest} more` : ''}.`,
    ),
  ];
}

/** What else the file says that has no place here, by name. */
function settingNotes(config: Group, list: readonly unknown[]): string[] {
  const notes: string[] = [];
  const limits = new Set(
    list.flatMap((item) => {
      const params = isGroup(item) && isGroup(item['litellm_params']) ? item['litellm_params'] : {};
      return ['rpm', 'tpm', 'max_parallel_requests', 'weight', 'order'].filter(
        (key) => key in params,
      );
    }),
  );
  if (limits.size > 0)
    notes.push(
      `${[...limits].join(', ')} of the models have no place here; see pools and max_concurrent.`,
    );
  for (const section of ['router_settings', 'litellm_settings', 'general_settings']) {
    const settings = config[section];
    if (!isGroup(settings)) continue;
    const left = Object.keys(settings).filter((key) => key !== 'fallbacks');
    if (left.length > 0)
      notes.push(importNote(`${section} was left out (${left.slice(0, 12).join(', ')}).`));
  }
  return notes;
}
