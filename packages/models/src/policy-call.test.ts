import { expect, it } from 'vitest';
import { callKey } from './call-key.ts';
import { requestOf } from './policy-call.ts';

const keyOf = (settings?: { readonly [name: string]: number }) =>
  callKey({
    kind: 'model',
    target: 'one',
    repeat: 0,
    ...requestOf(settings === undefined ? {} : { settings }, { messages: [], sample: 0 }),
  });

it('models of one id that are set differently share no answers', () => {
  expect(keyOf({ temperature: 0 })).not.toBe(keyOf({ temperature: 1 }));
  expect(keyOf({ temperature: 0 })).not.toBe(keyOf());
});

it('a model that adds nothing has the keys of any', () => {
  expect(keyOf({})).toBe(keyOf());
});
