import assert from 'node:assert/strict';
import type { Content, ModelAnswer } from '@agent-criteria/core';
import type { CriterionResult } from '@agent-criteria/core/host';
import { inference, message } from '@agent-criteria/core/testing';
import { perTurnUserSimulatorQuality } from '@agent-criteria/user-simulator/pure';
import {
  type Asked,
  conversation,
  ledCase,
  scoreLed,
  turnJudge,
  turnsOf,
} from '../../../packages/user-simulator/src/__fixtures__/per-turn-cases.ts';
import { comesTo, explained, type Status, voteOf } from '../as-lines-say.ts';
import { areaDriver, type Driver, functionDriver } from '../driver.ts';
import type { Held } from '../held.ts';
import { adkOutcome, honestInCompat, type Mode, ourOutcome, statusOf } from '../through-core.ts';

// per_turn_user_simulator_quality_v1: first messages, votes, labels, endings, whole conversations.

const ADK = perTurnUserSimulatorQuality.adk;
const MAJORITY = 'simulator-majority-of-all-samples';
const LINES = [MAJORITY, 'unjudged-ending', 'missing-is-a-bound', 'exact-mean', 'tolerance'];
/** What is the judge's own in both modes: compat mode takes ADK's number beside it, never its verdict. */
const HONEST = new Set([MAJORITY, 'unjudged-ending', 'missing-is-a-bound']);

type Judged = { readonly score: number | null; readonly status: Status };

// ---- first messages

interface First {
  readonly message: Content;
  readonly startingPrompt: string;
  readonly threshold: number;
}

async function heldFirst({ message: first, startingPrompt, threshold }: First, adk: Judged): Promise<Held> {
  const spoken = { userContent: first, finalResponse: message('model', 'Yes.') };
  const run = async (compat: Mode): Promise<Judged> => {
    const { criterion } = await scoreLed({
      evalCase: ledCase({ startingPrompt }),
      judge: turnJudge(() => true),
      threshold,
      compat,
      inference: inference([], { invocations: [spoken], ending: { by: 'user' } }),
    });
    const turn = criterion.turns[0];
    const reached = turn?.reached;
    const status = typeof reached !== 'boolean' ? 'NOT_EVALUATED' : reached ? 'PASSED' : 'FAILED';
    return { score: turn?.value ?? null, status };
  };
  return { adk: { score: adk.score, status: adk.status }, compat: await run('adk'), ours: await run(null) };
}

// ---- votes

/** ADK counts a score of exactly 1 and exactly 0; no judge gives another. The ending is right. */
async function heldVote(scores: readonly (number | null)[], winner: number): Promise<readonly Held[]> {
  const judge = () =>
    turnJudge(({ sample, isEnding }) => {
      if (isEnding) return true;
      const score = scores[sample];
      if (score !== 1 && score !== 0) return '{"is_valid": "perhaps"}';
      const criteria = [{ name: `sample ${sample}`, reasoning: '', passes: false }];
      return JSON.stringify({ criteria, is_valid: score === 1 });
    });
  const run = async (compat: Mode) => {
    const { criterion } = await scoreLed({
      inference: conversation(turnsOf(2)),
      judge: judge(),
      compat,
      threshold: 1,
      options: { judge_model_options: { num_samples: scores.length } },
    });
    return criterion;
  };
  const [compat, ours] = [await run('adk'), await run(null)];
  const vote = (lines: ReadonlySet<string>) => voteOf(scores, lines.has(MAJORITY));
  const whole = (lines: ReadonlySet<string>) => comesTo({ turns: [1, vote(lines)], threshold: 1, adk: ADK }, lines);
  honestInCompat(compat, whole(HONEST));
  assert.deepEqual(ourOutcome(ours), whole(new Set(LINES)), 'score and verdict in default mode');
  const adk = scores[winner] === 1 || scores[winner] === 0 ? scores[winner] : null;
  const held = explained<number | null | undefined>([MAJORITY], vote, {
    adk,
    compat: compat.turns[1]?.value,
    ours: ours.turns[1]?.value,
  });
  const given = compat.turns[1]?.score;
  if (given === undefined || !('value' in given) || given.value === null) return [held];
  return [held, { adk: `sample ${winner}`, ours: /sample \d+$/.exec(given.reason ?? '')?.[0] }];
}

// ---- labels

