import { type CoreOptions, type OptionsSchema, optionsSchema } from '@agent-criteria/core';
import * as z from 'zod/mini';
import { endpointProblem } from './endpoint.ts';

/** What people may write for every criterion of the service. */
export interface EvaluationServiceInput {
  /** The Google Cloud project that is asked and billed. Default `GOOGLE_CLOUD_PROJECT`. Written, it wins over an API key. */
  readonly project?: string | undefined;
  /** The region, as `us-central1`. Default `GOOGLE_CLOUD_LOCATION`. Written, it wins over an API key. */
  readonly location?: string | undefined;
  /** Of a private endpoint or a proxy, as `https://host`. Default `GOOGLE_VERTEX_BASE_URL`, else Google's. Credentials are sent there. */
  readonly apiEndpoint?: string | undefined;
  /** How many requests begin within a second, whichever criterion makes them. Default 10, as Google's Python SDK. */
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

/** What editors and forms are told beside types. */
const notes = z.registry<{ description: string }>();

// They become a part of a URL, the location even of a host.
const project = z.string().check(z.regex(/^[A-Za-z0-9][\w.:-]{0,99}$/, 'must be the id of a Google Cloud project'));
const location = z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be a region, as us-central1'));
const endpoint = z
  .string()
  .check(
    z.refine((url) => endpointProblem(url) === null, { error: ({ input }) => endpointProblem(String(input)) ?? '' }),
  );

const schema = z.object({
  project: z.optional(project).register(notes, {
    description: 'The Google Cloud project that is asked and billed. Default GOOGLE_CLOUD_PROJECT.',
  }),
  location: z.optional(location).register(notes, {
    description: 'The region, as us-central1. Default GOOGLE_CLOUD_LOCATION.',
  }),
  apiEndpoint: z.optional(endpoint).register(notes, {
    description: 'The URL of a private endpoint or a proxy. Credentials are sent there.',
  }),
  requestsPerSecond: z._default(z.number().check(z.gte(0.001), z.lte(1000)), 10).register(notes, {
    description: 'How many requests begin within a second, whichever criterion makes them.',
  }),
});

/** The options of every criterion of the service. */
export const evaluationServiceOptions: OptionsSchema<EvaluationServiceInput, EvaluationServiceOptions> = optionsSchema(
  schema,
  z.toJSONSchema(schema, { io: 'input', metadata: notes }),
);
