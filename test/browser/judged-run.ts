import { defineCriterion, type Evidence, noOptions, type Score, type ScorePart } from '@agent-criteria/core';
import { createRegistry, resolveEvalConfig, summariseCase } from '@agent-criteria/core/host';
import { evalCase, evalSet, inference } from '@agent-criteria/core/testing';
import { type RunCall, type RunRecord, runRecord } from '@agent-criteria/results';
import { changeCases } from './sample-run.ts';

// A run such as judge criteria produce, built from plain data: votes, rubrics, sentences of steps, opinions, calls and
// their prompts and answers.

const MODEL = 'gemini-2.5-flash';

const criterion = (name: string) =>
  defineCriterion({
    name,
    origin: { package: 'criteria-judged', version: '1.0.0' },
    description: `What ${name} is for.`,
    decides: true,
    range: { min: 0, max: 1, better: 'higher' as const },
    options: noOptions,
    scope: 'turn',
    evaluate: (): Score => ({ value: 1 }),
  });

const vote = (positive: number, negative: number, unreadable = 0): Evidence => ({
  kind: 'vote',
  positive,
  negative,
  unreadable,
  of: 5,
});

const match: Score = {
  value: 0,
  reason: 'Eleven is not ten, and the price is left out.',
  evidence: [
    vote(1, 4),
    // The format of run folders that were written before opinions became a kind of evidence.
    {
      kind: 'json',
      label: 'opinions',
      value: [
        ...['invalid', 'valid', 'invalid', 'invalid'].map((label, sample) => ({
          sample,
          model: MODEL,
          prompt: 'match/1',
          from: sample === 0 ? 'cache' : 'live',
          opinions: [{ item: 'match', label, rationale: `Rationale ${sample + 1} of a judge.` }],
        })),
        { sample: 4, model: MODEL, prompt: 'match/1', failure: 'the judge was cut off' },
      ],
    },
  ],
};

const rubric = (id: string, text: string, score: Score): ScorePart => ({ id, kind: 'rubric', text, ...score });

const rubrics: Score = {
  parts: [
    rubric('polite', 'The answer is polite.', { value: 1, reason: 'It thanks.', evidence: [vote(3, 2)] }),
    rubric('price', 'The answer names the price.', {
      value: 0,
      reason: 'It does not.',
      evidence: [vote(0, 5), { kind: 'note', text: 'turn 1: "until eleven"' }],
    }),
    rubric('names', 'The answer names the guest.', {
      value: null,
      missing: 'could-not-judge',
      reason: '3 of 5 samples gave no opinion',
      evidence: [vote(1, 1, 3)],
    }),
    rubric('short', 'The answer is short.', { value: 1, evidence: [vote(5, 0)] }),
  ],
  evidence: [
    {
      kind: 'opinions',
      prompt: 'rubrics/2',
      questions: ['polite', 'price', 'names'].map((id) => ({ id })),
      samples: [
        {
          sample: 0,
          model: MODEL,
          from: 'live',
          opinions: [
            { question: 'polite', label: 'yes', rationale: 'It thanks.', countedAs: 'positive' },
            { question: 'price', label: 'no', countedAs: 'negative' },
            { question: 'names', unreadable: 'the judge did not mention it' },
          ],
        },
      ],
    },
  ],
};

const grounded: Score = {
  parts: [
    {
      id: 'final',
      kind: 'step',
      text: 'the final answer',
      parts: [
        {
          id: 's1',
          kind: 'sentence',
          text: 'Breakfast is until eleven.',
          value: 0,
          reason: 'contradictory',
          evidence: [{ kind: 'json', label: 'contradicting excerpt', value: 'breakfast: 07:00-10:00' }],
        },
        {
          id: 's2',
          kind: 'sentence',
          text: 'It is on the terrace.',
          value: 1,
          reason: 'supported',
          evidence: [{ kind: 'json', label: 'supporting excerpt', value: 'place: terrace' }],
        },
      ],
    },
  ],
};

const unjudged: Score = {
  value: null,
  missing: 'could-not-judge',
  reason: '2 of 5 samples gave no opinion (2 for, 1 against): the judge failed',
  evidence: [vote(2, 1, 2)],
};

