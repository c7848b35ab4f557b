import type { TurnResult } from '@agent-criteria/core/host';
import { expect, it } from 'vitest';
import { turnsToExplain } from './turns-to-explain.ts';

const turn = (at: number, reached: boolean | null, score: TurnResult['score']): TurnResult => ({
  repeat: 0,
  turn: at,
  value: 'value' in score && typeof score.value === 'number' ? score.value : null,
  reached,
  score,
});
const unjudged: TurnResult['score'] = { value: null, missing: 'could-not-judge', reason: 'No answer.' };
const passed = turn(0, true, { value: 1 });
const failed = turn(1, false, { value: 0 });
const open = turn(2, null, unjudged);
const apart = turn(3, null, { value: null, missing: 'not-applicable', reason: 'Nothing is expected.' });

it('turnsToExplain() returns turns that fall short, or else unjudged ones, or else scored ones', () => {
  expect(turnsToExplain({ verdict: 'failed', turns: [passed, failed, open, apart] })).toEqual([failed]);
  expect(turnsToExplain({ verdict: 'passed', turns: [passed, open, apart] })).toEqual([open]);
  expect(turnsToExplain({ verdict: 'passed', turns: [passed, apart] })).toEqual([passed]);
  expect(turnsToExplain({ verdict: 'skipped', turns: [apart] })).toEqual([]);
});

it('turnsToExplain() prefers unjudged turns if the verdict is not-evaluated', () => {
  expect(turnsToExplain({ verdict: 'not-evaluated', turns: [passed, failed, open] })).toEqual([open]);
  expect(turnsToExplain({ verdict: 'not-evaluated', turns: [passed, failed] })).toEqual([failed]);
});
