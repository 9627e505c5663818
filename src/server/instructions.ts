import type { Profile } from './serverOptions.ts';

const OWN = `Delegation Bridge hands bounded tasks to models that run elsewhere and answers with honest receipts.
1. list_models: say which served model you will use; prefer instruct or coder models with a window of 128k or more; ask the user when a name is unfamiliar.
2. run_agent, or run_batch for several at once, with a brief for a capable but junior engineer: what, where, how to verify, what to report. By default it works in a git worktree of its own; the user's checkout stays untouched.
3. Run the command in "watch" in the background, or wait_jobs; job_status, job_log and cancel_job meanwhile.
4. job_diff, then accept_job or reject_job. Treat the result as a draft: "done" is not "verified"; the gate says whether a check passed.
The first line of each result says who really answered, where and by which rule. Repeat a fallback or a failed gate to the user.`;

const DELEGATE_LOCAL = `Delegation Bridge runs agent definitions on models of other servers.
delegate_to_local_agent and delegate_batch work in the given folder itself and answer when the work has ended; list_local_agents and local_backend_status say what there is.
Read "success" first and "error" when it is false. A success is a draft: look at what was changed before you rely on it.
The first line of each result says who really answered. Repeat a fallback_note to the user.`;

/** What a client's model reads about this server at the start of a session: only of tools that its profile has. */
export function instructionsOf(profile: Profile): string {
  return profile === 'delegate-local' ? DELEGATE_LOCAL : OWN;
}
