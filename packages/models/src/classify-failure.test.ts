import { CriteriaError } from '@agent-criteria/core';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { classifyFailure, type FailureKind } from './classify-failure.ts';

/** Creates an error as thrown by `@google/genai`, whose message is the body. */
function apiError(status: number, body: unknown): Error {
  const message = typeof body === 'string' ? body : JSON.stringify(body);
  return Object.assign(new Error(message), { name: 'ApiError', status });
}

function googleError(code: number, status: string, message: string, details: unknown[] = []): Error {
  return apiError(code, { error: { code, status, message, ...(details.length > 0 ? { details } : {}) } });
}

const type = (name: string) => ({ '@type': `type.googleapis.com/google.rpc.${name}` });
const retryInfo = (retryDelay: string) => ({ ...type('RetryInfo'), retryDelay });
const quotaFailure = (quotaId: string, quotaValue = '10') => ({
  ...type('QuotaFailure'),
  violations: [{ quotaId, quotaValue }],
});

/** Creates an error as thrown by the AI SDK. */
function apiCallError(fields: Record<string, unknown>): Error {
  return Object.assign(new Error(String(fields.message ?? 'failed')), { name: 'AI_APICallError', ...fields });
}

/** Creates an error as thrown by `fetch`. */
function fetchFailed(code: string, message = `connect ${code} 127.0.0.1:9`): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });
}

const live = new AbortController().signal;

