import type { Evidence, OpinionsEvidence, Score, ScorePart } from '@agent-criteria/core';
import type { RunCall, RunRecord } from '@agent-criteria/results';
import { evalCase, inference } from '@agent-criteria/core/testing';
import { type CaseSpec, criterion, runOf, type SetSpec } from './runs.ts';

// A run with judge criteria: votes of five samples, rubrics, the sentences of each step, and all model calls.

const MODEL = 'gemini-2.5-flash';

/** An opinion: its label and rationale, or the reason why there is none. */
type Said = readonly [label: string, rationale: string] | string;

/** Creates evidence for how samples voted on one item. */
function vote(positive: number, negative: number, unreadable = 0, of = 5): Evidence {
  return { kind: 'vote', positive, negative, unreadable, of };
}

function opinions(prompt: string, samples: readonly (readonly (readonly [item: string, said: Said])[])[]): Evidence {
  const ids = new Set(samples.flatMap((items) => items.map(([item]) => item)));
  return {
    kind: 'opinions',
    prompt,
    questions: [...ids].map((id) => ({ id })),
    samples: samples.map((items, sample): OpinionsEvidence['samples'][number] => {
      const head = { sample, model: MODEL, from: sample === 0 ? 'cache' : 'live' } as const;
      const [first] = items;
      if (first !== undefined && typeof first[1] === 'string') return { ...head, opinions: [], failure: first[1] };
      const said = [...ids].map((question) => {
        const found = items.find(([item]) => item === question)?.[1];
        if (found === undefined) return { question, unreadable: 'the judge did not mention it' };
        const [label = '', rationale = ''] = found;
        return { question, label, rationale, countedAs: label === 'no' ? ('negative' as const) : ('positive' as const) };
      });
      return { ...head, opinions: said };
    }),
  };
}

const valid = (item: string, rationale: string) => [[item, ['valid', rationale]]] as const;
const invalid = (item: string, rationale: string) => [[item, ['invalid', rationale]]] as const;

/** A rationale that is longer than one line, like most rationales. */
export const longRationale =
  'The reference says that breakfast is served until ten and costs eighteen francs, while the answer gives eleven as the end and leaves the price out; a guest who relies on it would come too late, so the two do not mean the same.';

const answerPassed: Score = {
  value: 1,
  reason: 'Both give noon as the time to leave.',
  evidence: [
    vote(3, 0),
    opinions('answer_valid/1', [
      valid('answer_valid', 'Both give noon as the time to leave.'),
      valid('answer_valid', 'Noon in both.'),
      valid('answer_valid', 'The same hour.'),
    ]),
  ],
};

const answerFailed: Score = {
  value: 0,
  reason: longRationale,
  evidence: [
    vote(1, 4),
    opinions('answer_valid/1', [
      invalid('answer_valid', longRationale),
      valid('answer_valid', 'Both speak of breakfast.'),
      invalid('answer_valid', 'Eleven is not ten.'),
      invalid('answer_valid', 'The price is missing.'),
      invalid('answer_valid', 'Another time.'),
    ]),
  ],
};

const answerUnjudged: Score = {
  value: null,
  missing: 'could-not-judge',
  reason: "2 of 5 samples gave no opinion (2 for, 1 against): the judge's answer was cut off at its token limit",
  evidence: [
    vote(2, 1, 2),
    opinions('answer_valid/1', [
      valid('answer_valid', 'Close enough.'),
      [['answer_valid', "the judge's answer was cut off at its token limit"]],
      valid('answer_valid', 'It is the same taxi.'),
      invalid('answer_valid', 'The number differs.'),
      [['answer_valid', 'the judge failed: 503 overloaded']],
    ]),
  ],
};

const rubric = (id: string, text: string, score: Score): ScorePart => ({ id, kind: 'rubric', text, ...score });

const rubricScore: Score = {
  reason: '1 of 3 rubrics is not fulfilled, 1 could not be judged',
  parts: [
    rubric('polite', 'The answer is polite.', {
      value: 1,
      reason: 'It thanks the guest.',
      evidence: [vote(3, 2), { kind: 'note', text: 'turn 1: "Thank you for asking"' }],
    }),
    rubric('price', 'The answer names the price of everything that costs something.', {
      value: 0,
      reason: 'Breakfast costs eighteen francs, and the answer does not say so.',
      evidence: [vote(0, 5), { kind: 'note', text: 'turn 1: "Breakfast is until eleven"' }],
    }),
    rubric('names', 'The answer calls the guest by name.', {
      value: null,
      missing: 'could-not-judge',
      reason: '3 of 5 samples gave no opinion (1 for, 1 against)',
      evidence: [vote(1, 1, 3)],
    }),
  ],
  evidence: [
    opinions('rubrics/2', [
      [
        ['polite', ['yes', 'It thanks the guest.']],
        ['price', ['no', 'Breakfast costs eighteen francs, and the answer does not say so.']],
      ],
      [
        ['polite', ['no', 'It is curt.']],
        ['price', ['no', 'No price.']],
        ['names', ['not_applicable', 'Nobody told a name.']],
      ],
    ]),
  ],
};

const rubricsPassed: Score = { parts: [rubric('polite', 'The answer is polite.', { value: 1, evidence: [vote(5, 0)] })] };

