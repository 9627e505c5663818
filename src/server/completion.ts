import type { BridgeApi } from './bridgeApi.ts';

const MAX_JOBS = 100;

/** Values for an argument of a prompt or a resource address, those that start with what was typed first. */
export async function completeArgument(
  argument: string,
  typed: string,
  bridge: BridgeApi,
  cwd: string,
): Promise<string[]> {
  const values = await valuesOf(argument, bridge, cwd);
  const wanted = typed.toLowerCase();
  const matching = [...new Set(values)].filter((value) => value.toLowerCase().includes(wanted));
  const startsWith = (value: string): boolean => value.toLowerCase().startsWith(wanted);
  return [...matching.filter(startsWith), ...matching.filter((value) => !startsWith(value))];
}

async function valuesOf(
  argument: string,
  bridge: BridgeApi,
  cwd: string,
): Promise<readonly string[]> {
  switch (argument) {
    case 'model': {
      const { endpoints } = await bridge.listModels({ cwd });
      return endpoints.flatMap((endpoint) => endpoint.probe.models.map((model) => model.id));
    }
    case 'endpoint':
      return (await bridge.configState(cwd)).endpoints;
    case 'agent':
      return bridge.agentNames(cwd);
    case 'gate':
      return (await bridge.configState(cwd)).gates;
    case 'job_id':
      return bridge.list({ limit: MAX_JOBS }).map((job) => job.id);
    default:
      return [];
  }
}