/** Rows where our reading of an answer differs: list B, in both modes. `null` is no opinion. */
const READ_OTHERWISE: Readonly<Record<string, readonly [ours: 1 | 0 | null, why: string]>> = {
  'jp-1119': [1, 'a comma that is missing is put in; ADK wants one, a brace or a line break after the value'],
  'jp-1120': [1, 'a comment is passed over; ADK wants a comma, a brace or a line break after the value'],
  'jp-1089': [1, 'the first object is complete; ADK does not look for the brace and a comma after it'],
  'jp-1158': [1, 'white space before a colon is JSON; ADK wants the colon at once'],
  'jp-1090': [null, 'a label with a brace in it is none; ADK cuts braces off'],
  'jp-1091': [null, 'the same'],
  'jp-1086': [null, 'a label with a comma in it is none; ADK takes commas out'],
  'jp-1079': [null, 'two commas are not JSON; ADK takes commas off'],
  'jp-1105': [null, 'there is no object; ADK needs none'],
  'jp-1122': [null, 'there is no object; of two verdicts ADK takes the first'],
  'jp-1169': [null, 'the same'],
  'jp-1112': [null, 'a separator of files after the value is not JSON; it is white space in Python'],
  'jp-1164': [null, 'the same'],
};

async function heldLabel(id: string, text: string, adk: number | null): Promise<Held> {
  const run = async (compat: Mode) => {
    const judge = turnJudge(({ isEnding }) => (isEnding ? true : { text }));
    const options = { judge_model_options: { num_samples: 1 } };
    const { criterion } = await scoreLed({ inference: conversation(turnsOf(2)), judge, options, compat });
    return criterion.turns[1]?.value;
  };
  const held = { adk, compat: await run('adk'), ours: await run(null) };
  const other = READ_OTHERWISE[id];
  if (other === undefined) return held;
  const [expected] = other;
  return { ...held, lines: ['judge-answers'], expected, expectedInCompat: expected };
}

const LABELS: Readonly<Record<string, number | null>> = { VALID: 1, INVALID: 0, NOT_FOUND: null };

function valueOfLabel(label: string): number | null {
  const value = LABELS[label];
  if (value === undefined) throw new Error(`ADK has no label ${label}`);
  return value;
}

// ---- conversations

interface Ended {
  readonly turns: readonly (readonly [score: number | null, status: Status])[];
  readonly stopCheck: Status;
  readonly threshold: number;
}

async function heldEnded({ turns, stopCheck, threshold }: Ended, adk: Judged): Promise<Held> {
  const run = async (compat: Mode) => {
    const judge = turnJudge(({ turn, isEnding }) => {
      const score = isEnding ? (stopCheck === 'PASSED' ? 1 : 0) : turns[turn]?.[0];
      return typeof score === 'number' ? score === 1 : '{"is_valid": null}';
    });
    return (await scoreLed({ inference: conversation(turnsOf(turns.length)), judge, threshold, compat })).criterion;
  };
  const [compat, ours] = [await run('adk'), await run(null)];
  const values = turns.map(([score]) => score);
  if (stopCheck === 'FAILED') values[values.length - 1] = 0;
  const model = (lines: ReadonlySet<string>) => comesTo({ turns: values, threshold, adk: ADK }, lines);
  honestInCompat(compat, model(HONEST));
  return explained(LINES, model, {
    adk: { score: adk.score, status: adk.status },
    compat: adkOutcome(compat),
    ours: ourOutcome(ours),
  });
}

interface Whole {
  readonly threshold: number;
  readonly num_samples: number;
  readonly user_turns: readonly string[];
  readonly starting_prompt: string;
  readonly judge_outputs: readonly (string | null)[];
}

interface WholeOutput {
  readonly overall_score: number | null;
  readonly overall_status: Status;
  readonly per_invocation: readonly Judged[];
  readonly unused_script: number;
}

