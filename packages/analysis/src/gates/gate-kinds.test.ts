import { expect, it } from 'vitest';
import { gateNames, gatesMovedByStopping } from './gate-kinds.ts';

const gates = {
  passRate: 0.9,
  means: { response_match_score: 0.7 },
  casePassRate: 0.8,
  regression: true,
  noWorseThan: 0.05,
};

it('gatesMovedByStopping lists the gates that cannot tell if cases stop early, with and without a baseline', () => {
  expect(gatesMovedByStopping(gates)).toEqual(['pass_rate', 'means.response_match_score', 'no_worse_than']);
});

it('gateNames leaves out gates that need a baseline if there is none', () => {
  expect(gateNames(gates, null)).toEqual(['pass_rate', 'means.response_match_score', 'case_pass_rate']);
});
