import type { JobSession, SessionDeps } from './jobSession.ts';
import { LoopSession } from './loopSession.ts';
import { SessionRun } from './sessionRun.ts';

/** The session of a job by its runner. */
export function openSession(deps: SessionDeps): JobSession {
  return deps.job.record.runner === 'loop' ? new LoopSession(deps) : new SessionRun(deps);
}
