import { readFileSync } from 'node:fs';
import {
  CriteriaError,
  type Criterion,
  type CriterionResult,
  createRegistry,
  decide,
  type EvalCase,
  type LanguageModel,
  type Problem,
  type Rubric,
  resolveEvalConfig,
  type Score,
  type ScorePart,
  summariseCase,
} from '@agent-criteria/core';
import { evalCase, evalSet, inference, invocation, scriptedModel } from '@agent-criteria/core/testing';
import { describe, expect, it } from 'vitest';
import { matchJudge, rubricJudge, shownTo } from './__fixtures__/judges.ts';
import { rubric } from './__fixtures__/rubrics.ts';
import { scoreCase } from './__fixtures__/score-case.ts';
import { adkDifferences } from './adk-differences.ts';
import { finalResponseMatch, finalResponseQuality, multiTurnTrajectoryQuality, toolUseQuality } from './pure.ts';

// What ADK makes of the answers of a judge, row by row, through a judge that gives these answers: in compat mode its number
// and status, bit for bit, and never a verdict of passed that is not ours; by default the same, or a line of list A that
// says why not.

type Status = 'PASSED' | 'FAILED' | 'NOT_EVALUATED';
const ADK_STATUS = { PASSED: 1, FAILED: 2, NOT_EVALUATED: 3 } as const;
const VERDICT = { PASSED: 'passed', FAILED: 'failed', NOT_EVALUATED: 'not-evaluated' } as const;

type Line = (typeof adkDifferences)[number]['id'];
const named = new Set<Line>();
/** Says why a row differs. A row that does not may not name a line. */
function explains(line: Line): void {
  named.add(line);
}

// ---- the rows

interface RubricSaid {
  readonly rubric_id: string;
  readonly rationale?: string;
  readonly score: number | null;
}

type Parsed = { readonly id: string } & (
  | {
      readonly fn: 'final_response_match_v2.aggregate_per_invocation_samples';
      readonly input: { readonly samples: readonly { readonly tag: string; readonly score: number | null }[] };
      readonly output: string;
    }
  | {
      readonly fn: 'final_response_match_v2.aggregate_invocation_results';
      readonly input: {
        readonly threshold: number;
        readonly results: readonly { readonly score: number | null; readonly status: Status }[];
      };
      readonly output: { readonly overall_score: number | null; readonly overall_status: Status };
    }
  | {
      readonly fn: 'rubric.majority_vote_aggregate';
      readonly input: { readonly threshold: number; readonly samples: readonly (readonly RubricSaid[] | null)[] };
      readonly output: {
        readonly score: number | null;
        readonly status: Status;
        readonly rubric_scores: readonly RubricSaid[];
      };
    }
  | {
      readonly fn: 'rubric.mean_summarize';
      readonly input: { readonly threshold: number; readonly results: readonly (readonly RubricSaid[] | null)[] };
      readonly output: { readonly overall_score: number | null; readonly overall_status: Status };
    }
  | {
      readonly fn: 'rubric.effective_rubrics';
      readonly input: {
        readonly criterion_rubrics: readonly (readonly [id: string, text: string])[];
        readonly invocation_rubrics: readonly (readonly [id: string, text: string, type: string | null])[] | null;
        readonly rubric_type: string | null;
      };
      readonly output: readonly string[] | { readonly __error__: { readonly message: string } };
    }
);

type Said = readonly [id: string, score: number | null];

