import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { readNumberSetting, setContext } from '../../contributions.ts';
import type { HostParts } from '../hostParts.ts';
import { workspaceFolder } from '../workspaceFolder.ts';
import { serverCommandLine } from './serverCommandLine.ts';
import { describeServerState } from './serverState.ts';
import { ServerSupervisor } from './serverSupervisor.ts';
import { startServer } from './startServer.ts';
import { systemClock } from './systemClock.ts';

/** The supervisor of this window's server, which works in the first workspace folder and is restricted until that is trusted. */
export function createSupervisor({
  context,
  version,
  log,
  serverLog,
  link,
}: Pick<HostParts, 'context' | 'version' | 'log' | 'serverLog' | 'link'>): ServerSupervisor {
  return new ServerSupervisor({
    clock: systemClock,
    onDidChangeState: (state) => {
      log.info(`Server ${state.kind}: ${describeServerState(state)}`);
      void setContext('serverState', state.kind);
      link.stateChanged(state);
    },
    connect: (signal) => {
      const isRestricted = !vscode.workspace.isTrusted;
      const commandLine = serverCommandLine({
        execPath: process.execPath,
        extensionDir: context.extensionPath,
        cwd: workspaceFolder() ?? homedir(),
        env: process.env,
        isRestricted,
      });
      const startTimeoutMs = readNumberSetting('server.startTimeoutSeconds') * 1000;
      const onResourceUpdated = (uri: string): void => link.resourceUpdated(uri);
      return startServer(
        {
          ...{ commandLine, isRestricted, startTimeoutMs, clientVersion: version },
          ...{ onResourceUpdated, log, serverLog },
        },
        signal,
      );
    },
  });
}
