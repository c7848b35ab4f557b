import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CriteriaError, type Json, type Tools } from '@agent-criteria/core';
import type { Caller } from '@agent-criteria/core/host';
import { testTools } from '@agent-criteria/core/testing';
import { type CallPolicyOptions, callPolicies } from '@agent-criteria/models';
import {
  type FakeEvaluationServiceOptions,
  type FakeServer,
  type Fault,
  faults,
  googleError,
  startFakeCredentials,
  startFakeEvaluationService,
} from '@agent-criteria/test-servers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { environment } from './__fixtures__/environment.ts';
import { evaluateInstances, evaluationAccess } from './evaluate-instances.ts';
import { turnRequest } from './request.ts';

const request = turnRequest('safety_v1', { prompt: 'Hello?', response: 'Hello.', reference: null });
const options = { requestsPerSecond: 10 };
const range = { min: 0, max: 1, better: 'higher' } as const;
const caller: Caller = {
  role: 'criterion',
  name: 'safety_v1',
  turn: 0,
  key: { setId: 'set', caseId: 'case', repeat: 0 },
};

type Way = 'api-key' | 'project';
const ways: readonly Way[] = ['api-key', 'project'];

/** Starts a service, and sets the environment so that calls reach it in the given way. */
async function served(way: Way, how: FakeEvaluationServiceOptions = {}, location = 'us-central1'): Promise<FakeServer> {
  const service = await startFakeEvaluationService(how);
  onTestFinished(() => service.close());
  const base = { GOOGLE_VERTEX_BASE_URL: service.url };
  if (way === 'api-key') {
    environment({ ...base, GOOGLE_API_KEY: 'test-key' });
    return service;
  }
  const credentials = await startFakeCredentials();
  onTestFinished(() => credentials.close());
  const place = { GOOGLE_CLOUD_PROJECT: 'test-project', GOOGLE_CLOUD_LOCATION: location };
  environment({ ...base, ...place, ...credentials.environment });
  return service;
}

async function under(policies: CallPolicyOptions, tools: Tools = testTools()): Promise<Tools> {
  const opened = await callPolicies({ cache: false, maxRetries: 0, ...policies });
  onTestFinished(async () => void (await opened.close()));
  return opened.apply(tools, caller);
}

/** Removes the delays between attempts. */
function inNoTime(): void {
  const wait = globalThis.setTimeout;
  const sooner = (run: () => void, milliseconds: number, ...of: []) =>
    wait(run, milliseconds >= 900 && milliseconds < 100_000 && of.length === 0 ? 0 : milliseconds, ...of);
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation(sooner as typeof setTimeout);
  onTestFinished(() => void spy.mockRestore());
}

async function failure(asking: Promise<unknown>): Promise<CriteriaError> {
  const error: unknown = await asking.then(
    () => new Error('it gave an answer'),
    (thrown: unknown) => thrown,
  );
  if (!CriteriaError.is(error)) throw error;
  return error;
}

