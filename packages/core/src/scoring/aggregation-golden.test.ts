import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Criterion } from '../contracts/criterion.ts';
import type { Score, ScorePart } from '../contracts/score.ts';
import { defineCriterion } from '../define-criterion.ts';
import { noOptions } from '../options-schema.ts';
import type { Plan } from '../resolve/plan.ts';
import { evalSetResult } from '../results/eval-set-result.ts';
import { runRecord } from '../results/run-record.ts';
import { evalCase, evalSet, inference } from '../testing/builders.ts';
import { type CriterionResult, summariseCase } from './summarise.ts';
import { caseVerdict } from './verdict.ts';

// ADK's own aggregation, row by row: what the criteria of each metric declare under `adk` must give its number and its
// status, bit for bit, and our verdict beside it must stay honest. In default mode a row that differs says why.

type Status = 'PASSED' | 'FAILED' | 'NOT_EVALUATED';

interface Overall {
  readonly score: number | null;
  readonly status: Status;
  /** What every rubric comes to, in order; only rubric metrics have it. */
  readonly rubrics?: readonly (readonly [string, number | null])[];
}

/** One row in our words: the scores of the turns, and what ADK makes of them. */
interface Row {
  readonly id: string;
  readonly metric: keyof typeof METRICS;
  readonly threshold: number;
  readonly scores: readonly Score[];
  readonly expected: Overall;
}

const METRICS = {
  final_response_match_v2: { adk: { mean: 'sum', missing: 'dropped' } },
  per_turn_user_simulator: { adk: { mean: 'sum', missing: 'zero' } },
  hallucinations: { adk: { mean: 'exact', missing: 'dropped' } },
  rubric: { adk: { mean: 'exact', missing: 'dropped', aggregate: 'parts' } },
} as const satisfies Readonly<Record<string, Pick<Criterion, 'adk'>>>;

const ADK_STATUS = { PASSED: 1, FAILED: 2, NOT_EVALUATED: 3 } as const;
const UNKNOWN: Score = { value: null, missing: 'could-not-judge', reason: 'the judge gave no opinion' };
const NOTHING: Score = { value: null, missing: 'not-applicable', reason: 'there was no text' };

const known = (value: number | null | undefined): Score => (typeof value === 'number' ? { value } : UNKNOWN);

function parted(kind: ScorePart['kind'], parts: readonly (readonly [string, number | null])[]): Score {
  return { parts: parts.map(([id, value]): ScorePart => ({ id, kind, ...known(value) })) };
}

/** A turn of a rubric metric: no list, or an empty one, is a judge that gave nothing. */
function rubricTurn(rubrics: readonly (readonly [string, number | null])[] | null): Score {
  return rubrics === null || rubrics.length === 0 ? UNKNOWN : parted('rubric', rubrics);
}

// ---- reading the rows

interface LineOutput {
  readonly overall_score: number | null;
  readonly overall_status: Status;
  readonly overall_rubric_scores: readonly { readonly rubric_id: string; readonly score: number | null }[] | null;
}
type Judged = { readonly score: number | null; readonly status: Status };
type Judgements = readonly { readonly rubric_id: string; readonly score: number | null }[] | null;
interface Line {
  readonly id: string;
  readonly fn: string;
  readonly input: {
    readonly threshold: number;
    readonly score?: number | null;
    readonly scores?: readonly (number | null)[];
    readonly results?: readonly (Judged | Judgements)[];
  };
  readonly output: LineOutput | Status;
}

function text(file: string): string {
  return readFileSync(new URL(`../__fixtures__/${file}`, import.meta.url), 'utf8');
}

const lines = text('aggregation.jsonl')
  .trim()
  .split('\n')
  .map((line): Line => JSON.parse(line));

function fromLine({ id, fn, input, output }: Line): Row[] {
  if (typeof output === 'string') return [];
  const metric = fn.split('.')[0] as Row['metric'];
  const { overall_rubric_scores: rubrics } = output;
  return [
    {
      id,
      metric,
      threshold: input.threshold,
      scores: metric === 'hallucinations' ? (input.scores ?? []).map(known) : (input.results ?? []).map(fromResult),
      expected: {
        score: output.overall_score,
        status: output.overall_status,
        ...(rubrics === null ? {} : { rubrics: rubrics.map(({ rubric_id, score }) => [rubric_id, score] as const) }),
      },
    },
  ];
}

function fromResult(result: Judged | Judgements): Score {
  if (result === null || !('status' in result)) {
    return rubricTurn(result?.map(({ rubric_id, score }) => [rubric_id, score] as const) ?? null);
  }
  // v2 leaves out what it did not evaluate, whatever number stands there.
  return result.status === 'NOT_EVALUATED' ? UNKNOWN : known(result.score);
}