const failures: readonly [string, unknown, FailureKind, boolean][] = [
  [
    'Google: per minute',
    googleError(429, 'RESOURCE_EXHAUSTED', 'slow down', [
      quotaFailure('GenerateRequestsPerMinutePerProjectPerModel-FreeTier'),
    ]),
    'rate-limit',
    true,
  ],
  [
    'Google: per day',
    googleError(429, 'RESOURCE_EXHAUSTED', 'slow down', [
      quotaFailure('GenerateRequestsPerDayPerProjectPerModel-FreeTier'),
      retryInfo('27s'),
    ]),
    'quota',
    false,
  ],
  [
    'Google: no quota at all',
    googleError(429, 'RESOURCE_EXHAUSTED', 'limit: 0', [quotaFailure('GenerateRequestsPerMinutePerProject', '0')]),
    'quota',
    false,
  ],
  [
    'Vertex: 429 without details',
    googleError(429, 'RESOURCE_EXHAUSTED', 'Resource exhausted. Please try again later.'),
    'rate-limit',
    true,
  ],
  ['Google: overloaded', googleError(503, 'UNAVAILABLE', 'The model is overloaded.'), 'overload', true],
  ['Google: internal', googleError(500, 'INTERNAL', 'An internal error has occurred.'), 'server', true],
  ['Google: deadline', googleError(504, 'DEADLINE_EXCEEDED', 'Deadline exceeded.'), 'overload', true],
  [
    'Google: wrong key',
    googleError(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
      { ...type('ErrorInfo'), reason: 'API_KEY_INVALID' },
    ]),
    'auth',
    false,
  ],
  ['Google: not allowed', googleError(403, 'PERMISSION_DENIED', 'The caller does not have permission'), 'auth', false],
  [
    'Google: unknown field',
    googleError(400, 'INVALID_ARGUMENT', 'Unknown name "foo": Cannot find field.'),
    'bad-request',
    false,
  ],
  [
    'Google: no such model',
    googleError(404, 'NOT_FOUND', 'models/gemini-1.0-pro is not found for API version v1beta'),
    'not-found',
    false,
  ],
  [
    'Google: a mode the model has not',
    googleError(400, 'INVALID_ARGUMENT', 'JSON mode is not supported for this model.'),
    'bad-request',
    false,
  ],
  [
    'Google: HTML inside the message',
    apiError(502, {
      error: { message: '<!DOCTYPE html><html><title>Error 502</title></html>', code: 502, status: 'Bad Gateway' },
    }),
    'server',
    true,
  ],
  ['Google: status only in the body', new Error('{"error":{"code":429,"message":"slow down"}}'), 'rate-limit', true],
  [
    'AI SDK: rate limit',
    apiCallError({ statusCode: 429, isRetryable: true, responseBody: '{"error":{"message":"slow"}}' }),
    'rate-limit',
    true,
  ],
  [
    'AI SDK: cannot connect',
    apiCallError({
      message: 'Cannot connect to API: connect ECONNREFUSED',
      isRetryable: true,
      cause: fetchFailed('ECONNREFUSED').cause,
    }),
    'network',
    true,
  ],
  [
    'AI SDK: broken answer',
    apiCallError({ message: 'Invalid JSON response', statusCode: 200, isRetryable: false }),
    'unreadable',
    true,
  ],
  ['AI SDK: conflict', apiCallError({ statusCode: 409, isRetryable: true }), 'server', true],
  [
    'AI SDK: no key',
    Object.assign(new Error('OpenAI API key is missing.'), { name: 'AI_LoadAPIKeyError' }),
    'auth',
    false,
  ],
  [
    'AI SDK: after its own retries',
    Object.assign(new Error('Failed after 3 attempts'), {
      name: 'AI_RetryError',
      lastError: apiCallError({ statusCode: 401 }),
    }),
    'auth',
    false,
  ],
  [
    'OpenAI: no money',
    {
      status: 429,
      error: { message: 'You exceeded your current quota', type: 'insufficient_quota', code: 'insufficient_quota' },
    },
    'quota',
    false,
  ],
  [
    'OpenAI: requests per day',
    { status: 429, error: { message: 'Rate limit reached for gpt on requests per day (RPD): Limit 200' } },
    'quota',
    false,
  ],
  [
    'OpenAI: no such model',
    { status: 404, error: { message: 'The model `gpt-9` does not exist', code: 'model_not_found' } },
    'not-found',
    false,
  ],
  [
    'OpenAI: no such model, as 400',
    { status: 400, body: '{"error":{"message":"invalid model: gpt-9"}}' },
    'not-found',
    false,
  ],
  [
    'Groq: no longer served',
    {
      status: 400,
      body: { error: { message: 'The model `llama-2` has been decommissioned and is no longer supported.' } },
    },
    'not-found',
    false,
  ],
  [
    'Anthropic: overloaded',
    { status: 529, error: { error: { type: 'overloaded_error', message: 'Overloaded' } } },
    'overload',
    true,
  ],
  ['OpenRouter: payment', { status: 402, body: '{"error":{"message":"Insufficient credits"}}' }, 'quota', false],
  [
    'Ollama: not pulled',
    { status: 404, body: '{"error":"model \'qwen3\' not found, try pulling it first"}' },
    'not-found',
    false,
  ],
  ['plain 401', { status: 401, headers: {}, body: '' }, 'auth', false],
  ['plain 408', { status: 408 }, 'timeout', true],
  ['plain 413', { status: 413 }, 'bad-request', false],
  ['plain 501', { status: 501 }, 'server', false],
  ['plain 502 of HTML', { status: 502, body: '<html><body><h1>502 Bad Gateway</h1></body></html>' }, 'server', true],
  [
    'gaxios',
    Object.assign(new Error('invalid_grant'), {
      code: '400',
      response: { status: 400, data: { error: 'invalid_grant' } },
    }),
    'auth',
    false,
  ],
  [
    'no credentials',
    new Error('Could not load the default credentials. Browse to https://cloud.google.com'),
    'auth',
    false,
  ],
  ['refused', fetchFailed('ECONNREFUSED'), 'network', true],
  [
    'refused by this machine',
    new TypeError('fetch failed', {
      cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', address: '127.0.0.1' }),
    }),
    'network',
    false,
  ],
  [
    'refused by another machine',
    new TypeError('fetch failed', {
      cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', address: '10.0.0.7' }),
    }),
    'network',
    true,
  ],
  ['reset', fetchFailed('ECONNRESET'), 'network', true],
  ['name server', fetchFailed('EAI_AGAIN'), 'network', true],
  ['socket', fetchFailed('UND_ERR_SOCKET', 'other side closed'), 'network', true],
  ['timed out connecting', fetchFailed('ETIMEDOUT'), 'timeout', true],
  ['undici: connect', fetchFailed('UND_ERR_CONNECT_TIMEOUT'), 'timeout', true],
  ['undici: headers', fetchFailed('UND_ERR_HEADERS_TIMEOUT'), 'timeout', true],
  [
    'body cut',
    new TypeError('terminated', { cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }) }),
    'network',
    true,
  ],
  [
    'several addresses',
    new TypeError('fetch failed', {
      cause: Object.assign(new AggregateError([fetchFailed('ECONNREFUSED').cause]), { code: 'ECONNREFUSED' }),
    }),
    'network',
    true,
  ],
  ['fetch failed, and nothing more', new TypeError('fetch failed'), 'network', true],
  ['certificate', fetchFailed('CERT_HAS_EXPIRED'), 'network', false],
  ['broken JSON', new SyntaxError('Unexpected token < in JSON at position 0'), 'unreadable', true],
  ['TimeoutError', new DOMException('The operation was aborted due to timeout', 'TimeoutError'), 'timeout', true],
  [
    'an SDK that ran out of its own time',
    new DOMException('This operation was aborted', 'AbortError'),
    'timeout',
    true,
  ],
  ['our timeout', new CriteriaError({ code: 'TIMEOUT', message: 'm did not answer within 1 s' }), 'timeout', true],
  [
    'our failure',
    new CriteriaError({ code: 'CALL_FAILED', message: 'm: no' }, { cause: { status: 401 } }),
    'auth',
    false,
  ],
  ['our missing key', new CriteriaError({ code: 'MISSING_ENVIRONMENT', message: 'no key' }), 'auth', false],
  ['our other errors', new CriteriaError({ code: 'BUDGET_SPENT', message: 'spent' }), 'unknown', false],
  ['a mistake in code', new TypeError('x is not a function'), 'unknown', false],
  ['a text', 'no', 'unknown', false],
  ['nothing', undefined, 'unknown', false],
];

