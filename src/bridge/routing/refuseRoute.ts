import { BridgeError, type ErrorKind } from '../../base/bridgeError.ts';
import type { Policy } from '../../protocol/job.ts';
import { isNear, placeAfterProbe } from '../endpoints/locality.ts';
import type { Survey } from './candidates.ts';
import type { RouteInput } from './routeInput.ts';

const MAX_LISTED = 20;

/** The error for a call that no endpoint may or can answer, with what is served instead. */
export function refuseRoute(
  input: RouteInput,
  policy: Policy,
  name: string | null,
  survey: Survey,
): BridgeError {
  const { kind, message, hint } = judge(input, policy, name, survey);
  const serving = servingOf(input, policy);
  const lines = Object.entries(serving).map(([endpoint, ids]) => `${endpoint}: ${listed(ids)}`);
  return new BridgeError(
    kind,
    lines.length === 0 ? message : `${message}\nCurrently serving: ${lines.join('; ')}`,
    {
      hint:
        policy === 'local-only'
          ? `${hint} This job is local-only: do not do it with a cloud model instead.`.trim()
          : hint,
      details: {
        policy,
        model: name,
        endpoint: input.request.endpoint,
        serving,
        endpoints: Object.fromEntries(
          survey.passedOver.map((item) => [item.endpoint, item.reason]),
        ),
        ...(policy === 'local-only' ? { do_not_retry_in_cloud: true } : {}),
      },
    },
  );
}

/** The error for an endpoint that the configuration does not have. */
export function unknownEndpoint(input: RouteInput, policy: Policy): BridgeError {
  const known = input.endpoints.map((endpoint) => endpoint.name);
  return new BridgeError(
    'unknown_endpoint',
    `There is no endpoint ${quoted(input.request.endpoint)}.`,
    {
      hint: known.length === 0 ? 'No endpoint is configured yet.' : `Known: ${listed(known)}.`,
      details: {
        known_endpoints: known,
        ...(policy === 'local-only' ? { do_not_retry_in_cloud: true } : {}),
      },
    },
  );
}

interface Verdict {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly hint: string;
}

function judge(input: RouteInput, policy: Policy, name: string | null, survey: Survey): Verdict {
  const wanted = name === null ? 'A model' : `The model ${quoted(name)}`;
  const unable = survey.candidates.find((candidate) => candidate.obstacle?.kind === 'tools');
  if (unable !== undefined) {
    return {
      kind: 'model_unsuitable',
      message: `${unable.model} on ${unable.endpoint} cannot do this job: ${unable.obstacle?.reason ?? ''}.`,
      hint: 'Name a model that calls tools, or start the server with its tool-call parser; this one can still be used for plain completions.',
    };
  }
  const forbidden = survey.candidates.find((candidate) => candidate.obstacle?.kind === 'policy');
  if (forbidden !== undefined) {
    return {
      kind: 'policy_refused',
      message: `${wanted} is served only where this job may not run (${forbidden.endpoint}, ${forbidden.model}): ${forbidden.obstacle?.reason ?? ''}.`,
      hint:
        policy === 'local-only'
          ? 'Ask the user to start a local model server.'
          : 'To use it, name the endpoint or the exact model in the call.',
    };
  }
  const inScope = survey.passedOver.filter((item) => item.kind !== 'other_named');
  const [only] = inScope;
  if (input.request.endpoint !== null && only !== undefined) {
    if (only.kind === 'policy') {
      return {
        kind: 'policy_refused',
        message: `${only.endpoint} may not be used for this job: ${only.reason}.`,
        hint: 'Choose a local endpoint, declare its locality in models.yaml, or choose another policy.',
      };
    }
    if (only.kind === 'down') {
      const problem = /[.!?]$/.test(only.reason) ? only.reason : `${only.reason}.`;
      return {
        kind: 'model_unavailable',
        message: `${only.endpoint} is not available: ${problem}`,
        hint: 'Ask the user to start its model server, or to mend what is said; "delegate models" says how.',
      };
    }
  }
  return judgeAll(name, inScope);
}

function judgeAll(name: string | null, inScope: Survey['passedOver']): Verdict {
  if (inScope.length === 0) {
    return {
      kind: 'model_unavailable',
      message: 'No endpoint is configured.',
      hint: 'Ask the user to add one to models.yaml, or register a running server with register_endpoint.',
    };
  }
  if (inScope.every((item) => item.kind === 'policy')) {
    return {
      kind: 'policy_refused',
      message: 'No configured endpoint is known to be local, and this job is local-only.',
      hint: 'Ask the user to start a local model server, or to declare the locality of an endpoint in models.yaml.',
    };
  }
  const isAnyUp = inScope.some((item) => item.kind === 'no_models' || item.kind === 'no_match');
  if (!isAnyUp) {
    return {
      kind: 'model_unavailable',
      message: 'No endpoint is up. Ask the user to start a model server.',
      hint: [
        ...inScope.map((item) => `${item.endpoint}: ${item.reason}`),
        '"delegate models" says what to do about it.',
      ].join(' '),
    };
  }
  if (name === null) {
    return {
      kind: 'model_unavailable',
      message: 'Endpoints are up but none is serving a model. Ask the user to load one.',
      hint: '',
    };
  }
  return {
    kind: 'model_unavailable',
    message: `No live endpoint is serving a model matching ${quoted(name)}. Ask the user to start one.`,
    hint: '',
  };
}

/** What is served now where the job may run, whatever it asked for. */
function servingOf(input: RouteInput, policy: Policy): Record<string, readonly string[]> {
  return Object.fromEntries(
    input.endpoints
      .filter(
        (endpoint) =>
          policy !== 'local-only' ||
          isNear(placeAfterProbe(endpoint.place, endpoint.probe).locality),
      )
      .flatMap((endpoint) => {
        const ids = endpoint.probe?.models.map((model) => model.id) ?? [];
        return ids.length === 0 ? [] : [[endpoint.name, ids] as const];
      }),
  );
}

function listed(ids: readonly string[]): string {
  const rest = ids.length - MAX_LISTED;
  return ids.slice(0, MAX_LISTED).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

/** A name from outside, safe to show. */
function quoted(name: string | null): string {
  return `'${(name ?? '').replace(/\p{C}/gu, ' ').slice(0, 200)}'`;
}
