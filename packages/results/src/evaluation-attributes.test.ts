import type { CriterionResult } from '@agent-criteria/core/host';
import { expect, it } from 'vitest';
import { evaluationAttributes } from './evaluation-attributes.ts';

const missing: CriterionResult = {
  name: 'fluency',
  verdict: 'not-evaluated',
  score: null,
  threshold: null,
  coverage: null,
  counts: { scored: 0, couldNotJudge: 1, notApplicable: 0 },
  reason: 'no judge',
  turns: [],
  warnings: [],
};

it('evaluationAttributes() gives a missing score its kind and no value', () => {
  const attributes = {
    'gen_ai.evaluation.name': 'fluency',
    'gen_ai.evaluation.score.label': 'not-evaluated',
    'gen_ai.evaluation.explanation': 'no judge',
  };
  expect(evaluationAttributes(missing)).toEqual({ ...attributes, 'error.type': 'could-not-judge' });
  const counts = { scored: 0, couldNotJudge: 0, notApplicable: 2 };
  expect(evaluationAttributes({ ...missing, counts })).toEqual({ ...attributes, 'error.type': 'not-applicable' });
});

it('evaluationAttributes() gives a score of 0 its value and no kind of error', () => {
  const counts = { scored: 1, couldNotJudge: 0, notApplicable: 0 };
  const failed = { ...missing, verdict: 'failed', score: 0, threshold: 0.5, coverage: 1, counts } as const;
  expect(evaluationAttributes(failed)).toEqual({
    'gen_ai.evaluation.name': 'fluency',
    'gen_ai.evaluation.score.label': 'failed',
    'gen_ai.evaluation.score.value': 0,
    'gen_ai.evaluation.explanation': 'no judge',
    'agent_criteria.threshold': 0.5,
    'agent_criteria.coverage': 1,
  });
});
