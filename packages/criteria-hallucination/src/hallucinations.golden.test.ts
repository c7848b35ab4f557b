import { readFileSync } from 'node:fs';
import type { Invocation, LanguageModel } from '@agent-criteria/core';
import { message } from '@agent-criteria/core/testing';
import { describe, expect, test } from 'vitest';
import { evaluated } from './__fixtures__/evaluated.ts';
import { callsOf, type JudgeScript, materialOf, scriptedJudge } from './__fixtures__/scripted-judge.ts';
import { adkDifferences } from './adk-differences.ts';
import { readLabel } from './read-findings.ts';
import { stepsOf } from './steps.ts';

// What ADK made of judges' answers, in both modes. ADK's judges answer in a text form that is not ours (list B of the
// parity page), so that a row is put into our form by the labels that ADK has read; what ADK could not read at all is an
// answer that we cannot read either.

const STATUS = { PASSED: 1, FAILED: 2, NOT_EVALUATED: 3 } as const;
const MODES = [null, 'adk'] as const;

function fixture(name: string): string {
  return readFileSync(new URL(`./__fixtures__/${name}`, import.meta.url), 'utf8');
}

/** The labels of the sentences of a turn; `null`: the judge gave nothing that can be read. `'raise'`: a call failed. */
type Turn = readonly string[] | null | 'raise';

const sentence = (turn: number, number: number): string => `Sentence ${number} of turn ${turn}.`;

function conversation(turns: readonly Turn[], sentences = (turn: Turn) => (Array.isArray(turn) ? turn.length : 1)) {
  return turns.map((turn, index): Invocation => {
    const texts = Array.from({ length: sentences(turn) }, (_, number) => sentence(index, number));
    return { userContent: message('user', 'Go on.'), finalResponse: message('model', texts.join(' ')) };
  });
}

/** A judge that says these labels of each turn, whichever turn comes first. */
function judgeOf(turns: readonly Turn[]): LanguageModel {
  return scriptedJudge({
    validate: (sentences) => {
      const said = turns[Number(/of turn (\d+)/.exec(sentences[0] ?? '')?.[1])] ?? null;
      if (said === 'raise') throw new Error('boom');
      return said === null ? 'garbage' : said;
    },
  });
}

interface Line {
  readonly id: string;
  readonly fn: string;
  readonly input: {
    readonly threshold: number;
    readonly scores: readonly (number | null)[];
    readonly segmenter_text: string | null;
    readonly validator_text: string | null;
    readonly judge_outputs: readonly (string | null)[];
  };
  readonly output: {
    readonly score: number | null;
    readonly details: string | readonly { readonly label: string }[];
    readonly overall_score: number | null;
    readonly overall_status: keyof typeof STATUS;
    readonly per_invocation: readonly { readonly score: number | null }[];
  };
}

const lines = fixture('judge-parse.public.jsonl')
  .trim()
  .split('\n')
  .map((line): Line => JSON.parse(line));
const linesOf = (fn: string): readonly Line[] => lines.filter((line) => line.fn === fn);

const labelsIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(/^label: (.*)$/gm), ([, label = '']) => label);

describe.each(MODES)('in the mode %s', (compat) => {
  test('a text scores as ADK has it', async () => {
    const rows = linesOf('hallucinations.evaluate_nl_response');
    expect(rows.length).toBe(57);
    for (const { id, input, output } of rows) {
      const { details } = output;
      const labels = typeof details === 'string' ? [] : details.map(({ label }) => label);
      const turn: Turn = typeof details === 'string' ? 'raise' : labels.length === 0 ? null : labels;
      const segments = (input.segmenter_text ?? '').split('<sentence>').length - 1;
      const turns = conversation([turn], () => Math.max(segments, labels.length, 1));
      const { criterion } = await evaluated(turns, judgeOf([turn]), { compat });
      expect({ id, score: criterion.score }).toEqual({ id, score: output.score });
      // A sentence without a label that there is never lets a verdict stand as if it were whole.
      const known = labels.filter((label) => readLabel(label) !== undefined).length;
      expect(criterion.coverage === 1).toBe(known === Math.max(segments, labels.length, 1));
    }
  });

  test('conversations score as ADK has it, turn by turn', async () => {
    const rows = linesOf('e2e.hallucinations');
    expect(rows.length).toBe(18);
    for (const { id, input, output } of rows) {
      const outputs = input.judge_outputs.filter((_, index) => index % 2 === 1);
      const turns = outputs.map((text): Turn => {
        if (text === '__RAISE__') return 'raise';
        const labels = labelsIn(text ?? '');
        return labels.length === 0 ? null : labels;
      });
      const { threshold } = input;
      const { criterion } = await evaluated(conversation(turns), judgeOf(turns), { compat, threshold });
      expect({ id, score: criterion.score, turns: criterion.turns.map(({ value }) => value) }).toEqual({
        id,
        score: output.overall_score,
        turns: output.per_invocation.map(({ score }) => score),
      });
      if (compat === 'adk')
        expect({ id, status: criterion.adkStatus }).toEqual({ id, status: STATUS[output.overall_status] });
    }
  });

  test('the number of a conversation is ADK’s of its turns', async () => {
    const rows = linesOf('hallucinations.aggregate_invocation_results');
    expect(rows.length).toBe(27);
    let spoken = 0;
    for (const { id, input, output } of rows) {
      // Only shares of few sentences can be said with sentences; core runs every row.
      const turns = input.scores.map((score): Turn | undefined => (score === null ? null : labelsOfShare(score)));
      if (turns.length === 0 || !turns.every((turn) => turn !== undefined)) continue;
      spoken += 1;
      const { criterion } = await evaluated(conversation(turns), judgeOf(turns), {
        compat,
        threshold: input.threshold,
      });
      expect({ id, score: criterion.score }).toEqual({ id, score: output.overall_score });
      if (compat === 'adk')
        expect({ id, status: criterion.adkStatus }).toEqual({ id, status: STATUS[output.overall_status] });
    }
    expect(spoken).toBeGreaterThan(20);
  });
});

