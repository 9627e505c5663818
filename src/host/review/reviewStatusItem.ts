import * as vscode from 'vscode';
import { COMMANDS } from '../../contributions.ts';
import { briefLine } from '../../protocol/briefLine.ts';
import type { HostParts } from '../hostParts.ts';
import { BridgeError } from '../../base/bridgeError.ts';
import type { Conflicts } from './conflicts.ts';
import type { ReviewInFront } from './reviewInFront.ts';
import type { ReviewStates } from './reviewStates.ts';
import type { ReviewTarget } from './reviewTarget.ts';
import { reviewStatus, withoutIcons } from './reviewWords.ts';

export interface ReviewStatusItemParts {
  readonly front: ReviewInFront;
  readonly states: ReviewStates;
  readonly log: HostParts['log'];
  readonly conflicts: Conflicts;
}

/** What the status bar says while a review is in front: where one is in the job, what the gate saw, and a new run where that is old. */
export class ReviewStatusItem implements vscode.Disposable {
  readonly #front: ReviewInFront;
  readonly #states: ReviewStates;
  readonly #log: HostParts['log'];
  readonly #conflicts: Conflicts;
  readonly #place = vscode.window.createStatusBarItem(
    'delegationBridge.review',
    vscode.StatusBarAlignment.Left,
    -10,
  );
  readonly #gate = vscode.window.createStatusBarItem(
    'delegationBridge.reviewGate',
    vscode.StatusBarAlignment.Left,
    -11,
  );
  readonly #subscriptions: readonly vscode.Disposable[];

  constructor({ front, states, log, conflicts }: ReviewStatusItemParts) {
    this.#front = front;
    this.#states = states;
    this.#log = log;
    this.#conflicts = conflicts;
    this.#place.name = 'Delegation: Review';
    this.#gate.name = 'Delegation: Gate of the Review';
    this.#gate.text = '$(beaker) Run Gate Again';
    this.#gate.tooltip = 'Checks what is in the worktree now';
    const show = () => void this.#show();
    this.#subscriptions = [front.onDidChange(show), states.onDidChange(show)];
    show();
  }

  async #show(): Promise<void> {
    const { target } = this.#front;
    if (target === null) {
      this.#place.hide();
      this.#gate.hide();
      return;
    }
    const { jobId } = target;
    try {
      const [job, review] = await Promise.all([
        this.#states.record(jobId),
        this.#states.get(jobId),
      ]);
      if (this.#front.target !== target) return;
      const { text, isGateOld } = reviewStatus(job, review, target);
      const isMerge = target.kind === 'merge';
      this.#place.text = withoutIcons(isMerge ? this.#mergeText(target) : text);
      this.#place.accessibilityInformation = { label: this.#place.text };
      this.#place.tooltip = `${briefLine(job.task)}\n${isMerge ? 'Show the conflicts of this accept' : 'Show the changes of the job'}`;
      this.#place.command = {
        title: isMerge ? 'Show Conflicts' : 'Show Changes',
        command: isMerge ? COMMANDS.mergeFile : COMMANDS.openChange,
        arguments: [{ kind: 'job', jobId }],
      };
      this.#place.show();
      this.#gate.command = {
        title: 'Run Gate Again',
        command: COMMANDS.runGate,
        arguments: [jobId],
      };
      if (isGateOld && !isMerge) this.#gate.show();
      else this.#gate.hide();
    } catch (error) {
      if (this.#front.target !== target) return;
      // The editor itself tells what cannot be read.
      this.#log.debug(`No review state of ${jobId}: ${BridgeError.from(error).message}`);
      this.#place.hide();
      this.#gate.hide();
    }
  }

  #mergeText({ jobId, path }: Extract<ReviewTarget, { kind: 'merge' }>): string {
    const place = this.#conflicts.session(jobId)?.place(path);
    return place === undefined || place.of < 2
      ? `Merging ${path}`
      : `Merging ${path} (${place.at} of ${place.of})`;
  }

  dispose(): void {
    for (const each of [...this.#subscriptions, this.#place, this.#gate]) each.dispose();
  }
}
