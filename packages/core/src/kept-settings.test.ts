import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { keptSettings, secretSettings } from './kept-settings.ts';

it.each([
  [{ headers: { Authorization: 'x', 'X-Tenant': 'y' } }, ['headers.Authorization']],
  [
    { http_options: { headers: { 'x-goog-api-key': 'x', 'x-goog-user-project': 'p' } } },
    ['http_options.headers.x-goog-api-key'],
  ],
  [
    { httpOptions: { headers: { 'X-Forwarded-For': 'Bearer abc', 'api-key': '' } } },
    ['httpOptions.headers.X-Forwarded-For', 'httpOptions.headers.api-key'],
  ],
  [
    { headers: { 'ocp-apim-subscription-key': 'x', Cookie: 'y', monkey: 'z', 'x-tokens': '1' } },
    ['headers.ocp-apim-subscription-key', 'headers.Cookie'],
  ],
  [
    { extra_headers: { 'x-team': 'Bearer abc' }, extraHeaders: { Authorization: 'x' } },
    ['extra_headers.x-team', 'extraHeaders.Authorization'],
  ],
  [{ api_key: 'x', apiKey: 'y', clientSecret: 'z' }, ['api_key', 'apiKey', 'clientSecret']],
  [
    { extra_body: { token: 'x', deep: [{ password: 'y' }, { user: 'me' }] } },
    ['extra_body.token', 'extra_body.deep.0.password'],
  ],
  [{ auth: { user: 'me', list: ['x'], id: 5 }, api_keys: ['y'] }, ['auth.user', 'auth.list.0', 'api_keys.0']],
  [
    { response_schema: { properties: { api_key: 'x', token: { type: 'string', description: 'of the ticket' } } } },
    ['response_schema.properties.api_key'],
  ],
])('the secrets in %j are %j', (settings, paths) => {
  expect(secretSettings(settings)).toEqual(paths);
});

it.each([
  { temperature: 0, labels: { headers: 'few' }, headers: null, httpOptions: [] },
  { max_tokens: 5, maxOutputTokens: 5, stop_token: 7, logit_bias: { '50256': -100 }, seed: 1, top_k: 40 },
  { systemInstruction: 'Basic facts count. The key is honesty.', prompt_cache_key: 'judge', promptCacheKey: 'judge' },
  { responseJsonSchema: { properties: { token: { type: 'string' }, key: { enum: ['a'] } }, required: ['token'] } },
  { tokenizer: 'cl100k', monkey: 'z', keyboard: 'qwerty', author: 'me', secretary: 'she' },
])('%j contains no secrets', (settings) => {
  expect(secretSettings(settings)).toEqual([]);
});

it('drops only headers and secrets, wherever a provider puts them', () => {
  const settings = {
    temperature: 0,
    headers: { a: 'b' },
    responseJsonSchema: { properties: { headers: {} } },
    http_options: { headers: { a: 'b' }, timeout: 5 },
    httpOptions: { headers: {} },
    extra_headers: { a: 'b' },
    api_key: 'x',
    extra_body: { token: 'x', tier: 'flex', list: [1, { secret: 'x', a: null }] },
  };
  const copy = structuredClone(settings);
  expect(keptSettings(settings)).toEqual({
    temperature: 0,
    responseJsonSchema: { properties: { headers: {} } },
    http_options: { timeout: 5 },
    extra_body: { tier: 'flex', list: [1, { a: null }] },
  });
  expect(settings).toEqual(copy);
});

it('leaves no secrets in the kept settings, at any depth', () => {
  const name = fc.constantFrom('a', 'token', 'apiKey', 'headers', 'properties', 'auth', 'x-api-key', '__proto__');
  const { settings } = fc.letrec<{ settings: Record<string, unknown>; value: unknown }>((tie) => ({
    settings: fc.dictionary(name, tie('value'), { noNullPrototype: true }),
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('x', 'Bearer x', 5, null),
      tie('settings'),
      fc.array(tie('value')),
    ),
  }));
  fc.assert(
    fc.property(settings, (given) => {
      const kept = keptSettings(given as never);
      expect(secretSettings(kept)).toEqual([]);
      expect(keptSettings(kept)).toEqual(kept);
    }),
    { numRuns: runs(2000) },
  );
});
