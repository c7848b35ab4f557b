import assert from 'node:assert/strict';
import type { Invocation, LanguageModel } from '@agent-criteria/core';
import type { CriterionResult } from '@agent-criteria/core/host';
import { evalCase, inference, message } from '@agent-criteria/core/testing';
import { hallucinations } from '@agent-criteria/criteria-hallucination/pure';
import {
  callsOf,
  type Said,
  scriptedJudge,
} from '../../../packages/criteria-hallucination/src/__fixtures__/scripted-judge.ts';
import { stepsOf } from '../../../packages/criteria-hallucination/src/steps.ts';
import { type SentenceBlock, segmentsIn, sentenceBlocks } from '../adk-texts.ts';
import { comesTo, explained, type Status, shownOf, type Value } from '../as-lines-say.ts';
import { areaDriver, type Driver, functionDriver } from '../driver.ts';
import type { Held } from '../held.ts';
import { adkOutcome, honestInCompat, type Mode, ourOutcome, throughCore } from '../through-core.ts';

// Answers of segmenters and validators, end to end. ADK's judges answer in other text formats than ours: what ADK could
// read in them is converted to our format, label by label; what it could not read is passed to the product unchanged.

async function judged(
  invocations: readonly Invocation[],
  judge: LanguageModel,
  compat: Mode,
  { threshold = 0.5, options = {} }: { threshold?: number; options?: Readonly<Record<string, unknown>> } = {},
): Promise<CriterionResult> {
  const one = evalCase(
    'case',
    invocations.map(() => ({ user: 'Hello' })),
  );
  const scoring = { criterion: hallucinations, evalCase: one, inference: inference([], { invocations }) };
  return (await throughCore({ ...scoring, judge, compat, threshold, options })).criterion;
}

function answering(text: string): Invocation {
  return { userContent: message('user', 'Go on.'), finalResponse: message('model', text) };
}

const POSITIVE = new Set(['supported', 'not_applicable']);
const NEGATIVE = new Set(['unsupported', 'contradictory', 'disputed']);

function valueOfLabel(label: string): number | null {
  return POSITIVE.has(label) ? 1 : NEGATIVE.has(label) ? 0 : null;
}

/** Reads a label as ADK does, in lower case; we also accept spaces and hyphens for underscores. */
const adkLabel = (label: string) => label.toLowerCase();
const ourLabel = (label: string) => adkLabel(label).replace(/[\s_-]+/g, '_');

/** The judge's answers about one text. `'raise'`: the call failed. */
interface Judging {
  readonly segments: readonly string[];
  readonly blocks: readonly SentenceBlock[];
  /** The raw answers, used if nothing could be read. */
  readonly segmenter: string;
  readonly validator: string;
}

function judgingOf(segmenter: string | null, validator: string | null): Judging {
  const [first, second] = [segmenter ?? '', validator ?? ''];
  return {
    segmenter: first,
    validator: second,
    segments: segmentsIn(first),
    blocks: sentenceBlocks(second),
  };
}

function segmented({ segments, segmenter }: Judging, named = (segment: string) => segment): string {
  if (segmenter === '__RAISE__') throw new Error('boom');
  return segments.length === 0 ? segmenter : JSON.stringify({ sentences: segments.map(named) });
}

function validated({ blocks, validator }: Judging): readonly Said[] | string {
  if (validator === '__RAISE__') throw new Error('boom');
  return blocks.length === 0 ? validator : blocks.map(({ sentence: _, ...said }) => said);
}

/**
 * Returns the values of a text's sentences: ADK's, which cover only blocks, or ours, one for each segment, possibly
 * unknown.
 */
function valuesOf({ segments, blocks, segmenter, validator }: Judging, ours: boolean): Value {
  if (segmenter === '__RAISE__' || validator === '__RAISE__') return null;
  if (!ours) {
    const known = blocks.map(({ label }) => valueOfLabel(adkLabel(label)));
    return known.length === 0 ? null : known;
  }
  const placed = segments.filter((segment) => segment !== '');
  if (placed.length === 0) return null;
  // A number is out of range, so it is unclear which sentences the other numbers refer to.
  if (blocks.length > segments.length) return placed.map(() => null);
  return placed.map((_, index) => {
    const label = blocks[index]?.label;
    return label === undefined ? null : valueOfLabel(ourLabel(label));
  });
}

