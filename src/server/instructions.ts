/** What a client's model reads about this server at the start of a session. */
export const INSTRUCTIONS = `Delegation Bridge hands bounded tasks to models that run elsewhere and answers with honest receipts.
1. list_models: say which served model you will use; prefer instruct or coder models with a window of 128k or more; ask the user when a name is unfamiliar.
2. run_agent with a brief for a capable but junior engineer: what, where, how to verify, what to report. By default it works in a git worktree of its own; the user's checkout stays untouched.
3. Run the command in "watch" in the background, or wait_jobs; job_status, job_log and cancel_job meanwhile.
4. job_diff, then accept_job or reject_job. Treat the result as a draft: "done" is not "verified"; the gate says whether a check passed.
The first line of each result says who really answered, where and by which rule. Repeat a fallback or a failed gate to the user.`;