type Vector = { readonly id: string } & (
  | {
      readonly area: 'status.threshold';
      readonly input: { readonly score: number; readonly threshold: number };
      readonly expected: Status;
    }
  | {
      readonly area: 'rubric.average';
      readonly input: { readonly scores: readonly (number | null)[] };
      readonly expected: number | null;
    }
  | {
      readonly area: 'rubric.summarize';
      readonly input: {
        readonly invocations: readonly (readonly (readonly [string, number | null])[])[];
        readonly threshold: number;
      };
      readonly expected: Overall;
    }
  | {
      readonly area: 'frm2.overall';
      readonly input: { readonly invocationScores: readonly (number | null)[]; readonly threshold: number };
      readonly expected: Overall;
    }
  | {
      readonly area: 'halluc.aggregate';
      readonly input: {
        readonly invocations: readonly { readonly steps: readonly (number | null)[] }[];
        readonly threshold: number;
      };
      readonly expected: Overall & { readonly invocations: readonly (number | null)[] };
    }
  | {
      readonly area: 'peruser.aggregate';
      readonly input: {
        readonly turns: readonly (readonly [number | null, Status])[];
        readonly stopCheck: Status;
        readonly threshold: number;
      };
      readonly expected: Overall;
    }
  | {
      readonly area: 'case.status';
      readonly input: { readonly metricStatuses: readonly Status[] };
      readonly expected: Status;
    }
);

const vectors: readonly Vector[] = JSON.parse(text('aggregation-vectors.json'));

function fromVector(vector: Vector): Row[] {
  const { id } = vector;
  switch (vector.area) {
    case 'rubric.average': {
      const parts = vector.input.scores.map((score, index) => [String(index), score] as const);
      const score = vector.expected;
      const expected: Overall = { score, status: score === null ? 'NOT_EVALUATED' : 'PASSED' };
      return [{ id, metric: 'rubric', threshold: 0, scores: [rubricTurn(parts)], expected }];
    }
    case 'rubric.summarize': {
      const { invocations, threshold } = vector.input;
      return [{ id, metric: 'rubric', threshold, scores: invocations.map(rubricTurn), expected: vector.expected }];
    }
    case 'frm2.overall': {
      const { invocationScores, threshold } = vector.input;
      const scores = invocationScores.map(known);
      return [{ id, metric: 'final_response_match_v2', threshold, scores, expected: vector.expected }];
    }
    case 'halluc.aggregate': {
      const { invocations, threshold } = vector.input;
      const scores = invocations.map(({ steps }) =>
        steps.length === 0
          ? NOTHING
          : parted(
              'step',
              steps.map((step, index) => [String(index), step] as const),
            ),
      );
      return [{ id, metric: 'hallucinations', threshold, scores, expected: vector.expected }];
    }
    case 'peruser.aggregate': {
      const { turns, stopCheck, threshold } = vector.input;
      const scores = turns.map(([score]) => known(score));
      // The criterion's own work: a wrong ending stands in for the last turn.
      if (stopCheck === 'FAILED') scores[scores.length - 1] = { value: 0 };
      return [{ id, metric: 'per_turn_user_simulator', threshold, scores, expected: vector.expected }];
    }
    default:
      return [];
  }
}

const rows = [...lines.flatMap(fromLine), ...vectors.flatMap(fromVector)];

// ---- running them

async function summarised(
  row: Row,
  compat: 'adk' | null,
  range: Criterion['range'],
): Promise<{ criterion: CriterionResult; rubrics: unknown }> {
  const criterion: Criterion = defineCriterion({
    name: row.metric,
    origin: { package: 'test', version: '1.0.0' },
    description: 'stands for a metric of ADK',
    gates: true,
    range,
    options: noOptions,
    ...METRICS[row.metric],
    scope: 'turn',
    evaluate: () => UNKNOWN,
  });
  const theCase = evalCase(
    row.id,
    row.scores.map(() => ({})),
  );
  const plan: Plan = {
    evalSet: evalSet([theCase]),
    config: null,
    criteria: [
      {
        name: criterion.name,
        criterion,
        gates: true,
        threshold: row.threshold,
        minCoverage: 1,
        whenNotApplicable: 'not-evaluated',
        options: {},
        caseOptions: new Map(),
        inapplicable: new Map(),
        written: row.threshold,
      },
    ],
    simulator: null,
    stubs: new Map(),
    models: () => undefined,
    compat,
    warnings: [],
  };
  const happened = inference(row.scores.map(() => ({})));
  const result = summariseCase(plan, theCase, [
    {
      key: { setId: 'set', caseId: row.id, repeat: 0 },
      sessionId: 'session',
      ending: happened.ending,
      criteria: [{ name: criterion.name, scope: 'turn', scores: row.scores }],
    },
  ]);
  const [only] = result.criteria;
  if (only === undefined) throw new Error('the plan has a criterion');
  const key = { setId: 'set', caseId: row.id, repeat: 0 };
  const recorded = { plan, cases: [result], inferences: [{ key, inference: happened }] };
  const record = runRecord({ id: 'run', startedAt: 0, endedAt: 0, agent: 'agent' }, [recorded]);
  const [set] = record.sets;
  const one = await record.case('set', row.id);
  if (set === undefined || one === undefined) throw new Error('the run has one set and one case');
  const file = evalSetResult(set, [one], 0, 'app');
  const details = file.evalCaseResults?.[0]?.overallEvalMetricResults?.[0]?.details?.rubricScores ?? [];
  return { criterion: only, rubrics: details.map(({ rubricId, score }) => [rubricId, score]) };
}