function labelsOfShare(share: number): readonly string[] | undefined {
  for (let of = 1; of <= 40; of++) {
    const supported = Math.round(share * of);
    if (supported / of === share) {
      return Array.from({ length: of }, (_, index) => (index < supported ? 'supported' : 'unsupported'));
    }
  }
  return undefined;
}

type Vector = { readonly id: string; readonly recommended?: number } & (
  | { readonly area: 'halluc.score'; readonly input: { readonly text: string }; readonly expected: number | null }
  | {
      readonly area: 'halluc.aggregate';
      readonly input: {
        readonly invocations: readonly { readonly steps: readonly (number | null)[] }[];
        readonly threshold: number;
      };
      readonly expected: {
        readonly invocations: readonly (number | null)[];
        readonly score: number | null;
        readonly status: keyof typeof STATUS;
      };
    }
  | {
      readonly area: 'halluc.steps';
      readonly input: {
        readonly events: readonly {
          readonly author: string;
          readonly text?: string;
          readonly call?: string;
          readonly response?: string;
        }[];
        readonly finalText: string;
        readonly evaluateIntermediate: boolean;
      };
      readonly expected: readonly { readonly text: string; readonly contextEvents: readonly number[] }[];
    }
  | {
      readonly area: 'halluc.cost';
      readonly input: {
        readonly turns: number;
        readonly intermediateTextPartsPerTurn: number;
        readonly finalTextPerTurn: number;
        readonly evaluateIntermediate: boolean;
        readonly numSamples: number;
      };
      readonly expected: { readonly judgeCalls: number };
    }
);

const vectors: readonly Vector[] = JSON.parse(fixture('judge-vectors.public.json'));

