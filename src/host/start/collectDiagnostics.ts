import * as os from 'node:os';
import * as vscode from 'vscode';
import { BridgeError } from '../../base/bridgeError.ts';
import { SETTINGS_PREFIX } from '../../contributions.ts';
import { JOB_GROUPS } from '../../protocol/jobGroup.ts';
import { describeServerState } from '../bridge/serverState.ts';
import type { HostParts } from '../hostParts.ts';
import { redactDiagnostics } from './redactDiagnostics.ts';

const HEAD = `Diagnostics of Delegation Bridge

Read it before you pass it on. Keys, names of people, folders and machines were taken out; briefs, file names and
results of jobs were never in it. Nothing was sent or saved.
`;

/** Puts what helps to find a fault into an untitled document, for the person to read before it goes anywhere. */
export async function collectDiagnostics(parts: HostParts): Promise<string> {
  const text = redactDiagnostics(await report(parts), {
    homeDir: os.homedir(),
    folders: (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath),
    userName: os.userInfo().username,
  });
  const document = await vscode.workspace.openTextDocument({
    content: `${HEAD}\n${text}`,
    language: 'plaintext',
  });
  await vscode.window.showTextDocument(document);
  return document.getText();
}

async function report(parts: HostParts): Promise<string> {
  const { version, supervisor, jobs, context } = parts;
  const { isTrusted } = vscode.workspace;
  const settings = vscode.workspace.getConfiguration(SETTINGS_PREFIX);
  const declared = Object.keys(
    (context.extension.packageJSON as Manifest).contributes.configuration.properties,
  ).map((key) => key.slice(SETTINGS_PREFIX.length + 1));
  return [
    section('Versions', [
      ['Extension', version],
      [
        'VS Code',
        `${vscode.version} (${vscode.env.appName}, ${vscode.env.uiKind === vscode.UIKind.Web ? 'web' : 'desktop'})`,
      ],
      ['Remote', vscode.env.remoteName ?? 'no'],
      ['Node', process.version],
      ['System', `${os.platform()} ${os.release()} ${os.arch()}, ${os.cpus().length} cores`],
    ]),
    section('Window', [
      ['Trusted', isTrusted ? 'yes' : 'no, Restricted Mode'],
      ['Folders', String(vscode.workspace.workspaceFolders?.length ?? 0)],
      ['Server', describeServerState(supervisor.state)],
    ]),
    section(
      'Jobs of this view',
      JOB_GROUPS.map((group) => [group, String(jobs.jobs(group).length)]),
    ),
    section(
      'Settings',
      declared.map((key) => [key, JSON.stringify(settings.get(key))]),
    ),
    await doctorReport(parts, isTrusted),
  ].join('\n');
}

/** What the server says of itself. It asks programs for their versions, so a window that is not trusted leaves it out. */
async function doctorReport({ link }: HostParts, isTrusted: boolean): Promise<string> {
  if (!isTrusted) return 'Server report: left out in Restricted Mode, because it runs programs.\n';
  try {
    return `Server report\n\n${(await link.call('doctor', {})).report}\n`;
  } catch (error) {
    // A server that does not answer is often the fault that is looked for.
    const { message, hint } = BridgeError.from(error);
    return `Server report: not to be had. ${message} ${hint}\n`;
  }
}

interface Manifest {
  readonly contributes: {
    readonly configuration: { readonly properties: Readonly<Record<string, unknown>> };
  };
}

function section(title: string, rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return `${title}\n${rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n')}\n`;
}
