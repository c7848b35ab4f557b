import type { Criterion, Score } from '@agent-criteria/core';
import { createRegistry, resolveEvalConfig, scoreUnit, summariseCase } from '@agent-criteria/core/host';
import { evalSet, scriptedModel, unit } from '@agent-criteria/core/testing';
import { hallucinations } from '@agent-criteria/criteria-hallucination/pure';
import { finalResponseMatch, finalResponseQuality, toolUseQuality } from '@agent-criteria/criteria-llm-judge/pure';
import { runRecord } from '@agent-criteria/results';
import { evalSetResult } from '@agent-criteria/results/adk';
import { perTurnUserSimulatorQuality } from '@agent-criteria/user-simulator/pure';
import { rubric } from '../../../packages/criteria-llm-judge/src/__fixtures__/rubrics.ts';
import { asScore, type Status, type Value } from '../as-lines-say.ts';
import { areaDriver, type Driver, functionDriver } from '../driver.ts';
import type { Held } from '../held.ts';
import { givingScores, heldConversation, type Mode, throughCore, turnsOf } from '../through-core.ts';

// The score of a conversation from the numbers of its turns and of rubrics in turns. The criteria are real; only their
// numbers are given.

interface Overall {
  readonly overall_score: number | null;
  readonly overall_status: Status;
}
type Judged = { readonly score: number | null; readonly status: Status };
type Said = readonly [id: string, score: number | null];

interface Given {
  readonly criterion: Criterion;
  readonly values: readonly Value[];
  readonly scores?: readonly Score[];
  readonly threshold: number;
  readonly adk: { readonly score: number | null; readonly status: Status };
}

async function held({ criterion, values, scores = values.map(asScore), threshold, adk }: Given): Promise<Held> {
  const best = Math.max(1, ...numbersIn(values));
  const range = { min: Math.min(0, ...numbersIn(values)), max: best, better: 'higher' as const };
  const giving = givingScores(criterion, scores, range);
  const run = async (compat: Mode) =>
    (await throughCore({ ...caseFor(giving, values.length), threshold, compat })).criterion;
  return heldConversation({ turns: values, threshold, adk: criterion.adk, best }, adk, run);
}

function numbersIn(values: readonly Value[]): readonly number[] {
  return values.flatMap((value) => {
    if (typeof value === 'number') return [value];
    return value === null || value === 'not-applicable' ? [] : numbersIn(value);
  });
}

/** Returns a case with this many turns to which the criterion applies. */
function caseFor(criterion: Criterion, count: number) {
  const { evalCase, inference } = turnsOf(count);
  if (criterion.needs?.rubrics !== undefined) {
    return { criterion, evalCase, inference, options: { rubrics: [rubric('a')] } };
  }
  if (criterion.needs?.scenario !== true) return { criterion, evalCase, inference };
  const conversationScenario = { startingPrompt: 'Hi', conversationPlan: 'Talk.' };
  return { criterion, evalCase: { evalId: evalCase.evalId, conversationScenario }, inference };
}

/** Returns the score of a turn from its rubrics. If there are none, the judge gave no opinion. */
function rubricScore(said: readonly Said[]): Score {
  if (said.length === 0) return asScore(null);
  return { parts: said.map(([id, score]) => ({ ...asScore(score), id, kind: 'rubric' as const })) };
}

/** The two criteria that judge rubrics turn by turn. */
function ofRubrics(turns: readonly (readonly Said[] | null)[], threshold: number, adk: Given['adk']) {
  const said = turns.map((turn) => turn ?? []);
  const values = said.map((turn): Value => (turn.length === 0 ? null : turn.map(([, score]) => score)));
  const given = { values, scores: said.map(rubricScore), threshold, adk };
  return Promise.all([finalResponseQuality, toolUseQuality].map((criterion) => held({ criterion, ...given })));
}

/** Returns the rubric scores for the whole conversation in the result file. */
async function rubricsInFile(turns: readonly (readonly Said[] | null)[], threshold: number): Promise<readonly Said[]> {
  const scores = turns.map((turn) => rubricScore(turn ?? []));
  const range = { min: 0, max: 2, better: 'higher' as const };
  const { criterion, evalCase, inference, options } = caseFor(
    givingScores(finalResponseQuality, scores, range),
    Math.max(1, turns.length),
  );
  const plan = resolveEvalConfig({
    evalSet: evalSet([evalCase]),
    config: { criteria: { [criterion.name]: { threshold, ...options } } },
    registry: createRegistry([criterion]),
    compat: 'adk',
    models: () => silent,
  });
  const result = summariseCase(plan, evalCase, [await scoreUnit(plan, unit(evalCase), inference)]);
  const key = { setId: 'set', caseId: evalCase.evalId, repeat: 0 };
  const record = runRecord({ id: 'run', startedAt: 0, endedAt: 0, agent: 'agent' }, [
    { plan, cases: [result], inferences: [{ key, inference }] },
  ]);
  const [set] = record.sets;
  const one = await record.case({ setId: 'set', caseId: evalCase.evalId });
  if (set === undefined || one === undefined) throw new Error('the run has one set and one case');
  const file = evalSetResult(set, [one], 0, 'app');
  const details = file.evalCaseResults?.[0]?.overallEvalMetricResults?.[0]?.details?.rubricScores ?? [];
  return details.map(({ rubricId, score }) => [rubricId, score ?? null] as const);
}

