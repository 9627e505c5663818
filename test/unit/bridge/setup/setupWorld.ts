import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { setUpClaude } from '../../../../src/bridge/setup/setUpClaude.ts';
import type { SetupReport, SetupRequest } from '../../../../src/bridge/setup/setupTypes.ts';

const ROOT = path.resolve(import.meta.dirname, '../../../..');

export type SetupWorld = ReturnType<typeof setupWorld>;

/** A home folder and a state dir of their own, with the product's own texts. */
export function setupWorld(env: Record<string, string> = {}) {
  const scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'setup-')));
  const home = path.join(scratch, 'home');
  const stateDir = path.join(scratch, 'state');
  fs.mkdirSync(home);
  fs.mkdirSync(stateDir);
  const options = {
    env: { DELEGATE_TEST_ISOLATION_ROOT: scratch, ...env },
    homeDir: home,
    stateDir,
    platform: 'linux' as NodeJS.Platform,
    installation: { execPath: process.execPath, distDir: path.join(ROOT, 'dist') },
  };
  const run = (request: SetupRequest): Promise<SetupReport> => setUpClaude(request, options);
  return {
    scratch,
    home,
    stateDir,
    options,
    run,
    at: (name: string): string => path.join(home, name),
    read: (name: string): string => fs.readFileSync(path.join(home, name), 'utf8'),
    write(name: string, content: string | Buffer, mode = 0o644): void {
      const file = path.join(home, name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, content);
      fs.chmodSync(file, mode);
    },
    /** Every file, link and folder below home with mode and content. */
    tree: (): Record<string, string> => treeOf(home),
    dispose: (): void => fs.rmSync(scratch, { recursive: true, force: true }),
  };
}

function treeOf(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of fs.readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
    const file = path.join(root, name);
    const stat = fs.lstatSync(file);
    const mode = (stat.mode & 0o7777).toString(8);
    found[name] = stat.isSymbolicLink()
      ? `link ${fs.readlinkSync(file)}`
      : stat.isDirectory()
        ? `folder ${mode}`
        : `${mode} ${createHash('sha256').update(fs.readFileSync(file)).digest('hex')}`;
  }
  return found;
}

/** Part → state, or the problem where there is one. */
export function states(report: SetupReport): Record<string, string> {
  return Object.fromEntries(
    report.parts.map(({ part, state, problem }) => [part, problem ?? state]),
  );
}