const sentence = (id: string, text: string, label: string, value: number, excerpt: Evidence | null): ScorePart => ({
  id, kind: 'sentence', text, value,
  reason: `${label}: ${value === 1 ? 'the tool says so' : 'no source says so'}`,
  evidence: [vote(...((value === 1 ? [1, 0, 0, 1] : [0, 1, 0, 1]) as [number, number, number, number])), ...(excerpt ? [excerpt] : [])],
});
const quote = (kind: 'supporting' | 'contradicting', text: string): Evidence => ({
  kind: 'json', label: `${kind} excerpt`, value: text,
});

const grounded: Score = {
  parts: [
    {
      id: 'step-1', kind: 'step', text: 'Let me style at the kitchen hours.',
      parts: [sentence('s1', 'Let me style at the kitchen hours.', 'not_applicable', 1, null)],
    },
    {
      id: 'final', kind: 'step', text: 'the final answer',
      parts: [
        sentence('s1', 'Breakfast is until eleven.', 'contradictory', 0, quote('contradicting', 'breakfast: 07:00-10:00')),
        sentence('s2', 'It is served on the terrace.', 'supported', 1, quote('supporting', 'place: terrace')),
        { id: 's3', kind: 'sentence', text: 'It is free.', value: null, missing: 'could-not-judge', reason: 'the judge left it out' },
      ],
    },
  ],
};

/** Seven sentences, of which only the fifth falls short. */
const manySentences: Score = {
  parts: Array.from({ length: 7 }, (_, index) =>
    sentence(`s${index + 1}`, `Sentence number ${index + 1}.`, index === 4 ? 'unsupported' : 'supported', index === 4 ? 0 : 1, null),
  ),
};

function callsOf(caseId: string, more: readonly Partial<RunCall>[]): readonly RunCall[] {
  const key = { setId: 'hotel', caseId, repeat: 0 };
  return more.map((own, index) => ({
    role: 'criterion', key, caller: 'answer_valid', turn: 0, sample: index, target: MODEL, request: 'a'.repeat(64),
    answer: 'b'.repeat(64), finish: 'stop', from: 'live', startedAt: 0, endedAt: 800,
    usage: { inputTokens: 1000, cachedInputTokens: 200, outputTokens: 50, reasoningTokens: 20 },
    ...own,
  }));
}

const cached = { from: 'cache', cost: 0 } as const;
const failed = { usage: {}, error: { code: 'CALL_FAILED', message: '503 overloaded' } } as const;

const turn = (user: string, answer: string) => ({ user, answer });
const events = (user: string, answer: string) => {
  const [only] = inference([turn(user, answer)]).invocations;
  const told = { promptTokenCount: 400, candidatesTokenCount: 30, thoughtsTokenCount: 10 };
  return { ...only!, intermediateData: { invocationEvents: [{ author: 'desk', usageMetadata: told }] } };
};

const cases: readonly CaseSpec[] = [
  {
    evalCase: evalCase('leaving', [turn('When do I have to leave?', 'At noon.')]),
    repeats: [
      {
        inference: { ...inference([]), invocations: [events('When do I have to leave?', 'By noon, please.')] },
        scores: { answer_valid: [answerPassed], rubrics: [rubricsPassed], grounded: [{ value: 1 }] },
      },
    ],
    calls: callsOf('leaving', [cached, cached, { cost: 0.0005 }]),
  },
  {
    evalCase: evalCase('breakfast', [turn('Until when is breakfast?', 'Until ten, for 18 francs.')]),
    repeats: [
      {
        inference: { ...inference([]), invocations: [events('Until when is breakfast?', 'Breakfast is until eleven.')] },
        scores: { answer_valid: [answerFailed], rubrics: [rubricScore], grounded: [grounded] },
      },
    ],
    calls: callsOf('breakfast', [cached, {}, {}, { cost: 0.0005 }, { role: 'user', caller: 'guest', usage: {} }]),
  },
  {
    evalCase: evalCase('taxi', [turn('A taxi, please', 'It comes at eight.'), turn('Thanks', 'You are welcome.')]),
    repeats: [
      {
        inference: inference([turn('A taxi, please', 'At eight.'), turn('Thanks', 'Welcome.')]),
        scores: {
          answer_valid: [answerPassed, answerUnjudged],
          rubrics: [rubricsPassed, rubricsPassed],
          grounded: [{ value: 1 }, { value: 1 }],
        },
      },
    ],
    calls: callsOf('taxi', [failed, { from: 'recording' }, { target: 'ollama/qwen3', usage: {} }]),
  },
  {
    evalCase: evalCase('tour', [turn('Tell me of the house', 'It is old.')]),
    repeats: [
      {
        inference: inference([turn('Tell me of the house', 'Sentence number 1.')]),
        scores: { answer_valid: [answerPassed], rubrics: [rubricsPassed], grounded: [manySentences] },
      },
    ],
  },
];

export const judged: SetSpec = {
  id: 'hotel',
  criteria: [criterion('answer_valid'), criterion('rubrics'), criterion('grounded')],
  config: { criteria: { answer_valid: 0.8, rubrics: 0.8, grounded: 0.9 } },
  cases,
};

export function judgedRun(): RunRecord {
  return runOf([judged]);
}