describe('classifyFailure()', () => {
  it.each(failures)('%s', (_name, error, kind, retryable) => {
    expect(classifyFailure(error, live)).toMatchObject({ kind, retryable });
  });

  it('returns "aborted" for every error after the signal has aborted', () => {
    const controller = new AbortController();
    controller.abort();
    expect(classifyFailure(googleError(503, 'UNAVAILABLE', 'busy'), controller.signal)).toMatchObject({
      kind: 'aborted',
      retryable: false,
    });
    expect(classifyFailure(new DOMException('', 'AbortError'))).toMatchObject({ kind: 'aborted', retryable: false });
  });

  const waits: readonly [string, unknown, number | undefined][] = [
    ['RetryInfo', googleError(429, 'X', 'slow', [retryInfo('27s')]), 27_000],
    ['RetryInfo with a fraction', googleError(429, 'X', 'slow', [retryInfo('0.25s')]), 250],
    ['retry-after in seconds', { status: 429, headers: new Headers({ 'Retry-After': '3' }) }, 3000],
    ['retry-after-ms', { statusCode: 429, responseHeaders: { 'Retry-After-Ms': '1500', 'retry-after': '1' } }, 1500],
    ['as a list', { status: 503, response: { status: 503, headers: { 'retry-after': ['7'] } } }, 7000],
    ['nothing', { status: 429, headers: {} }, undefined],
    ['nonsense', { status: 429, headers: { 'retry-after': 'soon' } }, undefined],
    ['below zero', { status: 429, headers: { 'retry-after': '-5' } }, undefined],
  ];
  it.each(waits)('reads the requested wait: %s', (_name, error, wait) => {
    expect(classifyFailure(error, live).retryAfter).toBe(wait);
  });

  it('reads a Retry-After date', () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
    try {
      const at = (seconds: number) => ({
        status: 503,
        headers: { 'retry-after': new Date(Date.now() + seconds * 1000).toUTCString() },
      });
      expect(classifyFailure(at(20)).retryAfter).toBe(20_000);
      expect(classifyFailure(at(-20)).retryAfter).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('does not retry a service that requests a wait of more than five minutes', () => {
    expect(classifyFailure({ status: 429, headers: { 'retry-after': '300' } })).toMatchObject({
      kind: 'rate-limit',
      retryable: true,
    });
    expect(classifyFailure({ status: 429, headers: { 'retry-after': '301' } })).toMatchObject({
      kind: 'quota',
      retryable: false,
    });
    expect(classifyFailure({ status: 503, headers: { 'retry-after': '3600' } })).toMatchObject({
      kind: 'overload',
      retryable: false,
    });
  });

  it('describes the failure in one line', () => {
    const message = (error: unknown) => classifyFailure(error, live).message;
    expect(message(googleError(429, 'RESOURCE_EXHAUSTED', 'You exceeded\n  your quota.'))).toBe(
      'rate limit (HTTP 429): You exceeded your quota.',
    );
    expect(
      message({ status: 502, body: '<!doctype html><html><head><title>502 Bad Gateway</title></head></html>' }),
    ).toBe('server error (HTTP 502): an HTML page, "502 Bad Gateway"');
    expect(message(fetchFailed('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:11434'))).toBe(
      'no connection: fetch failed: connect ECONNREFUSED 127.0.0.1:11434',
    );
    expect(message(googleError(404, 'NOT_FOUND', 'models/old is not found.'))).toBe(
      'not found (HTTP 404): models/old is not found; if the model is no longer served, name another one with --judge-model',
    );
    expect(message({ status: 500 })).toBe('server error (HTTP 500)');
    expect(message(undefined)).toBe('an error without a message');
  });

  it('masks secrets in the message', () => {
    vi.stubEnv('MY_JUDGE_API_KEY', 'quite-a-secret-value');
    try {
      const google = `AIza${'Sy0'.repeat(12)}`;
      const said = [
        `refused: https://example.com/v1?key=${google}&x=1`,
        `Incorrect API key provided: sk-proj-${'a1'.repeat(20)}`,
        'Authorization: Bearer abcdef1234567890abcdef',
        'the key quite-a-secret-value is not valid',
      ];
      const messages = said.map((text) => classifyFailure({ status: 400, body: { error: { message: text } } }).message);
      expect(messages.join('\n')).not.toMatch(/AIzaSy|a1a1|abcdef1|quite-a-secret/);
      expect(messages.join('\n').match(/\[masked: /g)).toHaveLength(4);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('truncates long messages', () => {
    const long = 'word '.repeat(100_000);
    for (const error of [{ status: 404, body: long }, new Error(long), apiError(500, `<html>${long}`)]) {
      expect(classifyFailure(error, live).message.length).toBeLessThanOrEqual(400);
    }
  });

  it('handles unreadable and circular errors', () => {
    const round: Record<string, unknown> = { message: 'round' };
    round.cause = round;
    expect(classifyFailure(round, live).message).toBe('round');
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error('no');
        },
        has: () => {
          throw new Error('no');
        },
      },
    );
    expect(classifyFailure(hostile, live).kind).toBe('unknown');
  });

  it('never throws, and never marks a rejected request as retryable', () => {
    fc.assert(
      fc.property(
        fc.anything({ withNullPrototype: true, withDate: true, withMap: true }),
        fc.integer({ min: 400, max: 404 }),
        (noise, status) => {
          expect(typeof classifyFailure(noise, live).message).toBe('string');
          expect(classifyFailure({ status, body: noise, headers: noise, cause: noise }, live).retryable).toBe(false);
        },
      ),
    );
  });

  it('takes linear time for adversarial strings', () => {
    const texts = [
      'model '.repeat(50_000),
      `<title${' '.repeat(100_000)}`,
      'eyJ'.repeat(50_000),
      'sk-'.repeat(50_000),
      '{'.repeat(100_000),
    ];
    const taken = cpuTime();
    for (const body of texts) classifyFailure({ status: 400, body }, live);
    expect(taken()).toBeLessThan(5_000);
  });
});