/** Compares one text, for which ADK gives only a number; our verdict is checked against the honest rule. */
async function heldText(judging: Judging, adk: number | null): Promise<Held> {
  const judge = () => scriptedJudge({ segment: () => segmented(judging), validate: () => validated(judging) });
  const text = judging.segments.join(' ').trim() || 'One.';
  const [compat, ours] = [
    await judged([answering(text)], judge(), 'adk'),
    await judged([answering(text)], judge(), null),
  ];
  const [asAdk, asOurs] = [shownOf(valuesOf(judging, false)), shownOf(valuesOf(judging, true))];
  assert.equal(asAdk, adk, 'what ADK makes of the blocks');
  const conversation = { turns: [valuesOf(judging, true)], threshold: 0.5, adk: hallucinations.adk };
  const expected = comesTo(conversation, new Set(['missing-is-a-bound']));
  honestInCompat(compat, expected);
  assert.deepEqual(ourOutcome(ours), expected, 'verdict and score in default mode');
  const held = { adk, compat: compat.score, ours: ours.score };
  if (asOurs === adk) return held;
  return { ...held, lines: ['judge-answers'], expected: asOurs, expectedInCompat: asOurs };
}

// ---- whole conversations

interface Whole {
  readonly threshold: number;
  readonly num_invocations: number;
  readonly judge_outputs: readonly (string | null)[];
}

interface WholeOutput {
  readonly overall_score: number | null;
  readonly overall_status: Status;
  readonly per_invocation: readonly { readonly score: number | null }[];
}

const LINES = ['exact-mean', 'tolerance', 'missing-is-a-bound'];

