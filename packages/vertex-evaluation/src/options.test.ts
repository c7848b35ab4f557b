import { describe, expect, it } from 'vitest';
import { evaluationServiceOptions } from './options.ts';

const read = (value: unknown) => evaluationServiceOptions['~standard'].validate(value);

describe('the options of the evaluation service', () => {
  it.each([
    [{}, { requestsPerSecond: 10 }],
    [{ project: undefined, requestsPerSecond: undefined }, { requestsPerSecond: 10 }],
    [{ requestsPerSecond: 0.001 }, { requestsPerSecond: 0.001 }],
    [{ requestsPerSecond: 1000 }, { requestsPerSecond: 1000 }],
    [
      { project: 'example.com:p', location: 'us-central1', apiEndpoint: 'https://vertex.example' },
      {
        project: 'example.com:p',
        location: 'us-central1',
        apiEndpoint: 'https://vertex.example',
        requestsPerSecond: 10,
      },
    ],
  ])('accept %j', (written, options) => {
    expect(read(written)).toEqual({ value: options });
  });

  it.each([
    // An empty message is replaced by one from the JSON Schema.
    [null, [], ''],
    ['p', [], ''],
    [{ project: '' }, ['project'], 'must be the id of a Google Cloud project'],
    [{ project: '../p' }, ['project'], 'must be the id of a Google Cloud project'],
    [{ project: `p${'p'.repeat(100)}` }, ['project'], 'must be the id of a Google Cloud project'],
    [{ project: 5 }, ['project'], ''],
    [{ location: 'US' }, ['location'], 'must be a region, such as us-central1'],
    [{ location: 'evil.example/#' }, ['location'], 'must be a region, such as us-central1'],
    [{ location: 'us-central1\n' }, ['location'], 'must be a region, such as us-central1'],
    [{ location: null }, ['location'], ''],
    [{ apiEndpoint: 'vertex.example' }, ['apiEndpoint'], 'must be a URL, such as https://host'],
    [{ requestsPerSecond: 0 }, ['requestsPerSecond'], ''],
    [{ requestsPerSecond: 1000.1 }, ['requestsPerSecond'], ''],
    [{ requestsPerSecond: Number.NaN }, ['requestsPerSecond'], ''],
    [{ requestsPerSecond: '10' }, ['requestsPerSecond'], ''],
  ])('reject %j', (written, path, message) => {
    const { issues } = read(written);
    expect(issues?.map((issue) => [issue.path ?? [], issue.message])).toEqual([[path, message]]);
  });

  it('report all mistakes at once', () => {
    const { issues } = read({ project: 5, location: 5, apiEndpoint: 5, requestsPerSecond: 'ten' });
    expect(issues).toHaveLength(4);
  });
});