type Vector = { readonly id: string } & (
  | {
      readonly area: 'judge.samples';
      readonly input: { readonly numSamples: number; readonly invocations?: readonly (readonly (string | number)[])[] };
      readonly expected: {
        readonly invocations?: readonly { readonly score: number | null }[];
        readonly error?: string;
      };
    }
  | {
      readonly area: 'frm2.vote';
      readonly input: { readonly samples: readonly (number | null)[] };
      readonly expected: { readonly score: number | null; readonly sampleIndex: number };
    }
  | {
      readonly area: 'frm2.overall';
      readonly input: { readonly invocationScores: readonly (number | null)[]; readonly threshold: number };
      readonly expected: { readonly score: number | null; readonly status: Status };
    }
  | { readonly area: 'frm2.reference'; readonly input: { readonly actualCount: number } }
  | {
      readonly area: 'frm2.prompt';
      readonly input: Readonly<Record<'expectedUserText' | 'actualUserText' | 'expectedFinal' | 'actualFinal', string>>;
      readonly expected: Readonly<Record<'userPrompt' | 'agentResponse' | 'reference', string>>;
    }
  | {
      readonly area: 'rubric.average';
      readonly input: { readonly scores: readonly (number | null)[] };
      readonly expected: number | null;
    }
  | {
      readonly area: 'rubric.vote';
      readonly input: { readonly samples: readonly (readonly Said[])[]; readonly threshold: number };
      readonly expected: { readonly rubrics: readonly Said[]; readonly score: number | null; readonly status: Status };
      readonly recommended?: unknown;
    }
  | {
      readonly area: 'rubric.summarize';
      readonly input: { readonly invocations: readonly (readonly Said[])[]; readonly threshold: number };
      readonly expected: { readonly score: number | null; readonly status: Status };
    }
  | {
      readonly area: 'rubric.effective';
      readonly input: {
        readonly metricType: string;
        readonly criterion: readonly Typed[];
        readonly invocation: readonly Typed[];
      };
      readonly expected: readonly string[] | { readonly error: string };
    }
);

interface Typed {
  readonly id: string;
  readonly type?: string;
}

function fixture(file: string): string {
  return readFileSync(new URL(`./__fixtures__/${file}`, import.meta.url), 'utf8');
}

const parsed = fixture('judge-parse.jsonl')
  .trimEnd()
  .split('\n')
  .map((line): Parsed => JSON.parse(line));
const vectors: readonly Vector[] = JSON.parse(fixture('judge-vectors.json'));

function rowsOf<Fn extends Parsed['fn']>(fn: Fn): Extract<Parsed, { readonly fn: Fn }>[] {
  return parsed.filter((row): row is Extract<Parsed, { readonly fn: Fn }> => row.fn === fn);
}

function vectorsOf<Area extends Vector['area']>(area: Area): Extract<Vector, { readonly area: Area }>[] {
  return vectors.filter((vector): vector is Extract<Vector, { readonly area: Area }> => vector.area === area);
}

it('has every row', () => {
  expect([parsed.length, vectors.length]).toEqual([131, 26]);
});

// ---- votes

const oneTurn = evalCase('one', [{ user: 'Hi', answer: 'Hello' }]);
const happened = inference([{ user: 'Hi', answer: 'Good morning' }]);

async function criterionResult(
  criterion: Criterion,
  judge: LanguageModel,
  numSamples: number,
  { threshold = 0.5, compat, rubrics }: { threshold?: number; compat: 'adk' | null; rubrics?: readonly Rubric[] },
): Promise<CriterionResult> {
  const { result } = await scoreCase(criterion, {
    ...{ evalCase: oneTurn, inference: happened, judge, threshold, compat },
    options: { judge_model_options: { num_samples: numSamples }, ...(rubrics === undefined ? {} : { rubrics }) },
  });
  const [only] = result.criteria;
  if (only === undefined) throw new Error('the plan has one criterion');
  return only;
}

/** Whether the readable opinions have a majority, but all samples have none. */
function lacksMajority(scores: readonly (number | null)[]): boolean {
  const positive = scores.filter((score) => score === 1).length;
  const negative = scores.filter((score) => score === 0).length;
  const unreadable = scores.length - positive - negative;
  return positive + negative > 0 && decide(scores.length, { positive, negative, unreadable }) === 'could-not-judge';
}

/** Whether nobody could judge where ADK has no number either. */
function hasNobody(scores: readonly (number | null)[]): boolean {
  return scores.every((score) => score !== 1 && score !== 0);
}

