import type { ServedFacts } from '../config/checkServed.ts';
import type { SurveyedEndpoint } from './surveyEndpoints.ts';

/** What the checks of the configuration need to know of endpoints that have just been asked; one that is down says nothing. */
export function servedFacts(surveyed: readonly SurveyedEndpoint[]): ServedFacts[] {
  return surveyed.flatMap(({ name, probe }) =>
    probe?.state === 'up'
      ? [
          {
            endpoint: name,
            slots: probe.slots?.total ?? null,
            models: probe.models.map(({ id, context }) => ({ id, window: context })),
          },
        ]
      : [],
  );
}
