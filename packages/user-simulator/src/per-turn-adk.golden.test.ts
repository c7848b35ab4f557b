import { readFileSync } from 'node:fs';
import {
  type CriterionResult,
  createRegistry,
  decide,
  type ModelAnswer,
  resolveEvalConfig,
  type Score,
  summariseCase,
} from '@agent-criteria/core';
import { evalSet } from '@agent-criteria/core/testing';
import { readAnswer } from '@agent-criteria/judge';
import { describe, expect, it } from 'vitest';
import { type Asked, conversation, ledCase, scoreLed, turnJudge, turnsOf } from './__fixtures__/per-turn-cases.ts';
import { perTurnAdkDifferences } from './per-turn-adk-differences.ts';
import { readPerTurnAnswer } from './per-turn-answer.ts';
import { scoreFirstMessage } from './per-turn-first-message.ts';
import { perTurnUserSimulatorQuality } from './per-turn-user-simulator-quality.ts';

// What ADK makes of the same turns and answers, row by row: in compat mode its number and status, bit for bit, and never a
// verdict of passed that is not ours; by default the same, or a line of list A that says why not.

type Status = 'PASSED' | 'FAILED' | 'NOT_EVALUATED';
const ADK_STATUS = { PASSED: 1, FAILED: 2, NOT_EVALUATED: 3 } as const;
const VERDICT = { PASSED: 'passed', FAILED: 'failed', NOT_EVALUATED: 'not-evaluated' } as const;

type Line = (typeof perTurnAdkDifferences)[number]['id'];
const named = new Set<Line>();
/** Says why a row differs. A row that does not may not name a line. */
function explains(line: Line): void {
  named.add(line);
}

interface Judged {
  readonly score: number | null;
  readonly status: Status;
}

type Parsed = { readonly id: string } & (
  | {
      readonly fn: 'per_turn_user_simulator.evaluate_first_turn';
      readonly input: { readonly user_parts: { readonly text: string }[]; readonly starting_prompt: string };
      readonly output: Judged;
    }
  | {
      readonly fn: 'per_turn_user_simulator.aggregate_samples';
      readonly input: { readonly samples: readonly { readonly tag: string; readonly score: number | null }[] };
      readonly output: string;
    }
  | {
      readonly fn: 'per_turn_user_simulator.aggregate_conversation_results';
      readonly input: { readonly threshold: number; readonly results: readonly Judged[] };
      readonly output: { readonly overall_score: number | null; readonly overall_status: Status };
    }
  | {
      readonly fn: 'per_turn_user_simulator.parse_llm_response';
      readonly input: { readonly text: string };
      readonly output: 'VALID' | 'INVALID' | 'NOT_FOUND';
    }
  | {
      readonly fn: 'per_turn_user_simulator.convert_llm_response_to_score';
      readonly input: { readonly text: string };
      readonly output: number | null;
    }
  | {
      readonly fn: 'e2e.per_turn_user_simulator';
      readonly input: {
        readonly threshold: number;
        readonly num_samples: number;
        readonly user_turns: readonly string[];
        readonly starting_prompt: string;
        readonly judge_outputs: readonly (string | null)[];
      };
      readonly output: {
        readonly overall_score: number | null;
        readonly overall_status: Status;
        readonly per_invocation: readonly Judged[];
        readonly unused_script: number;
      };
    }
);

type Vector = { readonly id: string; readonly why: string } & (
  | {
      readonly area: 'peruser.firstTurn';
      readonly input: { readonly userText: string | null; readonly startingPrompt: string };
      readonly expected: Judged;
    }
  | { readonly area: 'peruser.label'; readonly input: { readonly text: string }; readonly expected: string }
  | {
      readonly area: 'peruser.vote';
      readonly input: { readonly samples: readonly (number | null)[] };
      readonly expected: { readonly score: number | null; readonly sampleIndex: number };
    }
  | {
      readonly area: 'peruser.aggregate';
      readonly input: {
        readonly turns: readonly (readonly [score: number | null, status: Status])[];
        readonly stopCheck: Status;
        readonly threshold: number;
      };
      readonly expected: Judged;
    }
  | {
      readonly area: 'peruser.cost';
      readonly input: { readonly turns: number; readonly numSamples: number };
      readonly expected: { readonly judgeCalls: number };
    }
  | { readonly area: 'peruser.empty'; readonly input: { readonly turns: 0 } }
);