describe('the vote of final_response_match_v2', () => {
  const rows = [
    ...rowsOf('final_response_match_v2.aggregate_per_invocation_samples').map(({ id, input: { samples }, output }) => ({
      id,
      scores: samples.map(({ score }) => score),
      winner: samples.findIndex(({ tag }) => tag === output),
    })),
    ...vectorsOf('frm2.vote').map(({ id, input, expected }) => ({
      id,
      scores: input.samples,
      winner: expected.sampleIndex,
    })),
  ];

  /** ADK counts a score of exactly 1 and exactly 0; no judge gives another. */
  const judgeOf = (scores: readonly (number | null)[]) =>
    matchJudge((sample) => (scores[sample] === 1 ? 'valid' : scores[sample] === 0 ? 'invalid' : 'perhaps'));

  it('has every row', () => expect(rows).toHaveLength(33));

  it.each(rows)('in compat mode: $id', async ({ scores, winner }) => {
    const won = scores[winner];
    const expected = won === 1 || won === 0 ? won : null;
    const found = await criterionResult(finalResponseMatch, judgeOf(scores), scores.length, { compat: 'adk' });
    const [turn] = found.turns;
    expect([found.score, turn?.value, found.adkStatus]).toEqual([
      expected,
      expected,
      expected === null ? 3 : 2 - expected,
    ]);
    const score = turn?.score;
    if (score !== undefined && 'value' in score && score.value !== null) expect(score.reason).toBe(`sample ${winner}`);
    else expect(found.verdict).toBe('not-evaluated');
  });

  it.each(rows)('in default mode, or a line of list A says why not: $id', async ({ scores, winner }) => {
    const found = await criterionResult(finalResponseMatch, judgeOf(scores), scores.length, { compat: null });
    if (lacksMajority(scores)) {
      explains('majority-of-all-samples');
      expect([found.score, found.verdict]).toEqual([null, 'not-evaluated']);
    } else if (hasNobody(scores)) {
      expect([found.score, found.verdict]).toEqual([null, 'not-evaluated']);
    } else {
      expect([found.score, found.verdict]).toEqual([scores[winner], scores[winner] === 1 ? 'passed' : 'failed']);
    }
  });
});

