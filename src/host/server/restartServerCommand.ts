import type { ServerSupervisor } from '../bridge/serverSupervisor.ts';
import { showServerVersionCommand } from './showServerVersionCommand.ts';

/** Ends the server, starts a new one and says how that went. Jobs are not touched: they have processes of their own. */
export async function restartServerCommand(
  supervisor: ServerSupervisor,
): Promise<string | undefined> {
  await supervisor.restart();
  return showServerVersionCommand(supervisor);
}