function fixture(file: string): string {
  return readFileSync(new URL(`./__fixtures__/${file}`, import.meta.url), 'utf8');
}

const parsed = fixture('per-turn-judge-parse.jsonl')
  .trimEnd()
  .split('\n')
  .map((line): Parsed => JSON.parse(line));
const vectors: readonly Vector[] = JSON.parse(fixture('per-turn-judge-vectors.json'));

function rowsOf<Fn extends Parsed['fn']>(fn: Fn): Extract<Parsed, { readonly fn: Fn }>[] {
  return parsed.filter((row): row is Extract<Parsed, { readonly fn: Fn }> => row.fn === fn);
}

function vectorsOf<Area extends Vector['area']>(area: Area): Extract<Vector, { readonly area: Area }>[] {
  return vectors.filter((vector): vector is Extract<Vector, { readonly area: Area }> => vector.area === area);
}

it('has every row', () => {
  expect([parsed.length, vectors.length]).toEqual([189, 16]);
});

it('is declared as the aggregation rows of core have it', () => {
  expect(perTurnUserSimulatorQuality.adk).toEqual({ mean: 'sum', missing: 'zero' });
  expect(perTurnUserSimulatorQuality.aggregate ?? 'turns').toBe('turns');
});

// ---- first turns

describe('a first turn, in both modes', () => {
  const rows = [
    ...rowsOf('per_turn_user_simulator.evaluate_first_turn').map(({ id, input, output }) => ({
      ...{ id, message: { parts: input.user_parts }, prompt: input.starting_prompt, score: output.score },
    })),
    ...vectorsOf('peruser.firstTurn').map(({ id, input, expected }) => ({
      ...{ id, prompt: input.startingPrompt, score: expected.score },
      message: { parts: input.userText === null ? [] : [{ text: input.userText }] },
    })),
  ];

  it('has every row', () => expect(rows).toHaveLength(31));

  it.each(rows)('$id', ({ message, prompt, score }) => {
    const found = scoreFirstMessage(message, prompt);
    expect('value' in found && found.value).toBe(score);
    expect('missing' in found ? found.missing : null).toBe(score === null ? 'could-not-judge' : null);
  });
});

// ---- votes

/** Whether the readable opinions have a majority, but all samples have none. */
function lacksMajority(scores: readonly (number | null)[]): boolean {
  return outcomeOf(scores) === 'could-not-judge' && scores.some((score) => score === 1 || score === 0);
}

function outcomeOf(scores: readonly (number | null)[]): string {
  const positive = scores.filter((score) => score === 1).length;
  const negative = scores.filter((score) => score === 0).length;
  return decide(scores.length, { positive, negative, unreadable: scores.length - positive - negative });
}

/** What ADK makes of the readable ones. */
function adkVote(scores: readonly (number | null)[]): number | null {
  const positive = scores.filter((score) => score === 1).length;
  const negative = scores.filter((score) => score === 0).length;
  return positive + negative === 0 ? null : positive > negative ? 1 : 0;
}

