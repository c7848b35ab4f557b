import { expect, it } from 'vitest';
import { modelFromFunction } from './model-from-function.ts';

const { signal } = new AbortController();
const request = {
  system: 'You judge.',
  messages: [
    { role: 'user', parts: [{ text: 'Is it good?' }] },
    { role: 'model', parts: [{ text: 'Hm.' }] },
  ],
  schema: { type: 'object' },
  sample: 2,
};

it('passes the whole prompt as one string, along with the rest of the request', async () => {
  const model = modelFromFunction('mine', (prompt, { sample, schema }) => JSON.stringify([prompt, sample, schema]));
  expect(await model.generate(request, signal)).toEqual({
    text: JSON.stringify(['You judge.\n\nIs it good?\n\nHm.', 2, { type: 'object' }]),
    finish: 'stop',
    usage: {},
    from: 'live',
  });
  expect(model.id).toBe('mine');
});

it('lets the function set the stop reason and usage', async () => {
  const model = modelFromFunction('mine', async () => ({ text: '{', finish: 'length', usage: { outputTokens: 1 } }));
  expect(await model.generate(request, signal)).toMatchObject({ finish: 'length', usage: { outputTokens: 1 } });
});

it('falls back to defaults for fields that the function leaves undefined', async () => {
  const model = modelFromFunction('mine', () => ({ text: 'Yes.', finish: undefined, usage: undefined }));
  expect(await model.generate(request, signal)).toEqual({ text: 'Yes.', finish: 'stop', usage: {}, from: 'live' });
});

const odd: readonly (readonly [unknown, string])[] = [
  [{ verdict: 'yes', reason: 'It is.' }, 'an object without "text" (it has "verdict", "reason")'],
  [Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`k${at}`, at])), '"k9" and 2 more)'],
  [{}, 'an object without keys'],
  [{ text: 1 }, 'an object whose "text" is not a string'],
  [['yes'], 'a list'],
  [true, 'a boolean'],
  [undefined, 'undefined'],
  [null, 'null'],
];

it.each(odd)('fails the call, explaining what is expected, if the function returns %j', async (said, described) => {
  const answer = modelFromFunction('mine', () => said as string).generate(request, signal);
  await expect(answer).rejects.toThrow('the function of the model "mine" returned ');
  await expect(answer).rejects.toThrow(`${described}: return the answer as a text, or as { text }`);
});

it.each([{ finish: 'blocked' }, { finish: 'length', text: null }])(
  'returns an empty text for the incomplete answer %j',
  async (said) => {
    const model = modelFromFunction('mine', () => said as never);
    expect(await model.generate(request, signal)).toEqual({ text: '', finish: said.finish, usage: {}, from: 'live' });
  },
);

it('does not call the function if the run is aborted', async () => {
  const model = modelFromFunction('mine', () => 'called');
  await expect(model.generate(request, AbortSignal.abort(new Error('over')))).rejects.toThrow('over');
});
