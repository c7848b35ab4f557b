import { type CoreOptions, type OptionsSchema, optionsSchema, type PartialOptions } from '@agent-criteria/core';

/** The options that all criteria of the service share. */
export interface EvaluationServiceOptions {
  /**
   * The Google Cloud project to use and bill. Default `GOOGLE_CLOUD_PROJECT`. If set, it takes precedence over an API
   * key.
   */
  readonly project?: string | undefined;
  /**
   * The region, such as `us-central1`. Default `GOOGLE_CLOUD_LOCATION`. If set, it takes precedence over an API key.
   */
  readonly location?: string | undefined;
  /**
   * The URL of a private endpoint or a proxy, such as `https://host`. Default `GOOGLE_VERTEX_BASE_URL`, else Google's.
   * Credentials are sent there.
   */
  readonly apiEndpoint?: string | undefined;
  /** The maximum number of requests per second, across all criteria. Default 10, as in Google's Python SDK. */
  readonly requestsPerSecond: number;
}

/** `EvaluationServiceOptions` as people write them. */
export type EvaluationServiceInput = PartialOptions<EvaluationServiceOptions>;

/** The entry of such a criterion in a config, under ADK's name. */
export interface EvaluationServiceCriterion extends CoreOptions, EvaluationServiceInput {
  readonly threshold: number;
}

/**
 * The options that all criteria of the service share. Project and location become part of a URL, and the location even
 * becomes part of the host name.
 */
export const evaluationServiceOptions: OptionsSchema<EvaluationServiceInput, EvaluationServiceOptions> = optionsSchema(
  {
    type: 'object',
    properties: {
      project: {
        description: 'The Google Cloud project to use and bill. Default GOOGLE_CLOUD_PROJECT.',
        type: 'string',
        pattern: '^[A-Za-z0-9][\\w.:-]{0,99}$',
        'x-messages': { pattern: 'must be the id of a Google Cloud project' },
      },
      location: {
        description: 'The region, such as us-central1. Default GOOGLE_CLOUD_LOCATION.',
        type: 'string',
        pattern: '^[a-z0-9][a-z0-9-]{0,39}$',
        'x-messages': { pattern: 'must be a region, such as us-central1' },
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
    },
  },
  {
    check({ apiEndpoint }) {
      const message = apiEndpoint === undefined ? null : endpointProblem(apiEndpoint);
      return message === null ? [] : [{ path: ['apiEndpoint'], message }];
    },
  },
);

/** Describes why credentials must not be sent to this URL, or returns `null` if they may. */
export function endpointProblem(url: string): string | null {
  if (!URL.canParse(url)) return 'must be a URL, such as https://host';
  const { protocol, hostname, username, password, search, hash } = new URL(url);
  if (username !== '' || password !== '' || search !== '' || hash !== '') {
    return 'must be a URL with only a host and a path, such as https://host/path';
  }
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (protocol === 'https:' || (protocol === 'http:' && isHere)) return null;
  return 'must begin with https://, because credentials are sent there (http:// is for this machine only)';
}