/** One row has a score of 2; ADK knows no range. */
function rangeOf({ scores }: Row): Criterion['range'] {
  return JSON.stringify(scores).includes('"value":2')
    ? { min: 0, max: 2, better: 'higher' }
    : { min: 0, max: 1, better: 'higher' };
}

function hasUnknown(score: Score): boolean {
  return 'parts' in score ? score.parts.some(hasUnknown) : score.value === null && score.missing === 'could-not-judge';
}

it('has rows of every metric', () => {
  const counts = Object.keys(METRICS).map((metric) => rows.filter((row) => row.metric === metric).length);
  expect(counts).toEqual([29, 31, 29, 40]);
});

describe.each(Object.keys(METRICS))('ADK aggregates %s', (metric) => {
  const own = rows.filter((row) => row.metric === metric);

  it.each(own)('in compat mode: $id', async (row) => {
    const { criterion, rubrics } = await summarised(row, 'adk', rangeOf(row));
    expect(criterion.score).toBe(row.expected.score);
    expect(criterion.adkStatus).toBe(ADK_STATUS[row.expected.status]);
    if (row.expected.rubrics !== undefined) expect(rubrics).toEqual(row.expected.rubrics);
    // Compat changes numbers, never honesty.
    if (row.scores.length === 0 || row.scores.some(hasUnknown)) expect(criterion.verdict).not.toBe('passed');
    else expect(criterion.verdict).toBe(row.expected.status === 'PASSED' ? 'passed' : 'failed');
  });

  it.each(own)('in default mode, or a line of list A says why not: $id', async (row) => {
    const { criterion } = await summarised(row, null, rangeOf(row));
    expect(criterion.adkStatus).toBeUndefined();
    if (row.scores.some(hasUnknown)) {
      // missing-is-a-bound
      expect(['failed', 'not-evaluated']).toContain(criterion.verdict);
      return;
    }
    if (criterion.score !== row.expected.score) {
      // exact-mean; for rubrics the mean of the turns' means, where ADK pools.
      const explained =
        metric === 'rubric' ? new Set(row.scores.map(partCount)).size > 1 : METRICS[row.metric].adk.mean === 'sum';
      expect(explained).toBe(true);
      return;
    }
    const expected = { PASSED: 'passed', FAILED: 'failed', NOT_EVALUATED: 'not-evaluated' }[row.expected.status];
    expect(criterion.verdict).toBe(expected);
  });
});

function partCount(score: Score): number {
  return 'parts' in score ? score.parts.length : 1;
}

describe('ADK compares with the threshold', () => {
  const compared = [
    ...lines.flatMap(({ id, input, output }) =>
      typeof output === 'string'
        ? [{ id, score: input.score ?? null, threshold: input.threshold, status: output }]
        : [],
    ),
    ...vectors.flatMap(({ id, ...vector }) =>
      vector.area === 'status.threshold' ? [{ id, ...vector.input, status: vector.expected }] : [],
    ),
  ];
  it.each(compared)('$score with $threshold: $id', async ({ id, score, threshold, status }) => {
    const row: Row = {
      id,
      metric: 'final_response_match_v2',
      threshold,
      scores: [known(score)],
      expected: { score, status },
    };
    const { criterion } = await summarised(row, 'adk', { min: -1, max: 2, better: 'higher' });
    expect([criterion.score, criterion.adkStatus]).toEqual([score, ADK_STATUS[status]]);
  });
});

describe('ADK decides a case', () => {
  const ours = { PASSED: 'passed', FAILED: 'failed', NOT_EVALUATED: 'not-evaluated' } as const;
  const decided = vectors.flatMap((vector) => (vector.area === 'case.status' ? [vector] : []));
  it.each(decided)('$input.metricStatuses: $id', ({ input, expected }) => {
    expect(
      caseVerdict(
        false,
        input.metricStatuses.map((status) => ours[status]),
      ),
    ).toBe(ours[expected]);
  });
});
