import type { Json, Range } from '@agent-criteria/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readMetricResult, scoreOf } from './metric-result.ts';

const share: Range = { min: 0, max: 1, better: 'higher' };
const answer = (...results: readonly Json[]): Json => ({ metricResults: results });
const score = (result: Json) => scoreOf(readMetricResult(answer(result)), share);

describe('the score read from the answer of the evaluation service', () => {
  test('includes the explanation as evidence, and also as the reason unless it is the best score', () => {
    expect(score({ score: 1, explanation: 'Fine.' })).toEqual({
      value: 1,
      evidence: [{ kind: 'note', text: 'Fine.' }],
    });
    expect(score({ score: 0, explanation: 'Hate speech.' })).toEqual({
      value: 0,
      reason: 'Hate speech.',
      evidence: [{ kind: 'note', text: 'Hate speech.' }],
    });
  });

  test.each<[string, Json, string]>([
    ['no result', {}, 'no metric results'],
    ['no score', answer({}), 'no score'],
    ['a score as text', answer({ score: '0.9' }), 'not a number: "0.9"'],
    ['NaN', answer({ score: 'NaN' }), 'not a number: "NaN"'],
    ['true', answer({ score: true }), 'not a number: true'],
    ['a score above the range', answer({ score: 1.5 }), '1.5, which is not between 0 and 1'],
    ['a score below the range', answer({ score: -0.1 }), '-0.1, which is not between 0 and 1'],
    ['an error', answer({ error: { code: 13, message: 'autorater failed' } }), 'autorater failed (code 13)'],
    ['an error beside a score', answer({ score: 1, error: { code: 8, message: 'exhausted' } }), 'exhausted (code 8)'],
    ['an error without a code', answer({ score: 1, error: { message: 'autorater failed' } }), 'autorater failed'],
    ['an error as text', answer({ score: 1, error: 'autorater failed' }), 'autorater failed'],
    ['an error with a name', answer({ score: 1, error: { code: 'INTERNAL' } }), '"INTERNAL"'],
    ['an error of the whole answer', { error: { code: 14, message: 'backend down' } }, 'backend down (code 14)'],
    ['the result of another metric', { coherenceResult: { score: 1 } }, 'no metric results: {"coherenceResult"'],
    ['two results for one metric', answer({ score: 1 }, { score: 0 }), '2 results for the one requested metric'],
    ['the same result twice', answer({ score: 1 }, { score: 1 }), '2 results for the one requested metric'],
    ['an explanation without a score', answer({ explanation: 'Cannot tell.' }), 'no score: Cannot tell.'],
  ])('is could-not-judge for %s', (_, given, word) => {
    const found = scoreOf(readMetricResult(given), share);
    expect(found).toMatchObject({ value: null, missing: 'could-not-judge' });
    expect(found.reason).toContain(word);
  });

  test('ignores an error with code 0, and keeps any other error beside a score as evidence', () => {
    for (const error of [null, {}, { code: 0 }]) expect(score({ score: 0.5, error })).toMatchObject({ value: 0.5 });
    expect(score({ score: 1, error: { code: 8, message: 'exhausted' } })).toMatchObject({
      evidence: [{ kind: 'json', label: 'error of the service', value: { score: 1, error: 'exhausted (code 8)' } }],
    });
  });

  test('comes with rubric verdicts under the same ids as in ADK', () => {
    const { verdicts } = readMetricResult(
      answer({
        score: 0.5,
        rubricVerdicts: [
          {
            evaluatedRubric: { rubricId: 'a1', content: { property: { description: 'It books.' } } },
            verdict: true,
            reasoning: 'It did.',
          },
          { evaluatedRubric: { rubricId: 'a2' } },
          {},
        ],
      }),
    );
    expect(verdicts).toEqual([
      { id: 'It books.', verdict: true, reasoning: 'It did.' },
      { id: 'a2', verdict: false, reasoning: null },
      { id: 'rubric_2', verdict: false, reasoning: null },
    ]);
  });

  test('is either a number in the range or could-not-judge with a reason, whatever the answer', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.jsonValue().map((inner) => ({ metricResults: [inner] })),
        ),
        (given) => {
          const found = scoreOf(readMetricResult(given as Json), share);
          if ('value' in found && found.value !== null) return found.value >= 0 && found.value <= 1;
          return 'missing' in found && found.missing === 'could-not-judge' && (found.reason ?? '') !== '';
        },
      ),
    );
  });
});