const said = [
  { id: 'breakfast', turns: [{ user: 'Until when is breakfast?', answer: 'Until eleven, on the terrace.' }] },
  {
    id: 'taxi',
    turns: [
      { user: 'A taxi, please', answer: 'At eight.' },
      { user: 'Thanks', answer: 'Welcome.' },
    ],
  },
];

/** The prompts and answers of the run's calls, by hash. */
export const judgePrompt = 'Are these two answers the same?';
const texts: Readonly<Record<string, unknown>> = {
  asked: {
    system: 'You compare answers.',
    sample: 0,
    temperature: 0,
    messages: [{ role: 'user', parts: [{ text: judgePrompt }] }],
  },
  answered: '{"reasoning":"Eleven is not ten.","verdict":"invalid"}',
  service: { question: { of: 'a service' } },
};

const usage = { inputTokens: 1000, cachedInputTokens: 200, outputTokens: 50, reasoningTokens: 20 };

function callsOf(caseId: string): readonly RunCall[] {
  const key = { setId: 'hotel', caseId, repeat: 0 };
  const asked = {
    role: 'criterion',
    key,
    caller: 'match',
    turn: 0,
    target: MODEL,
    request: 'asked',
    startedAt: 0,
  } as const;
  const judge = { ...asked, answer: 'answered', finish: 'stop', endedAt: 1340, usage } as const;
  return [
    { ...judge, sample: 0, from: 'cache', cost: 0 },
    { ...judge, sample: 1, from: 'live', cost: 0.0123 },
    { ...judge, sample: 2, from: 'live', finish: 'length' },
    { ...asked, sample: 3, endedAt: 90, error: { code: 'CALL_FAILED', message: '503: overloaded' } },
    {
      ...asked,
      role: 'user',
      caller: 'guest',
      target: 'a service',
      request: 'service',
      sample: 0,
      from: 'live',
      endedAt: 9,
    },
  ];
}

/** Returns a run with the prompts and answers of its calls, as stored in a run folder. */
export function judgedRun(): RunRecord & { text(hash: string): string } {
  const names = ['match', 'rubrics', 'grounded'] as const;
  const set = evalSet(
    said.map(({ id, turns }) => evalCase(id, turns)),
    'hotel',
  );
  const plan = resolveEvalConfig({
    evalSet: set,
    registry: createRegistry(names.map(criterion)),
    config: { criteria: { match: 0.8, rubrics: 0.8, grounded: 0.9 } },
  });
  const scores: Readonly<Record<string, readonly (readonly Score[])[]>> = {
    breakfast: [[match], [rubrics], [grounded]],
    taxi: [
      [{ value: 1, reason: 'The same hour.', evidence: [vote(5, 0)] }, unjudged],
      [{ value: 1 }, { value: 1 }],
      [{ value: 1 }, { value: 1 }],
    ],
  };
  const cases = set.evalCases.map((one) =>
    summariseCase(plan, one, [
      {
        key: { setId: 'hotel', caseId: one.evalId, repeat: 0 },
        sessionId: 's',
        ending: { by: 'end-of-case' },
        criteria: names.map((name, place) => ({ name, scope: 'turn', scores: scores[one.evalId]?.[place] ?? [] })),
      },
    ]),
  );
  const inferences = said.map(({ id, turns }) => {
    const { invocations, ...rest } = inference(turns);
    const told = { promptTokenCount: 400, candidatesTokenCount: 30, thoughtsTokenCount: 10 };
    const events = { invocationEvents: [{ author: 'desk', usageMetadata: told }] };
    return {
      key: { setId: 'hotel', caseId: id, repeat: 0 },
      inference: { ...rest, invocations: invocations.map((turn) => ({ ...turn, intermediateData: events })) },
    };
  });
  const record = runRecord({ id: 'judged', startedAt: 0, endedAt: 9000, agent: 'desk' }, [{ plan, cases, inferences }]);
  return {
    ...changeCases(record, (one) => ({ ...one, calls: callsOf(one.evalCase.evalId) })),
    text(hash) {
      return JSON.stringify(texts[hash]);
    },
  };
}
