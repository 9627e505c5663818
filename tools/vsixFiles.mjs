import { execFileSync } from 'node:child_process';

/** The files of the VSIX, by vsce itself, as paths below the project. Those of dist/ are there once it is built. */
export function vsixFiles() {
  return execFileSync('vsce', ['ls', '--no-dependencies'], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.includes(' '));
}
