import { expect, it } from 'vitest';
import { secretHeaders, withoutHeaders } from './model-headers.ts';

it.each([
  [{ headers: { Authorization: 'x', 'X-Tenant': 'y' } }, ['Authorization']],
  [{ http_options: { headers: { 'x-goog-api-key': 'x', 'x-goog-user-project': 'p' } } }, ['x-goog-api-key']],
  [{ httpOptions: { headers: { 'X-Forwarded-For': 'Bearer abc', 'api-key': '' } } }, ['X-Forwarded-For', 'api-key']],
  [
    { headers: { 'ocp-apim-subscription-key': 'x', Cookie: 'y', monkey: 'z', 'x-tokens': '1' } },
    ['ocp-apim-subscription-key', 'Cookie'],
  ],
  [{ temperature: 0, labels: { headers: 'Bearer x' }, headers: null, httpOptions: [] }, []],
])('of %j the secret headers are %j', (settings, names) => {
  expect(secretHeaders(settings)).toEqual(names);
});

it('leaves headers out, wherever a provider has them, and nothing else', () => {
  const settings = {
    ...{ temperature: 0, headers: { a: 'b' }, responseJsonSchema: { properties: { headers: {} } } },
    ...{ http_options: { headers: { a: 'b' }, timeout: 5 }, httpOptions: { headers: {} } },
  };
  const copy = structuredClone(settings);
  expect(withoutHeaders(settings)).toEqual({
    ...{ temperature: 0, responseJsonSchema: { properties: { headers: {} } }, http_options: { timeout: 5 } },
  });
  expect(settings).toEqual(copy);
});