describe('the vote on rubrics', () => {
  /** No judge gives these: a verdict has two values. What can be held is which sample wins. */
  const fractions = ['jp-0483', 'jp-0484', 'jp-0489', 'jp-0490'];
  /**
   * One rubric twice in one sample. List B: answers are structured, and ADK's reading of blocks of text is not copied; two
   * equal verdicts of one sample are one, and two that differ are none.
   */
  const twice: Readonly<Record<string, number | null>> = { 'jp-0525': null, 'rubric.vote#11': 0 };
  /** Rubrics that are judged, but that no sample speaks of. */
  const unmentioned: Readonly<Record<string, readonly string[]>> = { 'rubric.vote#9': ['b'] };

  const rows = [
    ...rowsOf('rubric.majority_vote_aggregate').map(({ id, input, output }) => ({
      id,
      threshold: input.threshold,
      samples: input.samples.map((sample) => sample ?? []),
      expected: { score: output.score, status: output.status, rubrics: output.rubric_scores },
    })),
    ...vectorsOf('rubric.vote').map(({ id, input, expected }) => ({
      id,
      threshold: input.threshold,
      samples: input.samples.map((sample, index) =>
        sample.map(([rubric_id, score]): RubricSaid => ({ rubric_id, score, rationale: `sample ${index}` })),
      ),
      expected: {
        ...expected,
        rubrics: expected.rubrics.map(([rubric_id, score]): RubricSaid => ({ rubric_id, score })),
      },
    })),
  ];
  type Row = (typeof rows)[number];
  const held = rows.filter(({ id }) => !(id in twice));

  const judgeOf = ({ samples }: Row) =>
    scriptedModel(({ sample }) => {
      const said = (samples[sample] ?? []).map(({ rubric_id, rationale, score }) => ({
        ...{ id: rubric_id, evidence: '', rationale: rationale ?? '' },
        verdict: score === 1 ? 'yes' : score === null ? 'unclear' : 'no',
      }));
      return JSON.stringify({ rubrics: said });
    });

  function idsIn({ id, samples }: Row): readonly string[] {
    const mentioned = samples.flatMap((sample) => sample.map(({ rubric_id }) => rubric_id));
    const ids = [...new Set([...mentioned, ...(unmentioned[id] ?? [])])];
    return ids.length === 0 ? ['of which nobody speaks'] : ids;
  }

  async function run(row: Row, compat: 'adk' | null) {
    const rubrics = idsIn(row).map((id) => rubric(id));
    const { threshold, samples } = row;
    const found = await criterionResult(finalResponseQuality, judgeOf(row), samples.length, {
      threshold,
      compat,
      rubrics,
    });
    const score = found.turns[0]?.score;
    if (score === undefined || !('parts' in score)) throw new Error('a turn has a part for each rubric');
    return { found, parts: score.parts };
  }

  /** What ADK shows of a part: nothing where nobody spoke of it. */
  function shownOf(part: ScorePart): number | null {
    if (!('value' in part)) throw new Error('a rubric has no parts of its own');
    return part.value ?? part.adkValue ?? null;
  }

  const votesOn = ({ samples }: Row, rubricId: string) =>
    samples.map((sample) => {
      const said = sample.find(({ rubric_id }) => rubric_id === rubricId)?.score ?? null;
      return said === null || said === 1 ? said : 0;
    });

  it('has every row', () => expect(rows).toHaveLength(40));

  it.each(held)('in compat mode: $id', async (row) => {
    const { found, parts } = await run(row, 'adk');
    const inSight = new Map(row.expected.rubrics.map((one) => [one.rubric_id, one]));
    const asVerdict = (score: number | null | undefined) => (fractions.includes(row.id) ? 0 : (score ?? null));
    for (const part of parts) {
      const expected = inSight.get(part.id);
      expect([part.id, shownOf(part)]).toEqual([part.id, asVerdict(expected?.score)]);
      if ('value' in part && part.value !== null) expect(part.reason).toBe(expected?.rationale ?? part.reason);
    }
    if (!fractions.includes(row.id)) {
      expect([found.score, found.adkStatus]).toEqual([row.expected.score, ADK_STATUS[row.expected.status]]);
    }
    // Compat changes numbers, never honesty.
    const undecided = parts.some((part) => 'value' in part && part.value === null);
    if (undecided) expect(found.verdict).not.toBe('passed');
  });

  it.each(held)('in default mode, or a line of list A says why not: $id', async (row) => {
    const { found, parts } = await run(row, null);
    const unlike = parts.filter(({ id }) => lacksMajority(votesOn(row, id)));
    const nobody = parts.filter(({ id }) => hasNobody(votesOn(row, id)));
    for (const part of parts) {
      const without = unlike.includes(part) || nobody.includes(part);
      const expected = row.expected.rubrics.find(({ rubric_id }) => rubric_id === part.id)?.score ?? null;
      const verdict = fractions.includes(row.id) ? 0 : expected;
      expect([part.id, 'value' in part && part.value]).toEqual([part.id, without ? null : verdict]);
    }
    if (unlike.length > 0) explains('majority-of-all-samples');
    if (unlike.length + nobody.length > 0) expect(found.verdict).not.toBe('passed');
    else if (!fractions.includes(row.id)) {
      expect([found.score, found.verdict]).toEqual([row.expected.score, VERDICT[row.expected.status]]);
    }
  });

  it.each(rows.filter(({ id }) => id in twice))('counts one sample once, in both modes: $id', async (row) => {
    for (const compat of ['adk', null] as const) {
      const { found } = await run(row, compat);
      expect([found.score, found.verdict]).toEqual([
        twice[row.id],
        twice[row.id] === null ? 'not-evaluated' : 'failed',
      ]);
    }
  });

  it('does as is recommended where a rubric is never judged', async () => {
    const row = rows.find(({ id }) => id === 'rubric.vote#9');
    if (row === undefined) throw new Error('the row is there');
    const [adk, ours] = [await run(row, 'adk'), await run(row, null)];
    expect([adk.found.adkStatus, adk.found.verdict, ours.found.verdict]).toEqual([1, 'not-evaluated', 'not-evaluated']);
  });
});

