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
import { type Kind, ofKind } from '../kinds.ts';
import { adkOutcome, honestInCompat, type Mode, ourOutcome, statusOf } from '../through-core.ts';

// per_turn_user_simulator_quality_v1: first messages, votes, labels, endings, whole conversations.

const ADK = perTurnUserSimulatorQuality.adk;
const MAJORITY = 'simulator-majority-of-all-samples';
const LINES = [MAJORITY, 'unjudged-ending', 'missing-is-a-bound', 'exact-mean', 'tolerance'];
/** Entries that apply in both modes: compat mode shows ADK's number, but keeps our verdict. */
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

/**
 * Compares a vote. ADK counts scores of exactly 1 and exactly 0; no judge gives any other score. The ending is right.
 */
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

/** Returns the verdict that a text states for `is_valid`, whatever follows. */
function stated(text: string): 1 | 0 | null {
  const [, label = ''] = /"is_valid"\s*:\s*"?(true|false|valid|invalid)\b/i.exec(text) ?? [];
  return label === '' ? null : /^(true|valid)$/i.test(label) ? 1 : 0;
}

function readAs(ours: 'stated' | null, pattern: RegExp, why: string): Kind<string, 1 | 0 | null> {
  const comesTo = (text: string) => (ours === null ? null : stated(text));
  return { why, line: 'judge-answers', applies: (text) => pattern.test(text), comesTo };
}

const VALUE = String.raw`"is_valid"\s*:\s*(?:true|false|"\w+")`;

/** Differences in how we read an answer: list B, in both modes. `null` is no opinion. */
const READ_OTHERWISE: readonly Kind<string, 1 | 0 | null>[] = [
  readAs(
    'stated',
    new RegExp(`${VALUE}[ \\t]+"`),
    'a comma that is missing is put in; ADK wants one, a brace or a line break after the value',
  ),
  readAs(
    'stated',
    new RegExp(`${VALUE}[ \\t]*//`),
    'a comment is passed over; ADK wants a comma, a brace or a line break after the value',
  ),
  readAs(
    'stated',
    new RegExp(`${VALUE}\\}\\s*,`),
    'the first object is complete; ADK does not look for the brace and a comma after it',
  ),
  readAs('stated', /\{\s*"is_valid"\s+:/, 'white space before a colon is JSON; ADK wants the colon at once'),
  readAs(null, /"is_valid"\s*:\s*"[^"]*[{}][^"]*"/, 'a label with a brace in it is none; ADK cuts braces off'),
  readAs(null, /"is_valid"\s*:\s*"[^"]*,[^"]*"/, 'a label with a comma in it is none; ADK takes commas out'),
  readAs(null, new RegExp(`${VALUE}\\s*,\\s*,`), 'two commas are not JSON; ADK takes commas off'),
  readAs(null, /^[^{]*$/, 'there is no object; ADK needs none, and takes the first of two verdicts'),
  readAs(
    null,
    new RegExp(`${VALUE}[\\u001c-\\u001f]`),
    'a separator of files after the value is not JSON; it is white space in Python',
  ),
];

async function heldLabel(text: string, adk: number | null): Promise<Held> {
  const run = async (compat: Mode) => {
    const judge = turnJudge(({ isEnding }) => (isEnding ? true : { text }));
    const options = { judge_model_options: { num_samples: 1 } };
    const { criterion } = await scoreLed({ inference: conversation(turnsOf(2)), judge, options, compat });
    return criterion.turns[1]?.value;
  };
  return ofKind(READ_OTHERWISE, text, { adk, compat: await run('adk'), ours: await run(null) });
}

const LABELS: Readonly<Record<string, number | null>> = { VALID: 1, INVALID: 0, NOT_FOUND: null };

function valueOfLabel(label: string): number | null {
  const value = LABELS[label];
  if (value === undefined) throw new Error(`ADK has no label ${label}`);
  return value;
}

export const perTurnKinds = READ_OTHERWISE.map(({ why }) => why);

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
  // In the order of ADK's requests: turn by turn from the second on, then the ending.
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
  functionDriver<{ text: string }, string>('per_turn_user_simulator.parse_llm_response', ({ input, output }) =>
    heldLabel(input.text, valueOfLabel(output)),
  ),
  functionDriver<{ text: string }, number | null>(
    'per_turn_user_simulator.convert_llm_response_to_score',
    ({ input, output }) => heldLabel(input.text, output),
  ),
  areaDriver<{ text: string }, string>('peruser.label', ({ input, expected }) =>
    heldLabel(input.text, valueOfLabel(expected)),
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
