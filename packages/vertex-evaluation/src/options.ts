import type { CoreOptions, JsonSchema, OptionsSchema } from '@agent-criteria/core';
import { endpointProblem } from './endpoint.ts';

/** What people may write for every criterion of the service. */
export interface EvaluationServiceInput {
  /** The Google Cloud project to use and bill. Default `GOOGLE_CLOUD_PROJECT`. Written, it wins over an API key. */
  readonly project?: string | undefined;
  /** The region, as `us-central1`. Default `GOOGLE_CLOUD_LOCATION`. Written, it wins over an API key. */
  readonly location?: string | undefined;
  /** Of a private endpoint or a proxy, as `https://host`. Default `GOOGLE_VERTEX_BASE_URL`, else Google's. Credentials are sent there. */
  readonly apiEndpoint?: string | undefined;
  /** The maximum number of requests per second, from all criteria together. Default 10, as Google's Python SDK. */
  readonly requestsPerSecond?: number | undefined;
}

/** The options as a criterion reads them. */
export interface EvaluationServiceOptions {
  readonly project?: string | undefined;
  readonly location?: string | undefined;
  readonly apiEndpoint?: string | undefined;
  readonly requestsPerSecond: number;
}

/** The entry of such a criterion in a config, under ADK's name. */
export interface EvaluationServiceCriterion extends CoreOptions, EvaluationServiceInput {
  readonly threshold: number;
}

// Without zod: it would take longer to load than all else here, for four values that are checked once in a run.

// They become a part of a URL, the location even of a host.
const PROJECT = /^[A-Za-z0-9][\w.:-]{0,99}$/;
const LOCATION = /^[a-z0-9][a-z0-9-]{0,39}$/;

const properties = {
  project: {
    description: 'The Google Cloud project to use and bill. Default GOOGLE_CLOUD_PROJECT.',
    type: 'string',
    pattern: PROJECT.source,
  },
  location: {
    description: 'The region, such as us-central1. Default GOOGLE_CLOUD_LOCATION.',
    type: 'string',
    pattern: LOCATION.source,
  },
  apiEndpoint: {
    description: 'The URL of a private endpoint or a proxy. Credentials are sent there.',
    type: 'string',
  },
  requestsPerSecond: {
    default: 10,
    description: 'The maximum number of requests per second, from all criteria together.',
    type: 'number',
    minimum: 0.001,
    maximum: 1000,
  },
} satisfies Record<keyof EvaluationServiceInput, JsonSchema>;

const ofText = (problem: (text: string) => string | null) => (value: unknown) =>
  typeof value === 'string' ? problem(value) : 'must be a string';

/** What is wrong with a value; `null`: nothing. */
const checks: Readonly<Record<keyof EvaluationServiceInput, (value: unknown) => string | null>> = {
  project: ofText((text) => (PROJECT.test(text) ? null : 'must be the id of a Google Cloud project')),
  location: ofText((text) => (LOCATION.test(text) ? null : 'must be a region, such as us-central1')),
  apiEndpoint: ofText(endpointProblem),
  requestsPerSecond(value) {
    const { minimum, maximum } = properties.requestsPerSecond;
    // Nothing but a number from one to the other: NaN is none.
    if (typeof value === 'number' && value >= minimum && value <= maximum) return null;
    return `must be a number from ${minimum} to ${maximum}`;
  },
};

/** The options of every criterion of the service. */
export const evaluationServiceOptions: OptionsSchema<EvaluationServiceInput, EvaluationServiceOptions> = {
  jsonSchema: { type: 'object', properties },
  '~standard': {
    version: 1,
    vendor: 'agent-criteria',
    validate(value) {
      if (typeof value !== 'object' || value === null) return { issues: [{ message: 'must be an object' }] };
      const given = value as EvaluationServiceInput;
      const issues = [];
      for (const [name, check] of Object.entries(checks)) {
        const one = given[name as keyof EvaluationServiceInput];
        const message = one === undefined ? null : check(one);
        if (message !== null) issues.push({ message, path: [name] });
      }
      if (issues.length > 0) return { issues };
      const { project, location, apiEndpoint, requestsPerSecond = properties.requestsPerSecond.default } = given;
      return {
        value: {
          project,
          location,
          apiEndpoint,
          requestsPerSecond,
        },
      };
    },
  },
};