describe.each(ways)('evaluateInstances() with %s', (way) => {
  test('calls v1beta1 at the documented path with matching credentials', async () => {
    const service = await served(way, { evaluate: () => ({ result: { score: 0, explanation: 'Harm.' } }) });
    const result = await evaluateInstances(testTools(), request, { options, range });
    expect(result).toEqual({ score: 0, explanation: 'Harm.', error: null, verdicts: [] });
    const [seen] = service.requests;
    const isKey = way === 'api-key';
    const place = isKey ? '' : '/projects/test-project/locations/us-central1';
    expect(seen).toMatchObject({ method: 'POST', path: `/v1beta1${place}:evaluateInstances`, body: request });
    expect(seen?.headers['x-goog-api-key']).toBe(isKey ? 'test-key' : undefined);
    expect(seen?.headers.authorization).toBe(isKey ? undefined : 'Bearer test-token');
  });

  // An error has the service's message and advice.
  const disabled = googleError(
    403,
    'PERMISSION_DENIED',
    'Vertex AI API has not been used in project test-project before or it is disabled.',
  );
  const table: readonly (readonly [string, Fault, readonly string[]])[] = [
    [
      'a disabled API',
      disabled,
      [
        'has not been used',
        'Enable the Vertex AI API',
        'console.cloud.google.com/apis/library/aiplatform.googleapis.com',
      ],
    ],
    [
      'disabled billing',
      googleError(403, 'PERMISSION_DENIED', 'This API method requires billing to be enabled.'),
      ['Enable billing', 'console.cloud.google.com/billing'],
    ],
    [
      'a missing permission',
      googleError(403, 'PERMISSION_DENIED', "Permission 'aiplatform.endpoints.predict' denied."),
      ["Permission 'aiplatform", way === 'api-key' ? 'GOOGLE_API_KEY' : 'roles/aiplatform.user'],
    ],
    [
      'unknown credentials',
      googleError(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.'),
      ['invalid authentication', way === 'api-key' ? 'AI Studio' : 'gcloud auth application-default login'],
    ],
    [
      'an unknown path',
      googleError(404, 'NOT_FOUND', 'Not found.'),
      ['HTTP 404: Not found', way === 'api-key' ? '"location"' : 'GOOGLE_CLOUD_LOCATION', 'GOOGLE_VERTEX_BASE_URL'],
    ],
    [
      'an unsupported metric',
      googleError(400, 'INVALID_ARGUMENT', 'Unsupported predefined metric: safety_v1.'),
      [
        'Unsupported predefined metric: safety_v1',
        way === 'api-key' ? 'the options "project" and "location"' : 'The region us-central1',
      ],
    ],
    ['an invalid request', googleError(400, 'INVALID_ARGUMENT', 'Prompt is too long.'), ['Prompt is too long']],
    [
      'too many requests',
      googleError(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded for aiplatform.googleapis.com.'),
      ['Quota exceeded', 'requests_per_second', 'iam-admin/quotas'],
    ],
    ['a server error', googleError(500, 'INTERNAL', 'Internal error.'), ['Internal error', 'agent-criteria resume']],
    [
      'an overloaded service',
      googleError(503, 'UNAVAILABLE', 'Try again later.'),
      ['Try again later', 'agent-criteria resume'],
    ],
    ['an error page of a proxy', faults.badGateway, ['502 Server Error', 'endpoint of Vertex AI']],
    [
      'an HTML page with status 200',
      { status: 200, body: '<html><head><title>Sign in to the guest network</title></head></html>' },
      ['Sign in to the guest network', 'endpoint of Vertex AI'],
    ],
    ['a redirect', { status: 307, headers: { location: '/login' }, body: '' }, ['HTTP 307', 'endpoint of Vertex AI']],
    ['truncated JSON', faults.brokenJson, ['JSON', 'agent-criteria resume']],
    ['a connection closed before the answer', faults.cutSocket, ['closed', 'agent-criteria resume']],
    ['a connection closed in the answer', faults.cutBody, ['closed', 'agent-criteria resume']],
  ];

  test.each(table)("throws the service's message, with advice, for %s", async (_, fault, words) => {
    for (const tools of [testTools(), await under({})]) {
      await served(way, { faults: [fault] });
      const error = await failure(evaluateInstances(tools, request, { options, range }));
      expect(error.code).toBe('CALL_FAILED');
      for (const word of words) expect(error.message).toContain(word);
      expect(error.message).not.toMatch(/test-key|test-token|<html|<title|judge-model/);
    }
  });

  test('does not follow redirects', async () => {
    const elsewhere = await startFakeEvaluationService();
    onTestFinished(() => elsewhere.close());
    const location = elsewhere.url.replace('127.0.0.1', 'localhost');
    for (const status of [302, 307, 308]) {
      await served(way, { faults: [{ status, headers: { location }, body: '' }] });
      const error = await failure(evaluateInstances(testTools(), request, { options, range }));
      expect(error.message).toContain(`HTTP ${status}`);
    }
    expect(elsewhere.connections).toBe(0);
  });

  test('masks credentials that the service echoes', async () => {
    const said = 'x-goog-api-key: test-key, authorization: Bearer test-token';
    await served(way, { evaluate: () => ({ result: { score: 0, explanation: said } }) });
    const { explanation } = await evaluateInstances(testTools(), request, { options, range });
    await served(way, { faults: [googleError(403, 'PERMISSION_DENIED', said)] });
    const { message } = await failure(evaluateInstances(testTools(), request, { options, range }));
    for (const text of [explanation, message]) {
      expect(text).toContain('[redacted]');
      expect(text).not.toContain(way === 'api-key' ? 'test-key' : 'test-token');
    }
  });

  test('does not cache a score outside the range', async () => {
    const scores = [7, 0.5];
    await served(way, { evaluate: () => ({ result: { score: scores.shift() ?? 0 } }) });
    const folder = mkdtempSync(join(tmpdir(), 'cache-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const expected of [7, 0.5, 0.5]) {
      const tools = await under({ cache: folder });
      expect(await evaluateInstances(tools, request, { options, range })).toMatchObject({ score: expected });
    }
    expect(scores).toEqual([]);
  });

  test('reports an error if the result is for another metric', async () => {
    await served(way, { evaluate: () => ({ answer: { coherenceResult: { score: 1 } } }) });
    const { score, error } = await evaluateInstances(testTools(), request, { options, range });
    expect(score).toBe(null);
    expect(error).toContain('no metric results: {"coherenceResult"');
  });

  test('retries a temporary failure after at least a second, like the SDK', async () => {
    const service = await served(way, { faults: [googleError(499, 'CANCELLED', 'The operation was cancelled.')] });
    const begun = performance.now();
    const tools = await under({ maxRetries: undefined });
    const { score } = await evaluateInstances(tools, request, { options, range });
    expect(score).toBe(1);
    expect(service.requests).toHaveLength(2);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(1000);
  });

  test('rejects and closes the connection when the run is aborted', async () => {
    const service = await served(way, { faults: [faults.hang] });
    const controller = new AbortController();
    const asking = evaluateInstances(testTools({ signal: controller.signal }), request, { options, range });
    while (service.requests.length === 0) await sleep(5);
    const reason = new Error('the run was aborted');
    controller.abort(reason);
    await expect(asking).rejects.toBe(reason);
    while (service.requests[0]?.aborted !== true) await sleep(5);
  });

  test('times out after callTimeout', async () => {
    await served(way, { faults: [faults.hang] });
    const error = await failure(evaluateInstances(await under({ callTimeout: 50 }), request, { options, range }));
    expect(error.message).toMatch(/did not answer within 50 ms.*agent-criteria resume/);
  });
});

describe('evaluationAccess()', () => {
  const access = (variables: Readonly<Record<string, string>>, more = {}) =>
    evaluationAccess({ options: { ...options, ...more } }, variables);
  const place = { GOOGLE_CLOUD_PROJECT: 'p', GOOGLE_CLOUD_LOCATION: 'us-central1' };

  test('returns the service and the credentials', () => {
    expect(access({ GOOGLE_API_KEY: 'secret' })).toEqual({
      service: 'Vertex AI evaluation service in express mode',
      credentials: 'GOOGLE_API_KEY',
      problems: [],
    });
    expect(access({ ...place, GOOGLE_API_KEY: 'secret' }).credentials).toContain(
      'which overrides GOOGLE_CLOUD_PROJECT',
    );
    const byProject = {
      service: 'Vertex AI evaluation service, project p, location us-central1',
      credentials: 'application default credentials',
      problems: [],
    };
    expect(access(place)).toEqual(byProject);
    // A project in the options overrides the key.
    expect(access({ ...place, GOOGLE_API_KEY: 'secret' }, { project: 'p' })).toEqual(byProject);
    expect(access({ GOOGLE_API_KEY: 'k' }, { apiEndpoint: 'https://vertex.example' }).service).toContain(
      'at https://vertex.example',
    );
    const own = { options, transport: async () => ({}) };
    expect(evaluationAccess(own, {})).toEqual({ service: 'your own transport', credentials: null, problems: [] });
  });

  test.each([
    [{}, {}, 'GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION'],
    [{ GOOGLE_API_KEY: ' ' }, {}, 'set GOOGLE_API_KEY'],
    [{ GOOGLE_API_KEY: 'two\nlines' }, {}, 'GOOGLE_API_KEY contains'],
    [{ GOOGLE_CLOUD_PROJECT: 'p' }, {}, 'GOOGLE_CLOUD_LOCATION'],
    [{ GOOGLE_CLOUD_LOCATION: 'l' }, {}, 'GOOGLE_CLOUD_PROJECT'],
    [{ GOOGLE_API_KEY: 'k' }, { location: 'us-central1' }, 'GOOGLE_CLOUD_PROJECT'],
    [{ ...place, GOOGLE_CLOUD_LOCATION: 'evil.example/#' }, {}, 'GOOGLE_CLOUD_LOCATION must be a region'],
    [{ ...place, GOOGLE_CLOUD_PROJECT: '../../p' }, {}, 'GOOGLE_CLOUD_PROJECT must be'],
    [{ ...place, GOOGLE_APPLICATION_CREDENTIALS: 'no-such.json' }, {}, 'no-such.json'],
    [{ ...place, GOOGLE_VERTEX_BASE_URL: 'http://vertex.example' }, {}, 'GOOGLE_VERTEX_BASE_URL must begin with https'],
    [{ ...place, GOOGLE_VERTEX_BASE_URL: 'vertex' }, {}, 'GOOGLE_VERTEX_BASE_URL must be a URL'],
  ])(
    'reports the missing or invalid setting, as a call does, for the environment %j with the options %j',
    async (variables, more, word) => {
      const { problems } = access(variables as Record<string, string>, more);
      expect(problems).toHaveLength(1);
      expect(problems[0]?.message).toContain(word);
      environment(variables);
      const error = await failure(evaluateInstances(testTools(), request, { options: { ...options, ...more } }));
      expect(error.message).toContain(word);
    },
  );
});

test('evaluateInstances() explains how to sign in if there are no credentials', async () => {
  environment({
    GOOGLE_CLOUD_PROJECT: 'p',
    GOOGLE_CLOUD_LOCATION: 'us-central1',
    METADATA_SERVER_DETECTION: 'none',
    GOOGLE_VERTEX_BASE_URL: 'http://127.0.0.1:9',
  });
  const error = await failure(evaluateInstances(testTools(), request, { options, range }));
  expect(error.message).toContain('Could not load the default credentials');
  expect(error.message).toContain('gcloud auth application-default login');
});

test('evaluateInstances() suppresses the warning of Google’s client about the metadata server', async () => {
  let lookups = 0;
  const other = createServer((_request, response) => {
    lookups++;
    response.writeHead(418).end('no metadata here');
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    other.closeAllConnections();
    other.close();
  });
  environment({
    GOOGLE_CLOUD_PROJECT: 'unsigned',
    GOOGLE_CLOUD_LOCATION: 'us-central1',
    GCE_METADATA_HOST: `127.0.0.1:${(other.address() as AddressInfo).port}`,
    GOOGLE_VERTEX_BASE_URL: 'http://127.0.0.1:9',
  });
  const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
  onTestFinished(() => warned.mockRestore());
  const error = await failure(evaluateInstances(testTools(), request, { options, range }));
  expect(error.message).toContain('Could not load the default credentials');
  expect(lookups).toBeGreaterThan(0);
  expect(warned).not.toHaveBeenCalled();
});

test.each([403, 404])(
  'evaluateInstances() does not suggest another region if signing in failed: %i',
  async (status) => {
    const credentials = await startFakeCredentials();
    onTestFinished(() => credentials.close());
    credentials.fail(...Array.from({ length: 9 }, () => ({ status, body: 'No such account.' })));
    environment({
      GOOGLE_CLOUD_PROJECT: `p${status}`,
      GOOGLE_CLOUD_LOCATION: 'us-central1',
      ...credentials.environment,
      GOOGLE_VERTEX_BASE_URL: 'http://127.0.0.1:9',
    });
    const { message } = await failure(evaluateInstances(testTools(), request, { options, range }));
    expect(message).toContain('signing in failed');
    // Google's client repeats it in each of several errors.
    expect(message.match(/A Forbidden|A Not Found|refresh access token: No such account/g)?.length ?? 0).toBeLessThan(
      3,
    );
    expect(message).toContain('gcloud auth application-default login');
    expect(message).not.toMatch(/region|roles\/aiplatform/);
  },
);

test('evaluateInstances() rejects while signing in when the run is aborted', async () => {
  const credentials = await startFakeCredentials({ latency: 60_000 });
  onTestFinished(() => credentials.close());
  environment({
    GOOGLE_CLOUD_PROJECT: 'slow',
    GOOGLE_CLOUD_LOCATION: 'us-central1',
    ...credentials.environment,
    GOOGLE_VERTEX_BASE_URL: 'http://127.0.0.1:9',
  });
  const controller = new AbortController();
  const asking = evaluateInstances(testTools({ signal: controller.signal }), request, { options, range });
  while (credentials.requests.length === 0) await sleep(5);
  controller.abort(new Error('enough'));
  await expect(asking).rejects.toThrow('enough');
  // The abort comes before the three seconds after which Google's client gives up.
  expect(credentials.requests[0]?.aborted).toBe(false);
});

test('evaluateInstances() uses a custom transport instead of Google’s', async () => {
  environment({});
  const seen: Json[] = [];
  const transport = async (body: Json) => {
    seen.push(body);
    return { metricResults: [{ score: 0.5 }] };
  };
  expect(await evaluateInstances(testTools(), request, { options, transport })).toMatchObject({ score: 0.5 });
  expect(seen).toEqual([request]);
  const broken = () => Promise.reject(Object.assign(new Error('gateway says no'), { status: 403 }));
  const error = await failure(evaluateInstances(testTools(), request, { options, transport: broken }));
  expect(error.message).toBe('vertex-evaluation: gateway says no. Your own transport received this answer.');
});

test('evaluateInstances() does not mask a one-letter key', async () => {
  const service = await served('api-key', {
    key: 'e',
    evaluate: () => ({ result: { score: 0, explanation: 'Dangerous content.' } }),
  });
  environment({ GOOGLE_API_KEY: 'e', GOOGLE_VERTEX_BASE_URL: service.url });
  expect(await evaluateInstances(testTools(), request, { options, range })).toMatchObject({
    score: 0,
    explanation: 'Dangerous content.',
  });
});

test.each<[string, unknown, string]>([
  ['nothing', undefined, 'returned undefined: return the object'],
  ['null', null, 'returned null'],
  ['a string', '{"metricResults":[{"score":1}]}', 'returned string'],
  ['an unread response', Response.json({ metricResults: [{ score: 1 }] }), 'the result of its json()'],
  ['a value that is not JSON', { metricResults: [{ score: 1n }] }, 'BigInt'],
])('evaluateInstances() rejects %s from a custom transport, and the recording stays valid', async (_, given, word) => {
  environment({});
  const folder = mkdtempSync(join(tmpdir(), 'recording-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'recording.jsonl');
  const policies = await callPolicies({ cache: false, maxRetries: 0, recording: { file, mode: 'record' } });
  const asking = (answer: unknown, prompt: string) =>
    evaluateInstances(
      policies.apply(testTools(), caller),
      turnRequest('safety_v1', { prompt, response: 'So.', reference: null }),
      { options, range, transport: async () => answer },
    );
  expect((await failure(asking(given, 'How?'))).message).toContain(word);
  expect(await asking({ metricResults: [{ score: 0.5 }] }, 'And?')).toMatchObject({ score: 0.5 });
  expect(await policies.close()).toEqual([]);
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(2);
});

describe('evaluateInstances(), for a hostile answer,', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const json = (status: number, body: string): Fault => ({
    status,
    body,
    headers: { 'content-type': 'application/json' },
  });
  test.each<[string, Fault, string]>([
    ['null', json(200, 'null'), 'the answer is null'],
    [
      'an answer nested too deeply',
      json(200, `{"metricResults":[{"score":1,"explanation":${deep}}]}`),
      'nested more deeply',
    ],
    ['an error nested too deeply', json(400, `{"error":{"message":"no","details":${deep}}}`), 'HTTP 400: no.'],
    [
      'an answer that is too large',
      json(200, `{"metricResults":[{"score":1}]}${' '.repeat(17e6)}`),
      'larger than 16 MB',
    ],
  ])('throws a short error: %s', async (_, fault, word) => {
    await served('api-key', { faults: [fault] });
    const { message } = await failure(evaluateInstances(await under({}), request, { options, range }));
    expect(message).toMatch(/^vertex-evaluation: /);
    expect(message).toContain(word);
    expect(message.length).toBeLessThan(1000);
  });
});

describe("evaluateInstances() under a run's policies", () => {
  test('respects requestsPerSecond', async () => {
    const at: number[] = [];
    await served('api-key', {
      evaluate: () => {
        at.push(performance.now());
        return 1;
      },
    });
    const own = { options: { requestsPerSecond: 10 } };
    const ask = (tools: Tools, text: string) =>
      evaluateInstances(tools, turnRequest('safety_v1', { prompt: text, response: text, reference: null }), own);
    // Otherwise, the time needed for the first connection would count as time between requests.
    await ask(await under({}), 'first');
    at.length = 0;
    const tools = await under({});
    const begun = performance.now();
    await Promise.all(['a', 'b', 'c', 'd'].map((text) => ask(tools, text)));
    expect(at).toHaveLength(4);
    // Measured from before the first request began until the last arrived, which is at least 0.3 seconds on any
    // machine. Timers may fire early.
    expect((at[3] ?? 0) - begun).toBeGreaterThan(295);
  });

  test('caches scores, but not answers without a score', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vertex-evaluation-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const none = [{ result: {} }, { result: { score: 1, error: { code: 13, message: 'failed' } } }];
    const service = await served('api-key', { evaluate: () => none.shift() ?? 0.5 });
    const scores: (number | null)[] = [];
    for (let asked = 0; asked < 4; asked += 1) {
      const tools = await under({ cache: folder });
      const { score, error } = await evaluateInstances(tools, request, { options, range });
      scores.push(error === null ? score : null);
    }
    expect(scores).toEqual([null, null, 0.5, 0.5]);
    expect(service.requests).toHaveLength(3);
  });

  test('rejects while waiting for the rate limit when the run is aborted', async () => {
    await served('api-key');
    const controller = new AbortController();
    const tools = await under({}, testTools({ signal: controller.signal }));
    const own = { options: { requestsPerSecond: 0.01 } };
    await evaluateInstances(tools, request, own);
    const second = turnRequest('safety_v1', { prompt: 'More?', response: 'More.', reference: null });
    const asking = evaluateInstances(tools, second, own);
    setTimeout(() => controller.abort(new Error('enough')), 30);
    await expect(asking).rejects.toThrow('enough');
  });

  test("uses only the run's retries, and stops when the budget is spent", async () => {
    const down = googleError(503, 'UNAVAILABLE', 'Try again later.');
    const service = await served('api-key', { faults: Array.from({ length: 9 }, () => down) });
    inNoTime();
    const error = await failure(evaluateInstances(await under({ maxRetries: 1 }), request, { options, range }));
    expect(error.message).toContain('(2 attempts)');
    expect(service.requests).toHaveLength(2);
    const spent = await failure(
      evaluateInstances(await under({ maxRetries: 5, maxCalls: 1 }), request, { options, range }),
    );
    expect(spent.code).toBe('BUDGET_SPENT');
    expect(service.requests).toHaveLength(3);
  });
});
