import { expect, it, vi } from 'vitest';
import { answer, modelOf } from './__fixtures__/calls.ts';
import { wrapModel } from './call-policies.ts';

const generate = async () => answer('wrapped');

it('is the same model otherwise', () => {
  const access = vi.fn(() => ({ service: 's', credentials: null, problems: [] }));
  const wrapped = wrapModel({ ...modelOf(async () => answer(), 'a'), access, settings: { temperature: 0 } }, generate);
  expect(wrapped).toMatchObject({ id: 'a', generate, settings: { temperature: 0 } });
  expect(wrapped.access?.({ A: 'b' })).toEqual({ service: 's', credentials: null, problems: [] });
  expect(access).toHaveBeenCalledWith({ A: 'b' });
});

it('says nothing of access where the model does not', () => {
  expect(
    wrapModel(
      modelOf(async () => answer()),
      generate,
    ).access,
  ).toBeUndefined();
});
