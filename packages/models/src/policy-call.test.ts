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

it('answers from models with the same id but different settings are stored separately', () => {
  expect(keyOf({ temperature: 0 })).not.toBe(keyOf({ temperature: 1 }));
  expect(keyOf({ temperature: 0 })).not.toBe(keyOf());
});

it('a model without settings has the same keys as a plain request', () => {
  expect(keyOf({})).toBe(keyOf());
});
