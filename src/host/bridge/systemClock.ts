import type { SupervisorClock } from './serverSupervisor.ts';

export const systemClock: SupervisorClock = {
  nowMs: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