describe('a vote', () => {
  const rows = [
    ...rowsOf('per_turn_user_simulator.aggregate_samples').map(({ id, input: { samples }, output }) => ({
      id,
      scores: samples.map(({ score }) => score),
      winner: samples.findIndex(({ tag }) => tag === output),
    })),
    ...vectorsOf('peruser.vote').map(({ id, input, expected }) => ({
      ...{ id, scores: input.samples, winner: expected.sampleIndex },
    })),
  ];
  /** ADK counts a score of exactly 1 and exactly 0; no judge gives another. The ending is right. */
  const judgeOf = (scores: readonly (number | null)[]) =>
    turnJudge(({ sample, isEnding }) => {
      if (isEnding) return true;
      const score = scores[sample];
      if (score !== 1 && score !== 0) return '{"is_valid": "perhaps"}';
      return JSON.stringify({
        criteria: [{ name: `sample ${sample}`, reasoning: '', passes: false }],
        is_valid: score === 1,
      });
    });
  const voted = (scores: readonly (number | null)[], compat: 'adk' | null) =>
    scoreLed({
      ...{ inference: conversation(turnsOf(2)), judge: judgeOf(scores), compat, threshold: 1 },
      options: { judge_model_options: { num_samples: scores.length } },
    });

  it('has every row', () => expect(rows).toHaveLength(30));

  it.each(rows)('in compat mode: $id', async ({ scores, winner }) => {
    const won = scores[winner];
    const expected = won === 1 || won === 0 ? won : null;
    const { criterion } = await voted(scores, 'adk');
    const turn = criterion.turns[1];
    expect([turn?.value, criterion.score]).toEqual([expected, (1 + (expected ?? 0)) / 2]);
    const score = turn?.score;
    if (score !== undefined && 'value' in score && score.value !== null) {
      expect(score.reason).toMatch(new RegExp(`sample ${winner}$`));
    } else expect(criterion.verdict).toBe('not-evaluated');
  });

  it.each(rows)('in default mode, or a line of list A says why not: $id', async ({ scores, winner }) => {
    const { criterion } = await voted(scores, null);
    const value = criterion.turns[1]?.value;
    if (outcomeOf(scores) === 'could-not-judge') {
      if (lacksMajority(scores)) explains('simulator-majority-of-all-samples');
      expect([value, criterion.verdict]).toEqual([null, 'not-evaluated']);
    } else {
      expect([value, criterion.verdict]).toEqual([scores[winner], scores[winner] === 1 ? 'passed' : 'failed']);
    }
  });
});

// ---- answers

describe('an answer', () => {
  /**
   * List B: answers are structured, and ADK's looking for patterns in text is not copied. What is read of these rows
   * differs in both modes; all others are read alike.
   */
  const unlike: Readonly<Record<string, readonly [ours: 1 | 0 | null, why: string]>> = {
    'jp-1119': [1, 'a comma that is missing is put in; ADK wants one, a brace or a line break after the value'],
    'jp-1120': [1, 'a comment is passed over; ADK wants a comma, a brace or a line break after the value'],
    'jp-1089': [1, 'the first object is complete; ADK does not look for the brace and a comma after it'],
    'jp-1158': [1, 'white space before a colon is JSON; ADK wants the colon at once'],
    'jp-1090': [null, 'a label with a brace in it is none; ADK cuts braces off'],
    'jp-1091': [null, 'the same'],
    'jp-1086': [null, 'a label with a comma in it is none; ADK takes commas out'],
    'jp-1079': [null, 'two commas are no JSON; ADK takes commas off'],
    'jp-1105': [null, 'there is no object; ADK needs none'],
    'jp-1122': [null, 'there is no object; of two verdicts ADK takes the first'],
    'jp-1169': [null, 'the same'],
    'jp-1112': [null, 'a separator of files after the value is no JSON; it is white space in Python'],
    'jp-1164': [null, 'the same'],
  };

  const rows = [
    ...rowsOf('per_turn_user_simulator.parse_llm_response').map(({ id, input, output }) => ({
      ...{ id, text: input.text, adk: { VALID: 1, INVALID: 0, NOT_FOUND: null }[output] },
    })),
    ...rowsOf('per_turn_user_simulator.convert_llm_response_to_score').map(({ id, input, output }) => ({
      ...{ id, text: input.text, adk: output },
    })),
    ...vectorsOf('peruser.label').map(({ id, input, expected }) => ({
      ...{ id, text: input.text, adk: expected === 'VALID' ? 1 : expected === 'INVALID' ? 0 : null },
    })),
  ];

  function read(text: string): 1 | 0 | null {
    const reading = readAnswer(text, readPerTurnAnswer, []);
    return 'value' in reading ? (reading.value.positive ? 1 : 0) : null;
  }

  it('has every row', () => expect(rows).toHaveLength(87));

  it.each(rows)('$id: $text', ({ id, text, adk }) => {
    const [ours, why] = unlike[id] ?? [adk, null];
    expect(read(text)).toBe(ours);
    // A row that is read alike may not be excused.
    if (why !== null) expect(ours).not.toBe(adk);
  });
});

