import { sanitiseLine } from '../../base/sanitise.ts';
import type { EndpointView, ModelsOverview } from '../../bridge/bridgeTypes.ts';
import { formatProblem } from '../../config/problem.ts';
import { formatCount, formatDuration } from '../../protocol/statusLineParts.ts';
import { untrustedFile } from '../untrustedFile.ts';
import { type Command, CONFIG_OPTION, JSON_OPTION } from '../command.ts';
import { flag, textOption } from '../optionReaders.ts';
import { printJson, printText } from '../print.ts';

export const models: Command = {
  usage: 'models [--config FILE] [--json]',
  description: 'Asks each endpoint what it serves right now and says why one cannot be used.',
  minPositionals: 0,
  maxPositionals: 0,
  exitCodes: '0 every endpoint was asked, whatever it answered; 1 not so.',
  options: { config: CONFIG_OPTION, json: JSON_OPTION },
  run: async (args, context) => {
    const bridge = await context.bridge(textOption(args, 'config'));
    const overview = await bridge.listModels({ cwd: context.cwd });
    if (flag(args, 'json')) printJson(context, overview);
    else printText(context, formatModels(overview));
    return 0;
  },
};

function formatModels(overview: ModelsOverview): string {
  const lines = [
    `Configuration: ${overview.configFile}${overview.configStale ? ' (broken; the last good version is in use)' : ''}`,
  ];
  for (const problem of overview.problems) lines.push(`  ${clean(formatProblem(problem))}`);
  for (const file of overview.untrusted) lines.push(`  ${untrustedFile(file)}`);
  if (!overview.isConfigured) {
    lines.push(
      overview.endpoints.length === 0
        ? 'No endpoint is configured.'
        : 'No endpoint is configured; the usual address of a proxy was tried.',
      'To add one: delegate endpoint add NAME URL',
    );
  }
  for (const endpoint of overview.endpoints) lines.push('', ...endpointLines(endpoint));
  for (const pool of overview.pools) {
    lines.push(
      '',
      `Pool ${clean(pool.name)}: ${pool.inUse}/${pool.slots} in use, ${pool.waiting.length} waiting`,
      ...pool.waiting.map(
        ({ jobId, position, waitedS, reason }) =>
          `  ${position}. ${jobId}, ${formatDuration(waitedS)}${reason === null ? '' : `, ${reason.replaceAll('_', ' ')}`}`,
      ),
    );
  }
  return lines.join('\n');
}

function endpointLines(view: EndpointView): string[] {
  const { name, baseUrl, locality, inUse, probe } = view;
  const place = locality === 'unknown' ? 'place unknown' : locality;
  // What did not answer has not said what it is.
  const kind = probe.state === 'down' && probe.backend === 'other' ? '' : `${probe.backend} `;
  const head = `${clean(name)}  ${kind}at ${clean(baseUrl)} (${place})`;
  if (probe.state === 'down') {
    return [
      `${head}: ${clean(probe.message ?? 'down')}`,
      ...(probe.hint === '' ? [] : [`  ${clean(probe.hint)}`]),
      ...pauseLines(view),
    ];
  }
  const slots =
    probe.slots === null ? '' : `, ${probe.slots.busy ?? inUse}/${probe.slots.total} slots busy`;
  return [
    `${head}: reachable${slots}`,
    ...pauseLines(view),
    ...probe.models.map(({ id, context, warning }) => {
      const window = context === null ? 'window unknown' : `window ${formatCount(context)}`;
      return `  ${clean(id)}  ${window}${warning === null ? '' : `  ${clean(warning)}`}`;
    }),
    ...(probe.models.length === 0 && !probe.listsModels ? ['  It has no list of models.'] : []),
    ...probe.warnings.map((warning) => `  Warning: ${clean(warning)}`),
  ];
}

/** Why jobs wait for it although it has places. */
function pauseLines({ pause }: EndpointView): string[] {
  if (pause === null) return [];
  const models = pause.models.map(
    ({ model, forS }) => `  ${clean(model)} is paused for ${formatDuration(forS)}`,
  );
  switch (pause.state) {
    case 'paused':
      return [`  Paused for ${formatDuration(pause.forS ?? 0)}: ${clean(pause.reason)}`, ...models];
    case 'trying':
      return [`  One job at a time tries it: ${clean(pause.reason)}`, ...models];
    case 'partly':
      return models;
  }
}

function clean(text: string): string {
  return sanitiseLine(text, 400);
}
