import { CriteriaError, type EvalCase, type LanguageModel, type Rubric, type ScorePart } from '@agent-criteria/core';
import type { CriterionResult } from '@agent-criteria/core/host';
import { inference, invocation, scriptedModel } from '@agent-criteria/core/testing';
import { finalResponseQuality } from '@agent-criteria/criteria-llm-judge/pure';
import { rubricJudge } from '../../../packages/criteria-llm-judge/src/__fixtures__/judges.ts';
import { rubric } from '../../../packages/criteria-llm-judge/src/__fixtures__/rubrics.ts';
import { rubricBlocks } from '../adk-texts.ts';
import { comesTo, explained, type Status, shownOf, type Value, voteOf } from '../as-lines-say.ts';
import { areaDriver, type Driver, functionDriver } from '../driver.ts';
import type { Held } from '../held.ts';
import { askedTurn, judgedTurns } from '../judged-turns.ts';
import { adkOutcome, honestInCompat, type Mode, ourOutcome, throughCore } from '../through-core.ts';

// The choice of rubrics, the samples' vote on each, and whole conversations judged by rubrics.

const ADK = finalResponseQuality.adk;
const LINES = ['majority-of-all-samples', 'failed-call', 'missing-is-a-bound', 'mean-of-turns', 'tolerance'];
/** Entries that apply in both modes: compat mode shows ADK's number, but keeps our verdict. */
const HONEST = new Set(['majority-of-all-samples', 'failed-call', 'missing-is-a-bound']);

interface Judging {
  readonly rubrics: readonly Rubric[];
  readonly judge: LanguageModel;
  readonly turns: number;
  readonly numSamples: number;
  readonly threshold: number;
}

async function judged({ turns, numSamples, rubrics, ...rest }: Judging, compat: Mode): Promise<CriterionResult> {
  const options = { judge_model_options: { num_samples: numSamples }, rubrics };
  const scoring = { criterion: finalResponseQuality, ...judgedTurns(turns), ...rest, options, compat };
  return (await throughCore(scoring)).criterion;
}

// ---- one turn

interface Said {
  readonly rubric_id: string;
  readonly rationale?: string;
  readonly score: number | null;
}

interface Vote {
  readonly id: string;
  readonly threshold: number;
  readonly samples: readonly (readonly Said[])[];
  readonly adk: { readonly score: number | null; readonly status: Status; readonly rubrics: readonly Said[] };
}

/** A rubric that is judged, but mentioned by no sample: ADK ignores it. */
const UNMENTIONED: Readonly<Record<string, string>> = { 'rubric.vote#9': 'b' };

async function heldVote({ id, threshold, samples, adk }: Vote): Promise<readonly Held[]> {
  const mentioned = [...new Set(samples.flatMap((sample) => sample.map(({ rubric_id }) => rubric_id)))];
  const ids = [...mentioned, ...(UNMENTIONED[id] === undefined ? [] : [UNMENTIONED[id]])];
  const rubrics = (ids.length === 0 ? ['of which nobody speaks'] : ids).map((one) => rubric(one));
  const judge = scriptedModel(({ sample }) => answerOf(samples[sample] ?? [], rubrics));
  const judging = { rubrics, judge, turns: 1, numSamples: samples.length, threshold };
  const [compat, ours] = [await judged(judging, 'adk'), await judged(judging, null)];

  const model = (lines: ReadonlySet<string>) => {
    const votes = rubrics.map(({ rubricId }) => {
      return voteOf(
        samples.map((sample) => voteIn(sample, rubricId)),
        lines.has('majority-of-all-samples'),
      );
    });
    const shown = mentioned.map((one, index) => [one, votes[index] ?? null] as const);
    return { ...comesTo({ turns: [votes], threshold, adk: ADK }, lines), rubrics: shown };
  };
  const found = {
    adk: {
      score: adk.score,
      status: adk.status,
      rubrics: adk.rubrics.map((one) => [one.rubric_id, one.score] as const),
    },
    compat: {
      ...adkOutcome(compat),
      rubrics: partsOf(compat, mentioned).map((part) => [part.id, adkValueOf(part)] as const),
    },
    ours: { ...ourOutcome(ours), rubrics: partsOf(ours, mentioned).map((part) => [part.id, partValue(part)] as const) },
  };
  honestInCompat(compat, model(HONEST));
  if (samples.some(isUnlikeOurs)) {
    const [expectedInCompat, expected] = [model(new Set()), model(new Set(LINES))];
    return [{ ...found, lines: ['judge-answers'], expected, expectedInCompat }];
  }
  const decided = partsOf(compat, mentioned).filter((part) => partValue(part) !== null);
  const rationale = ({ id: own, reason }: ScorePart) =>
    adk.rubrics.find((one) => one.rubric_id === own)?.rationale ?? reason;
  return [explained(LINES, model, found), { adk: decided.map(rationale), ours: decided.map(({ reason }) => reason) }];
}

