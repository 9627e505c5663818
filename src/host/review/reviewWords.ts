import { briefLine } from '../../protocol/briefLine.ts';
import type { JobRecord } from '../../protocol/job.ts';
import type { ReviewState } from '../../protocol/ui/uiTools.ts';
import type { ReviewTarget } from './reviewTarget.ts';

export interface ReviewStatus {
  readonly text: string;
  /** Whether a new run of the gate would say something new about what is there now. */
  readonly isGateOld: boolean;
}

type Judged = Pick<JobRecord, 'id' | 'status' | 'gate' | 'finishedAt'>;

/** What the status bar says about the editor in front: where one is in the job, and what the gate saw. */
export function reviewStatus(
  job: Pick<JobRecord, 'gate'>,
  review: ReviewState,
  target: ReviewTarget,
): ReviewStatus {
  const { files } = review;
  const decided = files.filter((file) => file.decision !== 'open').length;
  const at = target.kind === 'job' ? -1 : files.findIndex((file) => file.path === target.path);
  const decision = files[at]?.decision;
  const place = at >= 0 ? `File ${at + 1} of ${files.length}` : counted(files.length, 'file');
  const words =
    decision === 'taken'
      ? ', accepted'
      : decision === 'dropped'
        ? ', rejected'
        : at < 0 && decided > 0
          ? `, ${decided} decided`
          : '';
  const isGateOld =
    job.gate !== null && review.gateCovers !== null && review.gateCovers !== 'exact';
  return { text: `${place}${words} · ${gateWords(job.gate, review.gateCovers)}`, isGateOld };
}

export function gateWords(
  gate: JobRecord['gate'],
  covers: ReviewState['gateCovers'] = gate?.covers ?? null,
): string {
  if (gate === null || gate.status === 'none') return 'no gate';
  if (gate.status === 'tampered') return `gate ${gate.name} was tampered with`;
  if (covers === 'edited') return 'edited since the gate ran';
  if (covers === 'merged') return 'merged since the gate ran';
  if (gate.status === 'passed') return 'gate passed on this content';
  return `gate ${gate.name} failed${gate.exit === null ? '' : ` (exit ${gate.exit})`}`;
}

export interface GateQuestion {
  readonly question: string;
  readonly detail: string;
  /** The same as long as the answer holds: for this verdict on this content. */
  readonly key: string;
}

/** What has to be said once before a job is taken; null for one that is done and whose gate passed. */
export function gateQuestion(job: Judged, editions: number): GateQuestion | null {
  const { gate, status } = job;
  const key = JSON.stringify([
    status,
    gate?.name,
    gate?.status,
    gate?.exit,
    job.finishedAt,
    editions,
  ]);
  const ask = (reason: string, detail: string) => ({
    question: `${reason} Accept all the same?`,
    detail,
    key,
  });
  if (gate?.status === 'tampered') {
    const paths = gate.protectedChanged.slice(0, 3).join(', ');
    return ask(
      `The job changed what the gate ${gate.name} protects.`,
      paths === '' ? 'Its verdict says nothing.' : `Its verdict says nothing. Changed: ${paths}`,
    );
  }
  if (gate?.status === 'failed') {
    const exit = gate.exit === null ? '' : ` with exit code ${gate.exit}`;
    return ask(`The gate ${gate.name} failed.`, `It ended${exit}.`);
  }
  if (status !== 'done') return ask(`The job ended as ${status}.`, 'Its work may be half done.');
  if (gate === null || gate.status === 'none')
    return ask(
      'No gate has checked this job.',
      'Nothing but a look at the changes tells whether they are right.',
    );
  return null;
}

/** Title of the editor with all changes of a job. */
export function reviewTitle(task: string): string {
  return `Review: ${briefLine(task, 60)}`;
}

/** Title of the editor with one change, with what its texts do not show. */
export function changeTitle(path: string, task: string, notes: readonly string[]): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return [`${name} (job: ${briefLine(task, 50)})`, ...notes].join(' · ');
}

/** "1 file", "3 files". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Names in a sentence: the first few, then how many more. */
export function named(paths: readonly string[], most = 3): string {
  const names = paths.slice(0, most).join(', ');
  return paths.length > most ? `${names} and ${paths.length - most} more` : names;
}

/** Foreign text for a place where VS Code would read `$(name)` as an icon. */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$ (');
}
