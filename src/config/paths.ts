import { chmodSync, lstatSync, mkdirSync, readFileSync, realpathSync, statfsSync } from 'node:fs';
import path from 'node:path';
import { BridgeError } from '../base/bridgeError.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Folder of the store, the jobs and the worktrees: `$DELEGATE_STATE`, else `$XDG_STATE_HOME/delegation-bridge`
 * (`~/.local/state/…`), on Windows `%LOCALAPPDATA%\delegation-bridge`. Not created here.
 * @throws BridgeError state_dir_invalid when it is not absolute or lies outside `DELEGATE_TEST_ISOLATION_ROOT`.
 */
export function stateDir(env: Environment, homeDir: string, platform: NodeJS.Platform): string {
  const chosen = env['DELEGATE_STATE'];
  if (chosen !== undefined && chosen !== '') {
    return isolated(absolute('DELEGATE_STATE', expandHome(chosen, homeDir)), env);
  }
  if (platform === 'win32')
    return isolated(path.join(localAppData(env, homeDir), 'delegation-bridge'), env);
  return isolated(
    path.join(
      xdg(env['XDG_STATE_HOME']) ?? path.join(homeDir, '.local', 'state'),
      'delegation-bridge',
    ),
    env,
  );
}

/**
 * Folder of models.yaml and the secret file: `$XDG_CONFIG_HOME/delegation-bridge` (`~/.config/…`), on Windows
 * `%APPDATA%\delegation-bridge`. Not created here.
 * @throws BridgeError state_dir_invalid when it lies outside `DELEGATE_TEST_ISOLATION_ROOT`.
 */
export function configDir(env: Environment, homeDir: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') {
    const roaming = env['APPDATA'] ?? path.join(homeDir, 'AppData', 'Roaming');
    return isolated(path.join(roaming, 'delegation-bridge'), env);
  }
  return isolated(
    path.join(xdg(env['XDG_CONFIG_HOME']) ?? path.join(homeDir, '.config'), 'delegation-bridge'),
    env,
  );
}

/** `~` and `~/x` as a path below the home folder; anything else unchanged. */
export function expandHome(file: string, homeDir: string): string {
  if (file === '~') return homeDir;
  return /^~[\\/]/.test(file) ? path.join(homeDir, file.slice(2)) : file;
}

/** The real path of a file that may not exist yet: links are followed as far as there is something to follow. */
export function realPathOfDeepest(file: string): string {
  const resolved = path.resolve(file);
  try {
    return realpathSync(resolved);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const parent = path.dirname(resolved);
    if ((code !== 'ENOENT' && code !== 'ENOTDIR') || parent === resolved) return resolved;
    return path.join(realPathOfDeepest(parent), path.basename(resolved));
  }
}

/** Tests set DELEGATE_TEST_ISOLATION_ROOT so that a mistake can never reach the files of a person. */
function isolated(dir: string, env: Environment): string {
  const root = env['DELEGATE_TEST_ISOLATION_ROOT'];
  if (root === undefined || root === '') return dir;
  const relative = path.relative(
    realPathOfDeepest(absolute('DELEGATE_TEST_ISOLATION_ROOT', root)),
    realPathOfDeepest(dir),
  );
  if (relative === '' || relative.startsWith('..') || path.isAbsolute(relative)) {
    throw new BridgeError(
      'state_dir_invalid',
      `${dir} is not below DELEGATE_TEST_ISOLATION_ROOT (${root}).`,
      {
        hint: 'Point DELEGATE_STATE and XDG_CONFIG_HOME below it, or unset it outside of tests.',
      },
    );
  }
  return dir;
}

function absolute(variable: string, dir: string): string {
  if (path.isAbsolute(dir)) return path.normalize(dir);
  throw new BridgeError(
    'state_dir_invalid',
    `${variable} must be an absolute path, not "${dir}".`,
    {
      hint: 'Processes with different working directories would otherwise use different stores.',
    },
  );
}

/** The XDG specification says that a relative path is to be ignored. */
function xdg(value: string | undefined): string | null {
  return value !== undefined && path.isAbsolute(value) ? path.normalize(value) : null;
}