// ---- conversations

const UNKNOWN: Score = { value: null, missing: 'could-not-judge', reason: 'the judge gave no opinion' };

function summarised(scores: readonly Score[], threshold: number, compat: 'adk' | null): CriterionResult {
  const theCase = ledCase();
  const plan = resolveEvalConfig({
    evalSet: evalSet([theCase]),
    config: { criteria: { [perTurnUserSimulatorQuality.name]: { threshold } } },
    registry: createRegistry([perTurnUserSimulatorQuality]),
    models: () => turnJudge(() => true),
    ...{ compat, scoringOnly: true },
  });
  const scored = {
    ...{ key: { setId: 'set', caseId: theCase.evalId, repeat: 0 }, sessionId: 's', ending: { by: 'user' as const } },
    criteria: [{ name: perTurnUserSimulatorQuality.name, scope: 'turn' as const, scores }],
  };
  const [only] = summariseCase(plan, theCase, [scored]).criteria;
  if (only === undefined) throw new Error('the plan has one criterion');
  return only;
}

describe('the score of a conversation', () => {
  const rows = rowsOf('per_turn_user_simulator.aggregate_conversation_results').map(({ id, input, output }) => ({
    ...{ id, threshold: input.threshold, score: output.overall_score, status: output.overall_status },
    scores: input.results.map(({ score }): Score => (score === null ? UNKNOWN : { value: score })),
  }));

  it('has every row', () => expect(rows).toHaveLength(27));

  it.each(rows)('in compat mode: $id', ({ scores, threshold, score, status }) => {
    const found = summarised(scores, threshold, 'adk');
    expect([found.score, found.adkStatus]).toEqual([score, ADK_STATUS[status]]);
    if (scores.includes(UNKNOWN)) expect(found.verdict).not.toBe('passed');
    else expect(found.verdict).toBe(VERDICT[status]);
  });

  it.each(rows)('in default mode, or a line of list A says why not: $id', ({ scores, threshold, score, status }) => {
    const found = summarised(scores, threshold, null);
    // missing-is-a-bound, of core
    if (scores.includes(UNKNOWN)) expect(['failed', 'not-evaluated']).toContain(found.verdict);
    else expect([found.score, found.verdict]).toEqual([score, VERDICT[status]]);
  });

  it.each(vectorsOf('peruser.aggregate'))('of turns and ending, through judges: $id', async ({ input, expected }) => {
    const { turns, stopCheck, threshold } = input;
    const judge = turnJudge(({ turn, isEnding }) => {
      const score = isEnding ? (stopCheck === 'PASSED' ? 1 : 0) : turns[turn]?.[0];
      return typeof score === 'number' ? score === 1 : '{"is_valid": null}';
    });
    for (const compat of ['adk', null] as const) {
      const { criterion } = await scoreLed({
        inference: conversation(turnsOf(turns.length)),
        judge,
        threshold,
        compat,
      });
      const unknown = turns.some(([score]) => score === null);
      if (compat === 'adk') {
        expect([criterion.score, criterion.adkStatus]).toEqual([expected.score, ADK_STATUS[expected.status]]);
      }
      // missing-is-a-bound, of core
      expect(criterion.verdict).toBe(unknown ? 'not-evaluated' : VERDICT[expected.status]);
      if (!unknown) expect(criterion.score).toBe(expected.score);
    }
  });
});

