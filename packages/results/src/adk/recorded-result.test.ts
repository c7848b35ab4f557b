import { message } from '@agent-criteria/core/testing';
import type { EvalCaseResult, EvalMetricResult, EvalSetResult } from '@agent-criteria/formats';
import { describe, expect, it } from 'vitest';
import { recordedResult } from './recorded-result.ts';
import { recordedRun } from './recorded-run.ts';

const said = (text: string, answer: string | null) => ({
  userContent: message('user', text),
  finalResponse: answer === null ? null : message('model', answer),
});
const metric = (score: number | null, evalStatus: EvalMetricResult['evalStatus']): EvalMetricResult => ({
  metricName: 'tone',
  threshold: 0.5,
  criterion: { threshold: 0.5, judge_model_options: { judge_model: 'a', judge_model_config: null }, rubrics: null },
  score,
  evalStatus,
});

function entry(evalId: string, more: Partial<EvalCaseResult> = {}): EvalCaseResult {
  const turn = { actualInvocation: said('Hi', 'Hello'), expectedInvocation: said('Hi', 'Hello') };
  return {
    evalId,
    finalEvalStatus: 1,
    overallEvalMetricResults: [metric(1, 1)],
    evalMetricResultPerInvocation: [{ ...turn, evalMetricResults: [metric(1, 1)] }],
    sessionId: 's',
    ...more,
  };
}

const result = (...evalCaseResults: EvalCaseResult[]): EvalSetResult => ({
  evalSetResultId: 'r',
  evalSetId: 'set',
  evalCaseResults,
});

describe('recordedResult()', () => {
  it('converts a metric to a config entry, dropping the nulls that ADK writes', () => {
    expect(recordedResult(result(entry('a'))).criteria).toEqual([
      { name: 'tone', threshold: 0.5, written: { threshold: 0.5, judge_model_options: { judge_model: 'a' } } },
    ]);
  });

  it('reads the rubrics of a case and its turns from the actual turn, where ADK stores them', () => {
    const rubrics = [{ rubricId: 'kind', rubricContent: { textProperty: 'It is kind.' } }];
    const turn = { actualInvocation: { ...said('Hi', 'Hello'), rubrics }, expectedInvocation: said('Hi', 'Hello') };
    const { evalSet } = recordedResult(result(entry('a', { evalMetricResultPerInvocation: [turn] })));
    expect(evalSet.evalCases[0]?.conversation?.[0]).toMatchObject({ rubrics });
  });

  it('reads turns without expected turns as a conversation with a simulated user', () => {
    const turn = { actualInvocation: said('Hi', 'Hello'), expectedInvocation: null };
    const { evalSet } = recordedResult(result(entry('a', { evalMetricResultPerInvocation: [turn] })));
    expect(evalSet.evalCases[0]).toMatchObject({ evalId: 'a', conversationScenario: { startingPrompt: 'Hi' } });
  });

  it('separates two cases with the same id, and keeps a failed repeat with its case', () => {
    const failed = entry('a', { finalEvalStatus: 2, overallEvalMetricResults: [], evalMetricResultPerInvocation: [] });
    const other = { actualInvocation: said('Bye', 'Bye'), expectedInvocation: said('Bye', 'Bye') };
    const twin = entry('a', { evalMetricResultPerInvocation: [other] });
    const { evalSet, inferences, repeats } = recordedResult(result(failed, entry('a'), twin));
    expect(evalSet.evalCases.map(({ evalId }) => evalId)).toEqual(['a', 'a (2)']);
    expect(inferences.map(({ key, inference: { ending } }) => [key.caseId, key.repeat, ending.by])).toEqual([
      ['a', 0, 'error'],
      ['a', 1, 'end-of-case'],
      ['a (2)', 0, 'end-of-case'],
    ]);
    expect(repeats).toBe(2);
  });

  it('warns about a metric with two thresholds, and rejects a result without cases', () => {
    const second = entry('b', { overallEvalMetricResults: [{ ...metric(1, 1), threshold: 0.9 }] });
    expect(recordedResult(result(entry('a'), second), 'f').warnings).toMatchObject([
      { file: 'f', message: 'tone has the threshold 0.9 here and 0.5 before: it is judged by 0.5' },
    ]);
    expect(() => recordedResult(result())).toThrow('the result has no case');
  });
});

describe('recordedRun()', () => {
  it("keeps ADK's scores, and does not pass a case if one of its criteria was not evaluated", async () => {
    const half = entry('half', {
      overallEvalMetricResults: [metric(1, 1), { ...metric(null, 3), metricName: 'facts' }],
    });
    const run = recordedRun(recordedResult(result(entry('good'), half)));
    expect(run.summary.verdicts).toMatchObject({ passed: 0, 'not-evaluated': 2 });
    const found = await run.case({ setId: 'set', caseId: 'half' });
    expect(found?.result.criteria.map(({ name, score, verdict }) => [name, score, verdict])).toEqual([
      ['tone', 1, 'passed'],
      ['facts', null, 'not-evaluated'],
    ]);
  });

  it('never passes a case that the file records as failed or not evaluated', async () => {
    const verdictsOf = async (one: EvalCaseResult, ...more: EvalCaseResult[]) => {
      const { result: found } =
        (await recordedRun(recordedResult(result(one, ...more))).case({ setId: 'set', caseId: 'a' })) ?? {};
      return [found?.verdict, found?.reason, found?.units.map(({ verdict }) => verdict).join()];
    };
    expect(
      await verdictsOf(entry('a', { finalEvalStatus: 2, overallEvalMetricResults: [metric(1, 2)] })),
      'a metric that failed',
    ).toEqual([
      'failed',
      'tone: the file records it as failed, although its score 1 passes the threshold 0.5',
      'failed',
    ]);
    expect(await verdictsOf(entry('a', { finalEvalStatus: 2 })), 'a case that failed').toEqual([
      'failed',
      'the file records the case as failed, although each of its scores passes',
      'failed',
    ]);
    expect(await verdictsOf(entry('a', { finalEvalStatus: 3 })), 'a case that was not evaluated').toEqual([
      'not-evaluated',
      'the file records the case as not evaluated, although each of its scores passes',
      'not-evaluated',
    ]);
    // ADK pools the turns of all repeats, so one repeat may fail although the mean passes.
    const poor: Partial<EvalCaseResult> = {
      finalEvalStatus: 2,
      overallEvalMetricResults: [metric(0.25, 2)],
      evalMetricResultPerInvocation: entry('a').evalMetricResultPerInvocation.map((turn) => ({
        ...turn,
        evalMetricResults: [metric(0.25, 2)],
      })),
    };
    expect(await verdictsOf(entry('a'), entry('a', poor)), 'one repeat of two').toEqual([
      'passed',
      undefined,
      'passed,failed',
    ]);
  });

  it('rounds the numbers in its reasons as scores are rounded elsewhere', async () => {
    const third = entry('a', { finalEvalStatus: 2, overallEvalMetricResults: [metric(1 / 3, 2)] });
    const found = await recordedRun(recordedResult(result(third))).case({ setId: 'set', caseId: 'a' });
    expect(found?.result.reason).toBe('tone: 0.333 is below the threshold 0.5');
  });
});