describe('calls that fail', () => {
  const judgeOf = (samples: readonly (string | number)[]): LanguageModel => ({
    id: 'flaky',
    generate(request, signal) {
      const said = samples[request.sample];
      // A stream that yields nothing is no answer either: a provider throws.
      if (typeof said === 'string') return Promise.reject(new Error(said));
      return rubricJudge(() => (said === 1 ? 'yes' : 'no')).generate(request, signal);
    },
  });
  const rubrics = [rubric('a')];

  it.each(vectorsOf('judge.samples').filter(({ input }) => input.invocations !== undefined))(
    'take the turn with them in compat mode; by default the good samples are kept: $id',
    async ({ input, expected }) => {
      for (const [index, samples] of (input.invocations ?? []).entries()) {
        const judge = judgeOf(samples);
        const adk = await criterionResult(finalResponseQuality, judge, input.numSamples, { compat: 'adk', rubrics });
        expect(adk.score).toBe(expected.invocations?.[index]?.score);
        const scores = samples.map((said) => (typeof said === 'number' ? said : null));
        const ours = await criterionResult(finalResponseQuality, judge, input.numSamples, { compat: null, rubrics });
        if (adk.score !== ours.score) explains('failed-call');
        if (lacksMajority(scores)) expect(ours.verdict).toBe('not-evaluated');
        else expect([ours.score, ours.verdict]).toEqual([1, 'passed']);
      }
    },
  );

  it.each(vectorsOf('judge.samples').filter(({ expected }) => expected.error !== undefined))(
    'no sample at all is refused: $id',
    async ({ input }) => {
      const work = criterionResult(finalResponseQuality, judgeOf([]), input.numSamples, { compat: 'adk', rubrics });
      await expect(work).rejects.toThrow(/num_samples/);
    },
  );
});

// ---- cases

const UNKNOWN: Score = { value: null, missing: 'could-not-judge', reason: 'the judge gave no opinion' };
const known = (value: number | null): Score => (value === null ? UNKNOWN : { value });

/** A turn of rubrics; ADK may have none for it, which is a judge that said nothing. */
function rubricTurn(said: readonly Said[] | null): Score {
  if (said === null || said.length === 0) return UNKNOWN;
  return { parts: said.map(([id, value]): ScorePart => ({ id, kind: 'rubric', ...known(value) })) };
}

function summarised(
  criterion: Criterion,
  scores: readonly Score[],
  threshold: number,
  compat: 'adk' | null,
): CriterionResult {
  const theCase = evalCase('one', scores.length === 0 ? [{ answer: 'x' }] : scores.map(() => ({ answer: 'x' })));
  const rubrics = criterion.needs?.rubrics === undefined ? {} : { rubrics: [rubric('a')] };
  const plan = resolveEvalConfig({
    evalSet: evalSet([theCase]),
    config: { criteria: { [criterion.name]: { threshold, ...rubrics } } },
    registry: createRegistry([criterion]),
    models: () => matchJudge(() => 'valid'),
    compat,
  });
  const key = { setId: 'set', caseId: 'one', repeat: 0 };
  const scored = {
    key,
    sessionId: 's',
    ending: happened.ending,
    criteria: [{ name: criterion.name, scope: 'turn' as const, scores }],
  };
  const [only] = summariseCase(plan, theCase, [scored]).criteria;
  if (only === undefined) throw new Error('the plan has one criterion');
  return only;
}

function hasUnknown(score: Score): boolean {
  return 'parts' in score ? score.parts.some(hasUnknown) : score.value === null;
}