async function heldWhole({ threshold, judge_outputs: outputs, ...input }: Whole, output: WholeOutput): Promise<Held> {
  assert.equal(outputs.length, 2 * input.num_invocations, 'a segmenter and a validator for each turn');
  const turns = Array.from({ length: input.num_invocations }, (_, turn) =>
    judgingOf(outputs[2 * turn] ?? null, outputs[2 * turn + 1] ?? null),
  );
  const named = (turn: number) => (segment: string) => `${segment} of turn ${turn}`;
  const turnIn = (text: string): number => Number(/ of turn (\d+)/.exec(text)?.[1]);
  const judgingIn = (text: string): Judging => {
    const judging = turns[turnIn(text)];
    if (judging === undefined) throw new Error(`no turn says ${text}`);
    return judging;
  };
  const run = (compat: Mode) => {
    const judge = scriptedJudge({
      segment: (text) => segmented(judgingIn(text), named(turnIn(text))),
      validate: ([first = '']) => validated(judgingIn(first)),
    });
    const texts = turns.map(({ segments }, turn) => segments.map(named(turn)).join(' '));
    return judged(texts.map(answering), judge, compat, { threshold });
  };
  const [compat, ours] = [await run('adk'), await run(null)];
  const model = (lines: ReadonlySet<string>) => {
    const values = turns.map((judging) => valuesOf(judging, lines.has('missing-is-a-bound')));
    return { ...comesTo({ turns: values, threshold, adk: hallucinations.adk }, lines), turns: values.map(shownOf) };
  };
  honestInCompat(compat, model(new Set(['missing-is-a-bound'])));
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

// ---- intermediate texts

interface GoldenEvent {
  readonly author: string;
  readonly text?: string;
  readonly call?: string;
  readonly response?: string;
}

function withEvents(events: readonly GoldenEvent[], answer: string): Invocation {
  return {
    ...answering(answer),
    intermediateData: {
      invocationEvents: events.map(({ author, text, call, response }) => ({
        author,
        content: {
          parts: [
            ...(text === undefined ? [] : [{ text }]),
            ...(call === undefined ? [] : [{ functionCall: { name: call } }]),
            ...(response === undefined ? [] : [{ functionResponse: { name: response } }]),
          ],
        },
      })),
    },
  };
}

interface Steps {
  readonly invocations: readonly { readonly steps: readonly (number | null)[] }[];
  readonly threshold: number;
}

interface StepsOutput {
  readonly invocations: readonly (number | null)[];
  readonly score: number | null;
  readonly status: Status;
}

/** Compares turns with several texts of two sentences each, for shares of 1 or 0.5. */
async function heldSteps({ invocations, threshold }: Steps, expected: StepsOutput): Promise<Held> {
  const spoken = invocations.map(({ steps }, turn) =>
    withEvents(
      steps.map((_, step) => ({ author: 'desk', text: `Text ${step} of turn ${turn}. It goes on.` })),
      '',
    ),
  );
  const run = (compat: Mode) => {
    const judge = scriptedJudge({
      validate: ([text = '']) => {
        const [, step, turn] = /Text (\d+) of turn (\d+)/.exec(text) ?? [];
        const share = invocations[Number(turn)]?.steps[Number(step)];
        return typeof share === 'number' ? ['supported', share === 1 ? 'supported' : 'unsupported'] : 'garbage';
      },
    });
    return judged(spoken, judge, compat, { threshold, options: { evaluateIntermediateNlResponses: true } });
  };
  const [compat, ours] = [await run('adk'), await run(null)];
  const values = invocations.map(({ steps }): Value => (steps.length === 0 ? 'not-applicable' : steps));
  const model = (lines: ReadonlySet<string>) => ({
    ...comesTo({ turns: values, threshold, adk: hallucinations.adk }, lines),
    invocations: values.map(shownOf),
  });
  honestInCompat(compat, model(new Set(['missing-is-a-bound'])));
  const shown = (of: CriterionResult) => of.turns.map(({ value }) => value);
  return explained(LINES, model, {
    adk: { score: expected.score, status: expected.status, invocations: expected.invocations },
    compat: { ...adkOutcome(compat), invocations: shown(compat) },
    ours: { ...ourOutcome(ours), invocations: shown(ours) },
  });
}

interface StepInput {
  readonly events: readonly GoldenEvent[];
  readonly finalText: string;
  readonly evaluateIntermediate: boolean;
}

/** Returns the judged texts, and the events before each that count as evidence. */
function stepsFound({ events, finalText, evaluateIntermediate }: StepInput, compat: Mode) {
  const actual = withEvents(events, finalText);
  const eventsOf = ({ intermediateData: data }: Invocation) =>
    data && 'invocationEvents' in data ? (data.invocationEvents ?? []) : [];
  return stepsOf(actual, evaluateIntermediate, compat).map(({ text, seen }) => ({
    text,
    contextEvents: eventsOf(seen).map((event) => eventsOf(actual).indexOf(event)),
  }));
}

interface Cost {
  readonly turns: number;
  readonly intermediateTextPartsPerTurn: number;
  readonly evaluateIntermediate: boolean;
  readonly numSamples: number;
}

async function callsFor({ turns, numSamples, ...input }: Cost, compat: Mode): Promise<number> {
  const judge = scriptedJudge();
  const spoken = Array.from({ length: turns }, (_, turn) => {
    const texts = Array.from({ length: input.intermediateTextPartsPerTurn }, (_, part) => ({
      author: 'desk',
      text: `Part ${part} of ${turn}.`,
    }));
    return withEvents(texts, `Answer ${turn}.`);
  });
  const { evaluateIntermediate: evaluateIntermediateNlResponses } = input;
  await judged(spoken, judge, compat, {
    options: { evaluateIntermediateNlResponses, judgeModelOptions: { numSamples } },
  });
  const { cuts, validations } = callsOf(judge);
  return cuts + validations;
}

/**
 * Compares an answer in a text format that our judges are not asked for, which gives no number even if ADK could read
 * it: list B.
 */
async function heldUnread(judging: Partial<Judging>, adk: readonly unknown[]): Promise<Held> {
  const { segmenter, validator } = judging;
  const judge = () =>
    scriptedJudge({
      ...(segmenter === undefined ? {} : { segment: () => segmenter }),
      ...(validator === undefined ? {} : { validate: () => validator }),
    });
  const run = async (compat: Mode) => {
    const { score, verdict } = await judged([answering('The lift is closed.')], judge(), compat);
    return score === null && verdict === 'not-evaluated' ? [] : [score];
  };
  const held = { adk, compat: await run('adk'), ours: await run(null) };
  return adk.length === 0 ? held : { ...held, lines: ['judge-answers'], expected: [], expectedInCompat: [] };
}

export const hallucinationDrivers: readonly Driver[] = [
  functionDriver<
    { segmenter_text: string | null; validator_text: string | null },
    { score: number | null; details: string | readonly SentenceBlock[] }
  >('hallucinations.evaluate_nl_response', ({ input, output }) => {
    const judging = judgingOf(input.segmenter_text, input.validator_text);
    if (typeof output.details !== 'string') assert.deepEqual(judging.blocks, output.details, 'what ADK read');
    return heldText(judging, output.score);
  }),
  functionDriver<Whole, WholeOutput>('e2e.hallucinations', ({ input, output }) => heldWhole(input, output)),
  areaDriver<{ text: string }, number | null>('halluc.score', ({ input, expected }) => {
    const judging = judgingOf(null, input.text);
    const segments = judging.blocks.map(({ sentence }) => sentence);
    return heldText({ ...judging, segments: segments.length === 0 ? ['A.'] : segments }, expected);
  }),
  areaDriver<Steps, StepsOutput>('halluc.aggregate', ({ input, expected }) => heldSteps(input, expected)),
  areaDriver<StepInput, unknown>('halluc.steps', ({ input, expected }) => ({
    adk: expected,
    compat: stepsFound(input, 'adk'),
    ours: stepsFound(input, null),
  })),
  areaDriver<Cost, { judgeCalls: number }>('halluc.cost', async ({ input, expected }) => ({
    adk: expected.judgeCalls,
    compat: await callsFor(input, 'adk'),
    ours: await callsFor(input, null),
    lines: ['hallucination-samples'],
    expected: input.turns * (1 + Math.floor(input.numSamples / 2) + 1),
  })),
  areaDriver<{ text: string }, readonly string[]>('halluc.segments', ({ input, expected }) =>
    heldUnread({ segmenter: input.text }, expected),
  ),
  areaDriver<{ text: string }, readonly unknown[]>('halluc.blocks', ({ input, expected }) =>
    heldUnread({ validator: input.text }, expected),
  ),
];
