import type { Score } from '@agent-criteria/core';
import { evalCase, inference } from '@agent-criteria/core/testing';
import { expect, it } from 'vitest';
import { criterion, runOf } from './__fixtures__/runs.ts';
import { scoreTexts } from './score-texts.ts';

const turns = [{ user: 'Hi', answer: 'Hello.' }];
const criteria = [criterion('kind'), criterion('slow', { range: { min: 0, max: null, better: 'lower' } })];

async function textsOf(kind: readonly Score[], slow: number): Promise<readonly string[]> {
  const said = kind.map(() => turns[0] ?? { user: '' });
  const scores = { kind, slow: kind.map(() => ({ value: slow })) };
  const one = { evalCase: evalCase('one', said), repeats: [{ inference: inference(said), scores }] };
  const run = runOf([{ criteria, config: { criteria: { kind: 0.8, slow: 2 } }, cases: [one] }]);
  const found = await run.case({ setId: 'rooms', caseId: 'one' });
  const [set] = run.sets;
  return found === undefined || set === undefined ? [] : scoreTexts(found, set).map(({ text }) => text);
}

const lost: Score = { value: null, missing: 'could-not-judge', reason: 'the judge was silent' };

it('scoreTexts() compares each score with its threshold, in agreement with the verdict', async () => {
  expect(await textsOf([{ value: 5 / 6 }], 3)).toEqual(['kind 0.833 >= 0.8', 'slow 3 > 2']);
  expect(await textsOf([{ value: 0.79999 }], 2)).toEqual(['kind 0.79999 < 0.8', 'slow 2 <= 2']);
});

it('scoreTexts() shows how much was scored, and why a number is missing', async () => {
  expect(await textsOf([{ value: 1 }, lost], 1)).toEqual(['kind 1 (1/2), not-evaluated', 'slow 1 <= 2']);
  expect((await textsOf([lost], 1))[0]).toBe('kind could not be judged');
});
