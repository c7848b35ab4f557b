import { expect, it, vi } from 'vitest';
import { answer, modelOf } from './__fixtures__/calls.ts';
import { wrapModel } from './call-policies.ts';

const generate = async () => answer('wrapped');

it('wrapModel() preserves all other properties', () => {
  const access = vi.fn(() => ({ service: 's', credentials: null, problems: [] }));
  const wrapped = wrapModel({ ...modelOf(async () => answer(), 'a'), access, settings: { temperature: 0 } }, generate);
  expect(wrapped).toMatchObject({ id: 'a', generate, settings: { temperature: 0 } });
  expect(wrapped.access?.({ A: 'b' })).toEqual({ service: 's', credentials: null, problems: [] });
  expect(access).toHaveBeenCalledWith({ A: 'b' });
});

it('wrapModel() does not add `access` to a model without it', () => {
  expect(
    wrapModel(
      modelOf(async () => answer()),
      generate,
    ).access,
  ).toBeUndefined();
});
