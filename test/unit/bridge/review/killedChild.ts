import {
  acceptChanges,
  type AcceptOptions,
} from '../../../../src/bridge/worktrees/acceptChanges.ts';
import { recoverAccept } from '../../../../src/bridge/worktrees/acceptRecover.ts';
import { GitRunner } from '../../../../src/bridge/worktrees/gitRunner.ts';
import { undoAccept } from '../../../../src/bridge/worktrees/undoAccept.ts';

/**
 * A process that accepts, undoes or recovers and is killed with -9 before its step number `killAt`. It prints what it got
 * to when it lives to the end.
 */
interface Request {
  readonly action: 'accept' | 'undo' | 'recover';
  readonly killAt: number;
  readonly options: Omit<AcceptOptions, 'git' | 'onStep' | 'resolved' | 'signal'>;
}

const request = JSON.parse(process.argv[2] ?? '{}') as Request;
const git = new GitRunner({ env: process.env });
let step = 0;
const onStep = () => {
  if (step === request.killAt) process.kill(process.pid, 'SIGKILL');
  step += 1;
};
const options = { ...request.options, git, onStep };
const actions = { accept: acceptChanges, undo: undoAccept, recover: recoverAccept };
const { status } = await actions[request.action](options);
process.stdout.write(JSON.stringify({ status, steps: step }));
