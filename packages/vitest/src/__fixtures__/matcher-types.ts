import '../setup.ts';
import { defineCriterion, type Inference, noOptions } from '@agent-criteria/core';
import { runAgent } from '../index.ts';
import { expect } from 'vitest';

const polite = defineCriterion({
  name: 'polite', description: 'Answers are polite.', origin: { package: 'polite', version: '1.0.0' },
  range: { min: 0, max: 1, better: 'higher' }, decides: true, scope: 'turn', options: noOptions,
  evaluate: () => ({ value: 1 }),
});

/** Compiled but never called: checks that `expect` has the types of the matchers. */
export async function matchers(run: Inference): Promise<void> {
  const done: Promise<void> = expect(run).toMatchTrajectory([{ name: 'switch', args: { on: true } }]);
  const opposite: Promise<void> = expect(run.invocations[0]).not.toMatchResponse('On.', { threshold: 0.5 });
  await Promise.all([done, opposite]);
  await expect(run).toMatchTrajectory([[{ name: 'switch' }], []], { match_type: 'IN_ORDER' });
  await expect(run).toMatchResponse(['On.', 'Off.']);
  await expect(run).toPassCriterion('safety_v1', 0.8);
  await expect(run).toPassCriterion(polite, { threshold: 1 }, { expected: [{ text: 'On.', toolCalls: [] }] });
  await expect(await runAgent(() => 'On.', 'Hello')).not.toPassCriterion('safety_v1', 0.8);
  // Vitest's own matchers keep their types.
  expect(run).toEqual(run);
  // @ts-expect-error Calls are objects with a name.
  await expect(run).toMatchTrajectory(['switch']);
  // @ts-expect-error Expects a string, or a list with one per turn.
  await expect(run).toMatchResponse(1);
  // @ts-expect-error A criterion needs its threshold or its options.
  await expect(run).toPassCriterion('safety_v1');
  // @ts-expect-error There is no such matcher.
  await expect(run).toBePolite();
}
