import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of a job (0700): task.md, transcript.txt, events.jsonl, requests.jsonl, gate.log, result.md, host.log. */
export function jobDir(stateDir: string, jobId: string): string {
  return join(stateDir, 'jobs', jobId);
}

export function createJobDir(stateDir: string, jobId: string): string {
  const dir = jobDir(stateDir, jobId);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  return dir;
}

/** Made by the guard when the host of a job is gone: its time is when that was. */
export function hostEndedFile(stateDir: string, jobId: string): string {
  return join(jobDir(stateDir, jobId), 'host-ended');
}

export function hostLockFile(stateDir: string, jobId: string): string {
  return join(stateDir, 'locks', `job-${jobId}.lock`);
}
