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

it('is told everything as one text, and the rest beside it', async () => {
  const model = modelFromFunction('mine', (prompt, { sample, schema }) => JSON.stringify([prompt, sample, schema]));
  expect(await model.generate(request, signal)).toEqual({
    text: JSON.stringify(['You judge.\n\nIs it good?\n\nHm.', 2, { type: 'object' }]),
    finish: 'stop',
    usage: {},
    from: 'live',
  });
  expect(model.id).toBe('mine');
});

it('may say how it ended and what it took', async () => {
  const model = modelFromFunction('mine', async () => ({ text: '{', finish: 'length', usage: { outputTokens: 1 } }));
  expect(await model.generate(request, signal)).toMatchObject({ finish: 'length', usage: { outputTokens: 1 } });
});

it('has an answer of its own where the function leaves one undefined', async () => {
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

it.each(odd)('fails the call, with what is expected, where the function returns %j', async (said, described) => {
  const answer = modelFromFunction('mine', () => said as string).generate(request, signal);
  await expect(answer).rejects.toThrow('the function of the model "mine" returned ');
  await expect(answer).rejects.toThrow(`${described}: return the answer as a text, or as { text }`);
});

it('may have no text where it says that it was blocked', async () => {
  const model = modelFromFunction('mine', () => ({ finish: 'blocked' }) as never);
  expect(await model.generate(request, signal)).toEqual({ finish: 'blocked', usage: {}, from: 'live' });
});

it('is not called for a run that is aborted', async () => {
  const model = modelFromFunction('mine', () => 'called');
  await expect(model.generate(request, AbortSignal.abort(new Error('over')))).rejects.toThrow('over');
});