async function heldWhole(input: Whole, output: WholeOutput): Promise<Held> {
  const { threshold, num_samples: numSamples, user_turns: users, starting_prompt: startingPrompt } = input;
  assert.deepEqual([input.judge_outputs.length, output.unused_script], [users.length * numSamples, 0]);
  // In the order in which ADK asks: turn by turn from the second on, then the ending.
  const outputsOf = (turn: number) => input.judge_outputs.slice((turn - 1) * numSamples, turn * numSamples);
  const votesOf = (turn: number) =>
    outputsOf(turn).map((text) => (text?.includes('is_valid') === true ? Number(text.includes('true')) : null));
  const run = async (compat: Mode) => {
    const judge = turnJudge(
      ({ turn, sample }: Asked): Partial<ModelAnswer> => ({ text: outputsOf(turn)[sample] ?? '' }),
    );
    const { criterion } = await scoreLed({
      judge,
      threshold,
      compat,
      evalCase: ledCase({ startingPrompt }),
      inference: conversation(users.map((user) => ({ user, answer: 'Yes.' }))),
      options: { judge_model_options: { num_samples: numSamples } },
    });
    return criterion;
  };
  const [compat, ours] = [await run('adk'), await run(null)];
  const model = (lines: ReadonlySet<string>) => {
    const turns = users.map((user, turn) => {
      if (turn === 0) return Number(user.trim() === startingPrompt.trim());
      return voteOf(votesOf(turn), lines.has(MAJORITY));
    });
    const ending = voteOf(votesOf(users.length), lines.has(MAJORITY));
    const last = turns.length - 1;
    if (ending === 0) turns[last] = 0;
    if (ending === null && lines.has('unjudged-ending') && turns[last] !== 0) turns[last] = null;
    return { ...comesTo({ turns, threshold, adk: ADK }, lines), turns };
  };
  honestInCompat(compat, model(HONEST));
  const shown = (of: CriterionResult) => of.turns.map(({ value }) => value);
  return explained(LINES, model, {
    adk: {
      score: output.overall_score,
      status: output.overall_status,
      turns: output.per_invocation.map(({ score }) => score),
    },
    compat: { ...adkOutcome(compat), turns: shown(compat) },
    ours: { ...ourOutcome(ours), turns: shown(ours) },
  });
}

interface Cost {
  readonly turns: number;
  readonly numSamples: number;
}

async function callsFor({ turns, numSamples }: Cost, compat: Mode): Promise<number> {
  const judge = turnJudge(() => true);
  const options = { judge_model_options: { num_samples: numSamples } };
  await scoreLed({ inference: conversation(turnsOf(turns)), judge, options, compat });
  return judge.requests.length;
}

export const perTurnDrivers: readonly Driver[] = [
  functionDriver<{ threshold: number; user_parts: { text: string }[]; starting_prompt: string }, Judged>(
    'per_turn_user_simulator.evaluate_first_turn',
    ({ input: { threshold, user_parts: parts, starting_prompt: startingPrompt }, output }) =>
      heldFirst({ message: { role: 'user', parts }, startingPrompt, threshold }, output),
  ),
  areaDriver<{ threshold: number; userText: string | null; startingPrompt: string }, Judged>(
    'peruser.firstTurn',
    ({ input: { userText, ...input }, expected }) => {
      const parts = userText === null ? [] : [{ text: userText }];
      return heldFirst({ ...input, message: { role: 'user', parts } }, expected);
    },
  ),
  functionDriver<{ samples: readonly { tag: string; score: number | null }[] }, string>(
    'per_turn_user_simulator.aggregate_samples',
    ({ input: { samples }, output }) =>
      heldVote(
        samples.map(({ score }) => score),
        samples.findIndex(({ tag }) => tag === output),
      ),
  ),
  areaDriver<{ samples: readonly (number | null)[] }, { sampleIndex: number }>('peruser.vote', ({ input, expected }) =>
    heldVote(input.samples, expected.sampleIndex),
  ),
  functionDriver<{ text: string }, string>('per_turn_user_simulator.parse_llm_response', ({ id, input, output }) =>
    heldLabel(id, input.text, valueOfLabel(output)),
  ),
  functionDriver<{ text: string }, number | null>(
    'per_turn_user_simulator.convert_llm_response_to_score',
    ({ id, input, output }) => heldLabel(id, input.text, output),
  ),
  areaDriver<{ text: string }, string>('peruser.label', ({ id, input, expected }) =>
    heldLabel(id, input.text, valueOfLabel(expected)),
  ),
  areaDriver<Ended, Judged>('peruser.aggregate', ({ input, expected }) => heldEnded(input, expected)),
  functionDriver<Whole, WholeOutput>('e2e.per_turn_user_simulator', ({ input, output }) => heldWhole(input, output)),
  areaDriver<Cost, { judgeCalls: number }>('peruser.cost', async ({ input, expected }) => ({
    adk: expected.judgeCalls,
    compat: await callsFor(input, 'adk'),
    ours: await callsFor(input, null),
    lines: [MAJORITY],
    expected: input.turns * (Math.floor(input.numSamples / 2) + 1),
  })),
  areaDriver<unknown, { error: string }>('peruser.empty', async ({ expected }) => {
    const run = async (compat: Mode) =>
      (await scoreLed({ inference: conversation([]), judge: turnJudge(() => true), compat })).criterion;
    const [compat, ours] = [await run('adk'), await run(null)];
    return {
      adk: [null, /NOT_EVALUATED/.exec(expected.error)?.[0]],
      compat: [compat.score, adkOutcome(compat).status],
      ours: [ours.score, statusOf(ours.verdict)],
    };
  }),
];
