import type { Invocation } from '@agent-criteria/core';
import { message } from '@agent-criteria/core/testing';
import { expect, test } from 'vitest';
import { adkDifferences } from '../adk-differences.ts';
import { evaluated } from './__fixtures__/evaluated.ts';
import { callsOf, materialOf, scriptedJudge } from './__fixtures__/scripted-judge.ts';

// Demonstrates the effect of every entry in list A of docs/adk-parity.md.

type Difference = (typeof adkDifferences)[number]['id'];

/** Creates an invocation with these events. */
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

/** Returns the request to the validator for the last turn. */
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
    (await validation([past], compat)).system.includes("The agent's own words are not evidence."),
  'hallucination-hand-written-steps': async (compat) =>
    (await validation([handWritten], compat)).shown.get('what happened after it, step by step') ?? '',
};

test.each(adkDifferences)('entry $id of list A changes the number that it describes', async ({ id }) => {
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