const silent = scriptedModel(() => '');

const outcome = ({ overall_score: score, overall_status: status }: Overall) => ({ score, status });

/** Returns the value of a turn. Turns that are not evaluated are ignored, even if they have a number. */
const judgedValue = ({ score, status }: Judged): Value => (status === 'NOT_EVALUATED' ? null : score);

interface RubricRow {
  readonly rubric_id: string;
  readonly score: number | null;
}

export const meanDrivers: readonly Driver[] = [
  functionDriver<{ threshold: number; results: readonly Judged[] }, Overall>(
    'final_response_match_v2.aggregate_invocation_results',
    ({ input, output }) =>
      held({
        criterion: finalResponseMatch,
        threshold: input.threshold,
        adk: outcome(output),
        values: input.results.map(judgedValue),
      }),
  ),
  functionDriver<{ threshold: number; results: readonly Judged[] }, Overall>(
    'per_turn_user_simulator.aggregate_conversation_results',
    ({ input, output }) =>
      held({
        criterion: perTurnUserSimulatorQuality,
        threshold: input.threshold,
        adk: outcome(output),
        values: input.results.map(({ score }) => score),
      }),
  ),
  functionDriver<{ threshold: number; scores: readonly (number | null)[] }, Overall>(
    'hallucinations.aggregate_invocation_results',
    ({ input, output }) =>
      held({ criterion: hallucinations, threshold: input.threshold, adk: outcome(output), values: input.scores }),
  ),
  functionDriver<
    { threshold: number; results: readonly (readonly RubricRow[] | null)[] },
    Overall & { overall_rubric_scores: readonly RubricRow[] }
  >('rubric.mean_summarize', async ({ input, output }) => {
    const said = (list: readonly RubricRow[]) => list.map(({ rubric_id, score }): Said => [rubric_id, score]);
    const turns = input.results.map((turn) => (turn === null ? null : said(turn)));
    return [
      ...(await ofRubrics(turns, input.threshold, outcome(output))),
      { adk: said(output.overall_rubric_scores), ours: await rubricsInFile(turns, input.threshold) },
    ];
  }),
  functionDriver<{ scores: readonly (number | null)[] }, number | null>(
    'llm_as_judge_utils.get_average_rubric_score',
    async ({ input: { scores }, output: adk }) => {
      const wide = { min: -Number.MAX_VALUE, max: Number.MAX_VALUE, better: 'higher' as const };
      const score = rubricScore(scores.map((one, index): Said => [String(index), one]));
      const giving = givingScores(finalResponseQuality, [score], wide);
      const run = async (compat: Mode) =>
        (await throughCore({ ...caseFor(giving, 1), threshold: 0, compat })).criterion.score;
      return { adk, compat: await run('adk'), ours: await run(null) };
    },
  ),
  areaDriver<{ scores: readonly (number | null)[] }, number | null>(
    'rubric.average',
    ({ input: { scores }, expected: score }) => {
      const said = scores.map((one, index): Said => [String(index), one]);
      return ofRubrics([said], 0, { score, status: score === null ? 'NOT_EVALUATED' : 'PASSED' });
    },
  ),
  areaDriver<
    { invocations: readonly (readonly Said[])[]; threshold: number },
    { score: number | null; status: Status; rubrics: readonly Said[] }
  >('rubric.summarize', async ({ input, expected: { score, status, rubrics } }) => [
    ...(await ofRubrics(input.invocations, input.threshold, { score, status })),
    { adk: rubrics, ours: await rubricsInFile(input.invocations, input.threshold) },
  ]),
  areaDriver<
    { invocationScores: readonly (number | null)[]; threshold: number },
    { score: number | null; status: Status }
  >('frm2.overall', ({ input, expected }) =>
    held({
      criterion: finalResponseMatch,
      threshold: input.threshold,
      adk: expected,
      values: input.invocationScores,
    }),
  ),
];
