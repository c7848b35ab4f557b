import { expect, onTestFinished, test } from 'vitest';
import { type FakeEvaluationServiceOptions, startFakeCredentials, startFakeEvaluationService } from './index.ts';

const body = {
  metrics: [{ predefinedMetricSpec: { metricSpecName: 'safety_v1' } }],
  instance: { response: { contents: { contents: [{ parts: [{ text: 'Hello.' }] }] } } },
};
const byKey = { path: '/v1beta1:evaluateInstances', headers: { 'x-goog-api-key': 'test-key' } };
const place = (location: string) => `/v1beta1/projects/p/locations/${location}:evaluateInstances`;
const bearer = { authorization: 'Bearer test-token' };

async function asked(
  sent: { readonly path: string; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown },
  options: FakeEvaluationServiceOptions = {},
) {
  const service = await startFakeEvaluationService(options);
  onTestFinished(() => service.close());
  const response = await fetch(service.url + sent.path, {
    method: 'POST',
    headers: { ...sent.headers },
    body: JSON.stringify(sent.body ?? body),
  });
  return [response.status, await response.text()] as const;
}

test('the fake evaluation service scores according to the request, in either spelling', async () => {
  const seen: string[] = [];
  const evaluate: FakeEvaluationServiceOptions['evaluate'] = ({ metric, response }) => {
    seen.push(`${metric}: ${response}`);
    return 0.5;
  };
  const [status, text] = await asked(byKey, { evaluate });
  expect([status, JSON.parse(text)]).toEqual([200, { metricResults: [{ score: 0.5 }] }]);
  const snake = {
    metrics: [{ predefined_metric_spec: { metric_spec_name: 'safety_v1', metric_spec_parameters: null } }],
    instance: body.instance,
  };
  expect(await asked({ path: place('us-central1'), headers: bearer, body: snake }, { evaluate })).toEqual([200, text]);
  expect(seen).toEqual(['safety_v1: Hello.', 'safety_v1: Hello.']);
  const coherence = { coherenceInput: { metricSpec: {}, instance: { prediction: 'So.' } } };
  expect(await asked({ ...byKey, body: coherence })).toEqual([200, '{"coherenceResult":{"score":5}}']);
});

test.each([
  ['no key', { path: byKey.path }, 401, 'missing required authentication'],
  ['a wrong key', { path: byKey.path, headers: { 'x-goog-api-key': 'other' } }, 400, 'API key not valid'],
  ['no token', { path: place('us-central1') }, 401, 'invalid authentication'],
  ['another region', { path: place('mars-north1'), headers: bearer }, 404, 'mars-north1'],
  ['another path', { ...byKey, path: '/v1beta1/:evaluate' }, 404, '<html>'],
  ['v1, which has no metrics', { ...byKey, path: '/v1:evaluateInstances' }, 400, 'Unknown name \\"metrics\\"'],
  [
    'an unknown metric',
    { ...byKey, body: { metrics: [{ predefinedMetricSpec: { metricSpecName: 'safety_v9' } }] } },
    400,
    'safety_v9',
  ],
  ['an unknown field', { ...byKey, body: { ...body, autorater: {} } }, 400, 'Unknown name \\"autorater\\"'],
  [
    'an unknown field deep inside',
    {
      ...byKey,
      body: {
        ...body,
        instance: { agentEvalData: { turns: [{ events: [{ content: { parts: [{ toolCall: {} }] } }] }] } },
      },
    },
    400,
    'toolCall',
  ],
])('the fake evaluation service rejects %s', async (_, sent, status, word) => {
  const [found, text] = await asked(sent);
  expect(found).toBe(status);
  expect(text).toContain(word);
});

test('the fake credentials match those of a machine in Google’s cloud', async () => {
  const credentials = await startFakeCredentials({ token: 'mine' });
  onTestFinished(() => credentials.close());
  const url = `${credentials.url}/computeMetadata/v1/instance/service-accounts/default/token`;
  expect((await fetch(url)).status).toBe(403);
  const response = await fetch(url, { headers: { 'metadata-flavor': 'Google' } });
  expect(await response.json()).toEqual({ access_token: 'mine', expires_in: 3600, token_type: 'Bearer' });
  expect(credentials.environment.GCE_METADATA_HOST).toBe(new URL(credentials.url).host);
});
