import { createRegistry, resolveEvalConfig, scoreUnit, summariseCase } from '@agent-criteria/core/host';
import { evalSet, testCriterion, unit } from '@agent-criteria/core/testing';
import { expect, it, test } from 'vitest';
import { asked, told, untold } from './__fixtures__/measured.ts';
import { maxTurnSeconds } from './max-turn-seconds.ts';

test('fulfils the criterion contract', async () => {
  await testCriterion(maxTurnSeconds, {
    examples: [
      { name: 'recorded', evalCase: asked, inference: told, scores: [2, 0.5] },
      { name: 'not recorded', evalCase: asked, inference: untold, scores: [2, 'could-not-judge'] },
    ],
  });
});

it.each([
  ['the slowest turn is below it', told, 2, 'passed', 2],
  ['the slowest turn is above it', told, 1.9, 'failed', 2],
  ['one is unknown, and may be above it', untold, 2, 'not-evaluated', 2],
  ['one is unknown, and another is above it', untold, 1, 'failed', 2],
] as const)('gives the expected verdict if %s', async (_what, inference, threshold, verdict, score) => {
  const plan = resolveEvalConfig({
    evalSet: evalSet([asked]),
    config: { criteria: { max_turn_seconds: threshold } },
    registry: createRegistry([maxTurnSeconds]),
  });
  const result = summariseCase(plan, asked, [await scoreUnit(plan, unit(asked), inference)]);
  expect(result.verdict).toBe(verdict);
  expect(result.criteria[0]?.score).toBe(score);
});