describe('the score of a case', () => {
  const ofRubrics = (said: readonly RubricSaid[] | null) =>
    rubricTurn(said?.map(({ rubric_id, score }): Said => [rubric_id, score]) ?? null);
  const rows: readonly {
    readonly id: string;
    readonly criterion: Criterion;
    readonly threshold: number;
    readonly scores: readonly Score[];
    readonly score: number | null;
    readonly status: Status;
  }[] = [
    ...rowsOf('final_response_match_v2.aggregate_invocation_results').map(({ id, input, output }) => ({
      ...{ id, criterion: finalResponseMatch, threshold: input.threshold },
      scores: input.results.map(({ score, status }) => (status === 'NOT_EVALUATED' ? UNKNOWN : known(score))),
      ...{ score: output.overall_score, status: output.overall_status },
    })),
    ...vectorsOf('frm2.overall').map(({ id, input, expected }) => ({
      ...{ id, criterion: finalResponseMatch, threshold: input.threshold },
      ...{ scores: input.invocationScores.map(known), ...expected },
    })),
    ...rowsOf('rubric.mean_summarize').map(({ id, input, output }) => ({
      ...{ id, criterion: finalResponseQuality, threshold: input.threshold },
      ...{ scores: input.results.map(ofRubrics), score: output.overall_score, status: output.overall_status },
    })),
    ...vectorsOf('rubric.summarize').map(({ id, input, expected }) => ({
      ...{ id, criterion: finalResponseQuality, threshold: input.threshold },
      ...{ scores: input.invocations.map(rubricTurn), ...expected },
    })),
    ...vectorsOf('rubric.average').map(({ id, input, expected }) => ({
      ...{ id, criterion: finalResponseQuality, threshold: 0 },
      scores: [rubricTurn(input.scores.map((score, index): Said => [String(index), score]))],
      ...{ score: expected, status: expected === null ? ('NOT_EVALUATED' as const) : ('PASSED' as const) },
    })),
  ];

  it('has every row', () => expect(rows).toHaveLength(27 + 2 + 34 + 3 + 3));

  it("is declared as core's own golden rows have it", () => {
    expect(finalResponseMatch.adk).toEqual({ mean: 'sum', missing: 'dropped' });
    for (const criterion of [finalResponseQuality, toolUseQuality, multiTurnTrajectoryQuality]) {
      expect(criterion.adk).toEqual({ mean: 'exact', missing: 'dropped', aggregate: 'parts' });
      expect(criterion.aggregate ?? 'turns').toBe('turns');
    }
  });

  it.each(rows)('in compat mode: $id', ({ criterion, scores, threshold, score, status }) => {
    const found = summarised(criterion, scores, threshold, 'adk');
    expect([found.score, found.adkStatus]).toEqual([score, ADK_STATUS[status]]);
    if (scores.some(hasUnknown) || scores.length === 0) expect(found.verdict).not.toBe('passed');
    else expect(found.verdict).toBe(VERDICT[status]);
  });

  it.each(rows)(
    'in default mode, or a line of list A says why not: $id',
    ({ criterion, scores, threshold, score, status }) => {
      const found = summarised(criterion, scores, threshold, null);
      const sizes = new Set(scores.map((one) => ('parts' in one ? one.parts.length : 0)));
      if (scores.some(hasUnknown)) {
        // missing-is-a-bound, of core
        expect(['failed', 'not-evaluated']).toContain(found.verdict);
      } else if (found.score === score) {
        expect(found.verdict).toBe(VERDICT[status]);
      } else if (criterion === finalResponseQuality) {
        explains('mean-of-turns');
        expect(sizes.size).toBeGreaterThan(1);
      } else {
        // exact-mean, of core
        expect(found.score).toBeCloseTo(score ?? Number.NaN, 12);
      }
    },
  );
});

// ---- rubrics