function localAppData(env: Environment, homeDir: string): string {
  return env['LOCALAPPDATA'] ?? path.join(homeDir, 'AppData', 'Local');
}

/** What prepareStateDir() asks the system; replaced in tests. */
export interface StateDirSystem {
  readonly uid: number | null;
  readonly platform: NodeJS.Platform;
  /** The type number of the file system that holds a path. */
  fileSystemType(dir: string): number;
  /** /proc/self/mountinfo, or null where there is none. */
  mounts(): string | null;
}

/** File systems whose locks do not hold between machines, by the `f_type` of statfs(2) on Linux. */
const NETWORK_TYPES = new Map<number, string>([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0x5346414f, 'AFS'],
  [0x73757245, 'Coda'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
]);
const FUSE_TYPE = 0x65735546;
const NETWORK_FUSE =
  /^fuse\.(sshfs|rclone|s3fs|gcsfuse|davfs2?|curlftpfs|glusterfs|mfs|gvfsd-fuse|cephfs|juicefs)$/;

/**
 * Makes the state dir if needed, private to this user (0700).
 * @throws BridgeError state_dir_invalid for a symbolic link, a file, another owner or a network file system.
 */
export function prepareStateDir(dir: string, system: StateDirSystem = realSystem()): void {
  const refuse = (reason: string): never => {
    throw new BridgeError('state_dir_invalid', `The state folder ${dir} ${reason}.`, {
      hint: 'Set DELEGATE_STATE to a folder of your own on a local disk.',
    });
  };
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    refuse(
      code === 'EEXIST' || code === 'ENOTDIR' ? 'is not a folder' : `cannot be made (${code})`,
    );
  }
  const stat = lstatSync(dir);
  if (stat.isSymbolicLink()) refuse('is a symbolic link');
  if (!stat.isDirectory()) refuse('is not a folder');
  if (system.uid !== null && stat.uid !== system.uid) refuse('belongs to another user');
  if (system.platform !== 'win32' && (stat.mode & 0o777) !== 0o700) chmodSync(dir, 0o700);
  const network = networkFileSystem(dir, system);
  if (network !== null)
    refuse(`is on a network file system (${network}), where locks are not reliable`);
}

function networkFileSystem(dir: string, system: StateDirSystem): string | null {
  // The numbers are Linux's; other systems number their file systems by the order of loading.
  if (system.platform !== 'linux') return null;
  // Some kernels hand the number out sign-extended.
  const type = Number(BigInt.asUintN(32, BigInt(system.fileSystemType(dir))));
  const known = NETWORK_TYPES.get(type);
  if (known !== undefined) return known;
  if (type !== FUSE_TYPE) return null;
  const kind = mountKind(system.mounts() ?? '', realPathOfDeepest(dir));
  return kind !== null && NETWORK_FUSE.test(kind) ? kind : null;
}

/** Kind of the innermost mount that holds a path, from the text of mountinfo (proc(5): mount point is field 5). */
function mountKind(mountInfo: string, file: string): string | null {
  let best: { point: string; kind: string } | null = null;
  for (const line of mountInfo.split('\n')) {
    const [before, after] = line.split(' - ');
    const raw = before?.split(' ')[4];
    const kind = after?.split(' ')[0];
    if (raw === undefined || kind === undefined) continue;
    const point = raw.replace(/\\([0-7]{3})/g, (_, octal: string) =>
      String.fromCharCode(parseInt(octal, 8)),
    );
    const holds = point === '/' || file === point || file.startsWith(`${point}/`);
    if (holds && point.length >= (best?.point.length ?? 0)) best = { point, kind };
  }
  return best?.kind ?? null;
}

function realSystem(): StateDirSystem {
  return {
    uid: process.getuid?.() ?? null,
    platform: process.platform,
    fileSystemType: (dir) => statfsSync(dir).type,
    mounts: () => {
      try {
        return readFileSync('/proc/self/mountinfo', 'utf8');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },
  };
}