describe('a whole conversation', () => {
  const rows = rowsOf('e2e.per_turn_user_simulator');
  type Row = (typeof rows)[number];
  const isValid = (text: string): boolean => text.includes('true');
  const isVerdict = (text: string | null | undefined): text is string => text?.includes('is_valid') === true;

  /** The answers of a turn, or of the ending, in the order in which ADK asks: from the second turn on, then the ending. */
  function outputsOf({ input }: Row, turn: number): readonly (string | null)[] {
    const start = (turn - 1) * input.num_samples;
    return input.judge_outputs.slice(start, start + input.num_samples);
  }
  const judgeOf = (row: Row) =>
    turnJudge(({ turn, sample }: Asked): Partial<ModelAnswer> => ({ text: outputsOf(row, turn)[sample] ?? '' }));
  const scoresOf = (row: Row, turn: number) =>
    outputsOf(row, turn).map((text) => (isVerdict(text) ? Number(isValid(text)) : null));

  const run = (row: Row, compat: 'adk' | null) => {
    const { user_turns, starting_prompt, num_samples, threshold } = row.input;
    const judge = judgeOf(row);
    return scoreLed({
      ...{ judge, threshold, compat, evalCase: ledCase({ startingPrompt: starting_prompt }) },
      inference: conversation(user_turns.map((user) => ({ user, answer: 'Yes.' }))),
      options: { judge_model_options: { num_samples } },
    });
  };

  it('has every row, with an answer for every call', () => {
    expect(rows).toHaveLength(24);
    for (const { input, output } of rows) {
      expect(input.judge_outputs).toHaveLength(input.user_turns.length * input.num_samples);
      expect(output.unused_script).toBe(0);
    }
  });

  it.each(rows)('in compat mode: $id', async (row) => {
    const { criterion } = await run(row, 'adk');
    const { output } = row;
    expect(criterion.turns.map(({ value }) => value)).toEqual(output.per_invocation.map(({ score }) => score));
    expect([criterion.score, criterion.adkStatus]).toEqual([output.overall_score, ADK_STATUS[output.overall_status]]);
    // Compat changes numbers, never honesty.
    const ours = await run(row, null);
    expect(criterion.verdict).toBe(ours.criterion.verdict);
  });

  it.each(rows)('in default mode, or a line of list A says why not: $id', async (row) => {
    const { criterion } = await run(row, null);
    const { output, input } = row;
    const last = input.user_turns.length - 1;
    for (const [index, { value }] of criterion.turns.entries()) {
      const adk = output.per_invocation[index]?.score;
      if (value === adk) continue;
      expect(value).toBe(null);
      const message = index === 0 ? [1] : scoresOf(row, index);
      const ending = index === last ? scoresOf(row, last + 1) : [1];
      const reasons = [message, ending].filter((scores) => outcomeOf(scores) === 'could-not-judge');
      expect(reasons).not.toHaveLength(0);
      if (reasons.some(lacksMajority)) explains('simulator-majority-of-all-samples');
      if (index === last && outcomeOf(ending) === 'could-not-judge' && adkVote(ending) !== 0)
        explains('unjudged-ending');
    }
    const whole = criterion.turns.every(({ value }) => value !== null);
    if (whole)
      expect([criterion.score, criterion.verdict]).toEqual([output.overall_score, VERDICT[output.overall_status]]);
    // missing-is-a-bound, of core
    else expect(criterion.verdict).not.toBe('passed');
  });
});

describe('what it takes', () => {
  it.each(vectorsOf('peruser.cost'))('is as many calls in compat mode, and fewer by default: $id', async (vector) => {
    const { turns, numSamples } = vector.input;
    for (const compat of ['adk', null] as const) {
      const judge = turnJudge(() => true);
      const options = { judge_model_options: { num_samples: numSamples } };
      await scoreLed({ inference: conversation(turnsOf(turns)), judge, options, compat });
      const fewest = turns * (Math.floor(numSamples / 2) + 1);
      expect(judge.requests).toHaveLength(compat === 'adk' ? vector.expected.judgeCalls : fewest);
    }
  });

  it.each(vectorsOf('peruser.empty'))('is a conversation: $id', async () => {
    for (const compat of ['adk', null] as const) {
      const { criterion } = await scoreLed({ inference: conversation([]), judge: turnJudge(() => true), compat });
      expect([criterion.score, criterion.verdict]).toEqual([null, 'not-evaluated']);
      expect(criterion.adkStatus).toBe(compat === 'adk' ? ADK_STATUS.NOT_EVALUATED : undefined);
    }
  });
});

it('every line of list A is needed', () => {
  // No golden row holds this; the tests of the criterion show both modes.
  const shownThere: readonly Line[] = ['simulator-intermediate-responses'];
  expect([...named, ...shownThere].sort()).toEqual(perTurnAdkDifferences.map(({ id }) => id).sort());
});
