/** Something that goes wrong with one request. */
export type Fault =
  /** An arbitrary reply. A string body is sent as HTML unless `headers` say otherwise. */
  | Reply
  /** Destroys the socket, either before any answer or in the middle of its body. */
  | { readonly cut: 'before' | 'body' }
  /** Sends the headers at once, and the body in small pieces over this many milliseconds. */
  | { readonly slow: number }
  /** Never answers. */
  | { readonly hang: true };

/** A server's reply. An object as body is sent as JSON. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | object;
}

/** Faults that any server can have. */
export const faults = {
  cutSocket: { cut: 'before' },
  cutBody: { cut: 'body' },
  hang: { hang: true },
  /** The reply of a proxy in front of the service. */
  badGateway: {
    status: 502,
    body: '<html><head><title>502 Server Error</title></head><body><h1>Error: Server Error</h1></body></html>',
  },
  /** Status 200 with half a JSON object. */
  brokenJson: { status: 200, headers: { 'content-type': 'application/json' }, body: '{"candidates": [{"content":' },
} as const satisfies Readonly<Record<string, Fault>>;

/** Creates an error as Google's services format it. */
export function googleError(code: number, status: string, message: string, details: readonly object[] = []): Fault {
  return { status: code, body: { error: { code, message, status, ...(details.length === 0 ? {} : { details }) } } };
}

/** Faults of Gemini, by name. */
export const geminiFaults = {
  ...faults,
  /**
   * Too many requests per minute. `retryAfter` is the delay in RetryInfo, in seconds; without it, there is no
   * RetryInfo.
   */
  rateLimit(retryAfter?: number): Fault {
    return googleError(
      429,
      'RESOURCE_EXHAUSTED',
      `You exceeded your current quota, please check your plan and billing details.${retryAfter === undefined ? '' : ` Please retry in ${retryAfter}s.`}`,
      [quotaFailure('GenerateRequestsPerMinutePerProjectPerModel-FreeTier', '10'), ...retryInfo(retryAfter)],
    );
  },
  /** As returned by Vertex AI, without details. */
  exhausted: googleError(429, 'RESOURCE_EXHAUSTED', 'Resource exhausted. Please try again later.'),
  /** No retry helps before tomorrow, although RetryInfo is still present. */
  dailyQuota: googleError(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota. Please retry in 27s.', [
    quotaFailure('GenerateRequestsPerDayPerProjectPerModel-FreeTier', '250'),
    ...retryInfo(27),
  ]),
  overloaded: googleError(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'),
  internal: googleError(500, 'INTERNAL', 'An internal error has occurred. Please retry or report.'),
  forbidden: googleError(403, 'PERMISSION_DENIED', 'Your project has been denied access. Please contact support.'),
};

function quotaFailure(quotaId: string, quotaValue: string): object {
  return {
    '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
    violations: [
      {
        quotaMetric: 'generativelanguage.googleapis.com/generate_content_free_tier_requests',
        quotaId,
        quotaDimensions: { location: 'global', model: 'gemini-2.5-flash' },
        quotaValue,
      },
    ],
  };
}

function retryInfo(seconds: number | undefined): readonly object[] {
  if (seconds === undefined) return [];
  return [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${seconds}s` }];
}

/** Creates an error as OpenAI-compatible servers format it. */
export function openAiError(
  status: number,
  type: string,
  message: string,
  more: { readonly code?: string; readonly param?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Fault {
  const { code = null, param = null, headers = {} } = more;
  return { status, headers, body: { error: { message, type, param, code } } };
}

/** Faults of OpenAI-compatible servers, by name. */
export const openAiFaults = {
  ...faults,
  /** `retryAfter` is the value of the header, in seconds; without it, there is no header. */
  rateLimit(retryAfter?: number): Fault {
    return openAiError(429, 'requests', 'Rate limit reached for requests. Please try again later.', {
      code: 'rate_limit_exceeded',
      headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
    });
  },
  /** The credit is used up, so no retry helps. */
  noCredit: openAiError(429, 'insufficient_quota', 'You exceeded your current quota, please check your plan.', {
    code: 'insufficient_quota',
  }),
  overloaded: openAiError(503, 'server_error', 'The engine is currently overloaded, please try again later.'),
  internal: openAiError(500, 'server_error', 'The server had an error while processing your request.'),
  forbidden: openAiError(403, 'invalid_request_error', 'Your project does not have access to this model.'),
  contextLength: openAiError(400, 'invalid_request_error', "This model's maximum context length is 8192 tokens.", {
    code: 'context_length_exceeded',
    param: 'messages',
  }),
};