describe('the rubrics of a turn', () => {
  const ours = 'FINAL_RESPONSE_QUALITY';
  /** ADK's function takes all types where it is given none; a criterion always has one. */
  const asOurs = (type: string | null | undefined, wanted: string | null) =>
    wanted === null || type === wanted ? ours : (type ?? undefined);
  const typed = (id: string, type: string | undefined, text?: string) => rubric(id, type, text);

  const rows = [
    ...rowsOf('rubric.effective_rubrics').map(({ id, input, output }) => ({
      id,
      own: input.criterion_rubrics.map(([own, text]) => typed(own, undefined, text)),
      ofTurn: (input.invocation_rubrics ?? []).map(([own, text, type]) =>
        typed(own, asOurs(type, input.rubric_type), text),
      ),
      expected: '__error__' in output ? output.__error__.message : output,
    })),
    ...vectorsOf('rubric.effective').map(({ id, input, expected }) => ({
      id,
      own: input.criterion.map((one) => typed(one.id, one.type)),
      ofTurn: input.invocation.map((one) =>
        typed(one.id, one.type === undefined ? undefined : asOurs(one.type, input.metricType)),
      ),
      expected: 'error' in expected ? expected.error : expected,
    })),
  ];

  it('has every row', () => expect(rows).toHaveLength(10));

  it.each(rows)(
    'are those of ADK, or none before anything runs, in both modes: $id',
    async ({ own, ofTurn, expected }) => {
      const theCase: EvalCase = {
        evalId: 'one',
        conversation: [{ ...invocation({ answer: 'x' }), rubrics: [...ofTurn] }],
      };
      for (const compat of ['adk', null] as const) {
        const work = scoreCase(finalResponseQuality, {
          ...{ evalCase: theCase, inference: inference([{ answer: 'y' }]), judge: rubricJudge(() => 'yes') },
          ...{ options: { rubrics: own }, compat },
        });
        if (typeof expected === 'string') {
          const problems = await work.then(
            () => [],
            (error: unknown): readonly Problem[] => (CriteriaError.is(error) ? error.problems : []),
          );
          const code = /already exists/.test(expected) ? 'DUPLICATE_ID' : 'NEEDS_UNMET';
          expect(problems).toMatchObject([{ code }]);
        } else {
          const { scores } = await work;
          expect(scores.map((score) => ('parts' in score ? score.parts.map(({ id }) => id) : []))).toEqual([expected]);
        }
      }
    },
  );
});

// ---- what final_response_match_v2 reads

describe('the reference of final_response_match_v2', () => {
  it.each(vectorsOf('frm2.reference'))('must be there: $id', async ({ input }) => {
    const led: EvalCase = {
      evalId: 'led',
      conversationScenario: { startingPrompt: 'Hi', conversationPlan: 'Say bye.' },
    };
    for (const compat of ['adk', null] as const) {
      const work = scoreCase(finalResponseMatch, {
        ...{ evalCase: led, judge: matchJudge(() => 'valid'), compat },
        inference: inference(Array.from({ length: input.actualCount }, () => ({ answer: 'x' }))),
      });
      await expect(work).rejects.toThrow(/a simulated conversation has none/);
    }
  });

  it.each(vectorsOf('frm2.prompt'))('brings its own question in compat mode: $id', async ({ input, expected }) => {
    const shown = async (compat: 'adk' | null) => {
      const judge = matchJudge(() => 'valid');
      await scoreCase(finalResponseMatch, {
        evalCase: evalCase('one', [{ user: input.expectedUserText, answer: input.expectedFinal }]),
        inference: inference([{ user: input.actualUserText, answer: input.actualFinal }]),
        ...{ judge, compat },
      });
      return shownTo(judge);
    };
    const adk = await shown('adk');
    for (const text of Object.values(expected)) expect(adk).toContain(`\n${text}\n`);
    const ours = await shown(null);
    expect(ours).toContain(`\n${input.actualUserText}\n`);
    explains('question-asked');
  });
});

it('every line of list A is needed', () => {
  // No golden row holds these; the tests of the criteria show both modes.
  const shownThere: readonly Line[] = ['no-expected-answer-judged', 'earlier-turns', 'claims'];
  expect([...named, ...shownThere].sort()).toEqual(adkDifferences.map(({ id }) => id).sort());
});