/**
 * Whether our schema rules out this sample: a number as a verdict, or the same rubric twice in one answer. Entry
 * `judge-answers`.
 */
function isUnlikeOurs(sample: readonly Said[]): boolean {
  const isTwice = new Set(sample.map(({ rubric_id }) => rubric_id)).size < sample.length;
  return isTwice || sample.some(({ score }) => score !== null && score !== 0 && score !== 1);
}

/** Our judges identify rubrics by number. */
function answerOf(sample: readonly Said[], rubrics: readonly Rubric[]): string {
  const numberOf = (id: string) => String(rubrics.findIndex(({ rubricId }) => rubricId === id) + 1);
  const said = sample.map(({ rubric_id, rationale, score }) => ({
    id: numberOf(rubric_id),
    evidence: '',
    rationale: rationale ?? '',
    verdict: score === 1 ? 'yes' : score === 0 ? 'no' : score === null ? 'unclear' : score,
  }));
  return JSON.stringify({ rubrics: said });
}

/** Returns the vote of a sample on a rubric. Two equal verdicts count once, and two different ones do not count. */
function voteIn(sample: readonly Said[], rubricId: string): number | null {
  const scores = new Set(sample.flatMap(({ rubric_id, score }) => (rubric_id === rubricId ? [score] : [])));
  const [only] = scores;
  return scores.size === 1 && (only === 0 || only === 1) ? only : null;
}

function partsOf({ turns }: CriterionResult, ids: readonly string[]): readonly ScorePart[] {
  const score = turns[0]?.score;
  if (score === undefined || !('parts' in score)) throw new Error('a turn has a part for each rubric');
  return score.parts.filter(({ id }) => ids.includes(id));
}

function partValue(part: ScorePart): number | null {
  return 'value' in part ? part.value : null;
}

function adkValueOf(part: ScorePart): number | null {
  return 'value' in part ? (part.value ?? part.adkValue ?? null) : null;
}

// ---- whole conversations

interface Whole {
  readonly threshold: number;
  readonly num_samples: number;
  readonly num_invocations: number;
  readonly rubrics: readonly (readonly [id: string, text: string])[];
  readonly judge_outputs: readonly (string | null)[];
}

interface WholeOutput {
  readonly overall_score: number | null;
  readonly overall_status: Status;
  readonly per_invocation: readonly { readonly score: number | null }[];
}

