import os from 'node:os';
import path from 'node:path';

/** The VS Codes that the host tests can run in: code-server's number, and the Node that its "engines" ask for. Newest first. */
export const VERSIONS = {
  1.139: { codeServer: '4.139.1', node: '24.22.3' },
  1.104: { codeServer: '4.104.0', node: '22.23.5' },
};

export const NEWEST = '1.139';
/** The same as `engines.vscode` in package.json; a test compares them. */
export const OLDEST = '1.104';

/** Where setup.sh puts them. The variable stands also for child processes whose home is another one. */
export function vscodesDir() {
  return process.env.VSC_HOST_HOME ?? path.join(os.homedir(), '.cache', 'vsc-host');
}
