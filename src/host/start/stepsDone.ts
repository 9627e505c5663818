import type { UiAnswer } from '../../protocol/ui/uiTools.ts';
import type { FeedJob } from '../../protocol/ui/uiTools.ts';

export interface StepsDone {
  readonly hasEndpoint: boolean;
  readonly hasRunJob: boolean;
  readonly hasReviewed: boolean;
  readonly hasAccepted: boolean;
}

type StepJob = Pick<FeedJob, 'status'> & { readonly review: Pick<FeedJob['review'], 'status'> };

/** Which steps of the walkthrough are done, by what is there now. @param hasSeenChange whether a change of a job was ever opened */
export function stepsDone(
  endpoints: UiAnswer<'config_facts'>['endpoints'],
  jobs: readonly StepJob[],
  hasSeenChange: boolean,
): StepsDone {
  const isReviewed = ({ review }: StepJob): boolean =>
    ['accepted', 'partly', 'rejected'].includes(review.status);
  return {
    // The one that is guessed while nothing names any is no endpoint of anybody's.
    hasEndpoint: endpoints.some(({ source }) => source !== 'default'),
    hasRunJob: jobs.some(({ status }) => status === 'done'),
    hasReviewed: jobs.some((job) => isReviewed(job) || (hasSeenChange && job.status === 'done')),
    hasAccepted: jobs.some(
      ({ review }) => review.status === 'accepted' || review.status === 'partly',
    ),
  };
}