async function heldWhole(input: Whole, output: WholeOutput): Promise<Held> {
  const { num_samples: numSamples, num_invocations: turns, threshold } = input;
  const rubrics = input.rubrics.map(([id, text]) => rubric(id, undefined, text));
  const said = Array.from({ length: turns }, (_, turn) =>
    input.judge_outputs.slice(turn * numSamples, (turn + 1) * numSamples).map((text) => readAdk(text, input.rubrics)),
  );
  const judge = scriptedModel((request) => {
    const sample = said[askedTurn(request)]?.[request.sample];
    if (sample === 'raise') throw new Error('boom');
    return sample === undefined || typeof sample === 'string' ? (sample ?? '') : answerOf(sample, rubrics);
  });
  const judging = { rubrics, judge, turns, numSamples, threshold };
  const [compat, ours] = [await judged(judging, 'adk'), await judged(judging, null)];
  const model = (lines: ReadonlySet<string>) => {
    const values = said.map((samples): Value => {
      if (samples.includes('raise') && !lines.has('failed-call')) return null;
      return rubrics.map(({ rubricId }) => {
        const votes = samples.map((sample) => (typeof sample === 'string' ? null : voteIn(sample, rubricId)));
        return voteOf(votes, lines.has('majority-of-all-samples'));
      });
    });
    return { ...comesTo({ turns: values, threshold, adk: ADK }, lines), turns: values.map(shownOf) };
  };
  const withTurns = (of: CriterionResult) => of.turns.map(({ value }) => value);
  honestInCompat(compat, model(HONEST));
  return explained(LINES, model, {
    adk: {
      score: output.overall_score,
      status: output.overall_status,
      turns: output.per_invocation.map(({ score }) => score),
    },
    compat: { ...adkOutcome(compat), turns: withTurns(compat) },
    ours: { ...ourOutcome(ours), turns: withTurns(ours) },
  });
}

/** Reads a judge's text as ADK does: opinions by rubric; `'raise'`: the call failed; any other text unchanged. */
function readAdk(text: string | null, rubrics: Whole['rubrics']): readonly Said[] | string {
  if (text === null) return '';
  if (text === '__RAISE__') return 'raise';
  const blocks = rubricBlocks(text);
  if (blocks.length === 0) return text;
  return blocks.flatMap(({ id, property, rationale, score }): Said[] => {
    const known = rubrics.find(([own, of]) => (id === null ? of === property : own === id));
    return known === undefined ? [] : [{ rubric_id: known[0], rationale, score }];
  });
}

// ---- which rubrics

type Effective = readonly string[] | string;

/** Converts the types: ADK's function accepts all types if it is given none; a criterion always has one. */
function asOurs(type: string | null | undefined, wanted: string | null): string | undefined {
  return wanted === null || type === wanted ? 'FINAL_RESPONSE_QUALITY' : (type ?? undefined);
}

async function heldEffective(own: readonly Rubric[], ofTurn: readonly Rubric[], adk: Effective): Promise<Held> {
  const evalCase: EvalCase = {
    evalId: 'case',
    conversation: [{ ...invocation({ answer: 'x' }), rubrics: [...ofTurn] }],
  };
  const run = async (compat: Mode): Promise<Effective> => {
    try {
      const { criterion } = await throughCore({
        criterion: finalResponseQuality,
        evalCase,
        inference: inference([{ answer: 'y' }]),
        judge: rubricJudge(() => 'yes'),
        options: { rubrics: own },
        threshold: 1,
        compat,
      });
      const score = criterion.turns[0]?.score;
      return score !== undefined && 'parts' in score ? score.parts.map(({ id }) => id) : [];
    } catch (error) {
      if (CriteriaError.is(error)) return error.problems.map(({ code }) => code).join(' ');
      throw error;
    }
  };
  return { adk, compat: await run('adk'), ours: await run(null) };
}

/** Our error codes for ADK's errors. */
function codeOf(message: string): string {
  if (/already exists/.test(message)) return 'DUPLICATE_ID';
  return /rubrics (are )?required/i.test(message) ? 'NEEDS_UNMET' : message;
}

interface Typed {
  readonly id: string;
  readonly type?: string;
}

// ---- texts that ADK searches, and we do not

/** Returns the values that a judge's text gives for these rubrics, by id. */
async function readOurs(
  text: string,
  rubrics: readonly Rubric[],
  compat: Mode,
): Promise<readonly (readonly [string, number])[]> {
  const judge = scriptedModel(() => text);
  const found = await judged({ rubrics, judge, turns: 1, numSamples: 1, threshold: 1 }, compat);
  const ids = rubrics.map(({ rubricId }) => rubricId);
  return partsOf(found, ids).flatMap((part) => {
    const value = partValue(part);
    return value === null ? [] : [[part.id, value] as const];
  });
}

