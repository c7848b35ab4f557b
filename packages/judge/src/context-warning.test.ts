import type { AppDetails, Invocation, Score } from '@agent-criteria/core';
import { invocation } from '@agent-criteria/core/testing';
import { expect, it } from 'vitest';
import { withContextWarning } from './context-warning.ts';

const turn = (agentDetails?: AppDetails['agentDetails']): Invocation => ({
  ...invocation({ user: 'Hello' }),
  appDetails: agentDetails === undefined ? undefined : { agentDetails },
});
const score: Score = { value: 1, warnings: ['before'] };
const warned: Score = { value: 1, warnings: ['before', expect.stringMatching(/context is incomplete/)] };

it.each([
  ['nothing is recorded', [turn()], warned],
  ['the agent has only a name', [turn({ desk: { name: 'desk', instructions: '', toolDeclarations: [] } })], warned],
  ['there is no turn', [], warned],
  ['instructions are known', [turn({ desk: { name: 'desk', instructions: 'Be kind.' } })], score],
  ['tools are known from an earlier turn', [turn({ desk: { name: 'desk', toolDeclarations: [{}] } }), turn()], score],
])('withContextWarning() warns only if no instructions or tools are recorded: %s', (_what, invocations, expected) => {
  expect(withContextWarning(score, invocations)).toEqual(expected);
});

it('withContextWarning() does not warn about not-applicable scores, and keeps could-not-judge scores missing', () => {
  const none: Score = { value: null, missing: 'not-applicable', reason: 'no rubric' };
  expect(withContextWarning(none, [turn()])).toBe(none);
  const lost: Score = { value: null, missing: 'could-not-judge', reason: 'down' };
  expect(withContextWarning(lost, [turn()])).toMatchObject({ ...lost, warnings: [expect.any(String)] });
});