/** An invocation with these events. */
function withEvents(
  events: readonly { author: string; text?: string; call?: string; response?: string }[],
  answer: string,
): Invocation {
  return {
    userContent: message('user', 'How do I get up?'),
    finalResponse: message('model', answer),
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

describe.each(vectors)('vector $id', (vector) => {
  switch (vector.area) {
    case 'halluc.score':
      test('scores as recommended', async () => {
        const labels = Array.from(vector.input.text.matchAll(/^label: (.*?)\r?$/gim), ([, label = '']) => label);
        const turn = labels.length === 0 ? null : labels;
        const { criterion } = await evaluated(conversation([turn]), judgeOf([turn]));
        expect(criterion.score).toBe(vector.recommended ?? vector.expected);
      });
      break;
    case 'halluc.aggregate':
      test.each(MODES)('in the mode %s', async (compat) => {
        const { invocations, threshold } = vector.input;
        const spoken = invocations.map(({ steps }, turn) =>
          withEvents(
            steps.map((_, step) => ({ author: 'desk', text: `Text ${step} of turn ${turn}. It goes on.` })),
            '',
          ),
        );
        const script: JudgeScript = {
          validate: ([text = '']) => {
            const [, step, turn] = /Text (\d+) of turn (\d+)/.exec(text) ?? [];
            const share = invocations[Number(turn)]?.steps[Number(step)];
            if (typeof share !== 'number') return 'garbage';
            return ['supported', share === 1 ? 'supported' : 'unsupported'];
          },
        };
        const options = { evaluateIntermediateNlResponses: true };
        const { verdict, criterion } = await evaluated(spoken, scriptedJudge(script), { options, compat, threshold });
        expect(criterion.score).toBe(vector.expected.score);
        expect(criterion.turns.map(({ value }) => value)).toEqual(vector.expected.invocations);
        if (compat === 'adk') expect(criterion.adkStatus).toBe(STATUS[vector.expected.status]);
        // Core's line "missing-is-a-bound": what a judge left open is never a pass.
        expect(verdict).toBe('not-evaluated');
      });
      break;
    case 'halluc.steps':
      test.each(MODES)('in the mode %s', (compat) => {
        const { events, finalText, evaluateIntermediate } = vector.input;
        const actual = withEvents(events, finalText);
        const all =
          actual.intermediateData && 'invocationEvents' in actual.intermediateData
            ? actual.intermediateData.invocationEvents
            : [];
        const found = stepsOf(actual, evaluateIntermediate, compat).map(({ text, seen }) => {
          const data = seen.intermediateData;
          const before = data && 'invocationEvents' in data ? data.invocationEvents : [];
          return { text, contextEvents: (before ?? []).map((event) => all?.indexOf(event)) };
        });
        expect(found).toEqual(vector.expected);
      });
      break;
    case 'halluc.cost':
      test('in compat mode', async () => {
        expect(await callsFor(vector.input, 'adk')).toBe(vector.expected.judgeCalls);
      });
      break;
  }
});

interface Cost {
  readonly turns: number;
  readonly intermediateTextPartsPerTurn: number;
  readonly evaluateIntermediate: boolean;
  readonly numSamples: number;
}

async function callsFor(
  { turns, evaluateIntermediate, intermediateTextPartsPerTurn, numSamples }: Cost,
  compat: 'adk' | null,
) {
  const judge = scriptedJudge();
  const spoken = Array.from({ length: turns }, (_, turn) => {
    const texts = Array.from({ length: intermediateTextPartsPerTurn }, (_, index) => ({
      author: 'desk',
      text: `Part ${index} of ${turn}.`,
    }));
    return withEvents(texts, `Answer ${turn}.`);
  });
  const options = { evaluateIntermediateNlResponses: evaluateIntermediate, judgeModelOptions: { numSamples } };
  await evaluated(spoken, judge, { options, compat });
  const { cuts, validations } = callsOf(judge);
  return cuts + validations;
}

// ---- every line of list A, shown by what it changes

type Difference = (typeof adkDifferences)[number]['id'];

/** What the validator of the last turn was asked. */
async function validation(invocations: readonly Invocation[], compat: 'adk' | null) {
  const judge = scriptedJudge();
  await evaluated(invocations, judge, { compat });
  const last = judge.requests.findLast((request) => materialOf(request).has("the user's message"));
  if (last === undefined) throw new Error('nothing was validated');
  return { shown: materialOf(last), system: last.system ?? '' };
}

const past = withEvents([{ author: 'desk', response: 'lift' }], 'Take the lift.');
const handWritten: Invocation = {
  ...withEvents([], 'Take the stairs.'),
  intermediateData: { toolUses: [{ name: 'lift' }], toolResponses: [{ name: 'lift', response: { open: false } }] },
};

const shows: Readonly<Record<Difference, (compat: 'adk' | null) => Promise<unknown>>> = {
  'hallucination-samples': (compat) =>
    callsFor({ turns: 3, intermediateTextPartsPerTurn: 0, evaluateIntermediate: false, numSamples: 5 }, compat),
  'hallucination-earlier-turns': async (compat) =>
    (await validation([past, withEvents([], 'Take the stairs.')], compat)).shown.get('the earlier turns') ?? '',
  'hallucination-own-words': async (compat) =>
    (await validation([past], compat)).system.includes("The agent's own words are no evidence."),
  'hallucination-hand-written-steps': async (compat) =>
    (await validation([handWritten], compat)).shown.get('what happened after it, step by step') ?? '',
};

test.each(adkDifferences)('line $id of list A', async ({ id }) => {
  const [ours, adk] = [await shows[id](null), await shows[id]('adk')];
  expect({ ours, adk }).toEqual(
    {
      'hallucination-samples': { ours: 3 * (1 + 3), adk: 3 * 2 },
      'hallucination-earlier-turns': {
        ours: 'Turn 1\nuser: How do I get up?\ntool result of lift: null\nfinal answer: Take the lift.',
        adk: '',
      },
      'hallucination-own-words': { ours: true, adk: false },
      'hallucination-hand-written-steps': {
        ours: 'tool call: lift({})\ntool result of lift: {\n "open": false\n}',
        adk: '',
      },
    }[id],
  );
});