async function heldText(text: string, rubrics: readonly Rubric[], adk: readonly (readonly [string, number])[]) {
  const held = { adk, compat: await readOurs(text, rubrics, 'adk'), ours: await readOurs(text, rubrics, null) };
  return adk.length === 0 ? held : { ...held, lines: ['judge-answers'], expected: [], expectedInCompat: [] };
}

const GATE = [
  rubric('gate', undefined, 'The reply names the gate.'),
  rubric('short', undefined, 'The reply is short.'),
];

interface Block {
  readonly id: string | null;
  readonly property: string;
  readonly score: number | null;
}

export const rubricDrivers: readonly Driver[] = [
  functionDriver<
    { threshold: number; samples: readonly (readonly Said[] | null)[] },
    { score: number | null; status: Status; rubric_scores: readonly Said[] }
  >('rubric.majority_vote_aggregate', ({ id, input, output }) =>
    heldVote({
      id,
      threshold: input.threshold,
      samples: input.samples.map((sample) => sample ?? []),
      adk: { score: output.score, status: output.status, rubrics: output.rubric_scores },
    }),
  ),
  areaDriver<
    { samples: readonly (readonly (readonly [string, number | null])[])[]; threshold: number },
    { rubrics: readonly (readonly [string, number | null])[]; score: number | null; status: Status }
  >('rubric.vote', ({ id, input, expected }) =>
    heldVote({
      id,
      threshold: input.threshold,
      samples: input.samples.map((sample) => sample.map(([rubric_id, score]) => ({ rubric_id, score }))),
      adk: { ...expected, rubrics: expected.rubrics.map(([rubric_id, score]) => ({ rubric_id, score })) },
    }),
  ),
  functionDriver<Whole, WholeOutput>('e2e.rubric', ({ input, output }) => heldWhole(input, output)),
  functionDriver<
    {
      criterion_rubrics: readonly (readonly [id: string, text: string])[];
      invocation_rubrics: readonly (readonly [id: string, text: string, type: string | null])[] | null;
      rubric_type: string | null;
    },
    readonly string[] | { readonly __error__: { readonly message: string } }
  >('rubric.effective_rubrics', ({ input, output }) =>
    heldEffective(
      input.criterion_rubrics.map(([own, text]) => rubric(own, undefined, text)),
      (input.invocation_rubrics ?? []).map(([own, text, type]) => rubric(own, asOurs(type, input.rubric_type), text)),
      '__error__' in output ? codeOf(output.__error__.message) : output,
    ),
  ),
  areaDriver<
    { metricType: string; criterion: readonly Typed[]; invocation: readonly Typed[] },
    readonly string[] | { readonly error: string }
  >('rubric.effective', ({ input, expected }) =>
    heldEffective(
      input.criterion.map(({ id, type }) => rubric(id, type)),
      input.invocation.map(({ id, type }) =>
        rubric(id, type === undefined ? undefined : asOurs(type, input.metricType)),
      ),
      'error' in expected ? codeOf(expected.error) : expected,
    ),
  ),
  areaDriver<{ text: string }, readonly Block[]>('rubric.parse', ({ input, expected }) => {
    const read = expected.flatMap(({ id, score }) => (score === null ? [] : [[id ?? 'gate', score] as const]));
    return heldText(input.text, GATE, read);
  }),
  areaDriver<
    { rubrics: readonly { id: string; text: string }[]; text: string },
    readonly { rubricId: string; score: number }[]
  >('rubric.map', ({ input, expected }) =>
    heldText(
      input.text,
      input.rubrics.map(({ id, text }) => rubric(id, undefined, text)),
      expected.map(({ rubricId, score }) => [rubricId, score] as const),
    ),
  ),
  // ADK finds a rubric by a slightly different spelling of its text; we use only numbers.
  areaDriver<{ text: string | null }, string>('rubric.normalize', ({ input, expected }) => {
    const text = JSON.stringify({ rubrics: [{ property: input.text, rationale: 'So.', verdict: 'yes' }] });
    const adk = expected === '' ? [] : [['a', 1] as const];
    return heldText(text, [rubric('a', undefined, expected === '' ? 'Any.' : expected)], adk);
  }),
];
