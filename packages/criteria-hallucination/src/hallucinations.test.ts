import {
  type Content,
  defineEvalConfig,
  type Invocation,
  type LanguageModel,
  type Score,
  type ScorePart,
  type Transcript,
} from '@agent-criteria/core';
import { defaultRegistry } from '@agent-criteria/core/host';
import {
  evalCase,
  inference,
  invocation,
  message,
  type ScriptedModel,
  testCriterion,
  testTools,
  unit,
} from '@agent-criteria/core/testing';
import type { JudgeOptionsInput } from '@agent-criteria/judge';
import { describe, expect, test } from 'vitest';
import { evaluated } from './__fixtures__/evaluated.ts';
import { callsOf, type JudgeScript, materialOf, scriptedJudge } from './__fixtures__/scripted-judge.ts';
import { hallucinations } from './hallucinations.ts';
import type { HallucinationsCriterion, HallucinationsInput, HallucinationsOptions } from './options.ts';

function optionsOf(input: HallucinationsInput & JudgeOptionsInput = {}): HallucinationsOptions {
  const validated = hallucinations.options['~standard'].validate(input);
  if (validated.issues) throw new Error(JSON.stringify(validated.issues));
  return validated.value;
}

interface Situation {
  readonly input?: HallucinationsInput & JudgeOptionsInput;
  readonly compat?: 'adk' | null;
  readonly earlier?: readonly Invocation[];
  readonly judge?: LanguageModel;
}

/** Returns the score of the last turn in a conversation. */
async function scored(
  actual: Invocation,
  { input, compat = null, earlier = [], judge }: Situation = {},
): Promise<Score> {
  if (hallucinations.scope !== 'turn') throw new Error('the criterion judges turns');
  const turns = [...earlier, actual].map((one, index) => ({ index, actual: one, expected: null, rubrics: [] }));
  const transcript: Transcript = {
    unit: unit(evalCase('case', [])),
    inference: inference([]),
    turns,
    rubrics: [],
  };
  const last = turns.at(-1);
  if (last === undefined) throw new Error('there is no turn');
  const models = { judge: judge ?? scriptedJudge() };
  return hallucinations.evaluate(last, { options: optionsOf(input), tools: testTools({ compat, models }), transcript });
}

const answered = (answer: string, more: Partial<Invocation> = {}): Invocation => ({
  ...invocation({ user: 'When does the ferry leave?', answer }),
  ...more,
});

const numberOf = (score: Score): number | null => ('value' in score ? score.value : null);
const partsOf = (score: Score | undefined): readonly ScorePart[] =>
  score !== undefined && 'parts' in score ? score.parts : [];
const labelled = (...said: readonly string[]): JudgeScript => ({ validate: () => said });

test('hallucinations_v1 fulfils the criterion contract', async () => {
  const one = (answer: string | null) => ({
    evalCase: evalCase('case', [{ user: 'When does it leave?' }]),
    inference: inference([{ user: 'When does it leave?', answer }]),
  });
  const models = (script: JudgeScript = {}) => ({ models: () => ({ judge: scriptedJudge(script) }) });
  await testCriterion(hallucinations, {
    examples: [
      { name: 'all rests on something', ...one('At nine. From pier two.'), ...models(), scores: [1] },
      {
        name: 'one of four does not',
        ...one('At nine. Pier two. It is blue. Shall I book?'),
        ...models(labelled('supported', 'supported', 'unsupported', 'not_applicable')),
        scores: [0.75],
      },
      {
        name: 'the other labels score 0',
        ...one('At nine. Pier two.'),
        ...models(labelled('contradictory', 'disputed')),
        scores: [0],
      },
      { name: 'no answer', ...one(null), ...models(), scores: ['not-applicable'] },
      { name: 'an answer without a word', ...one('…'), ...models(), scores: ['not-applicable'] },
      {
        name: 'a judge that cannot be read',
        ...one('At nine.'),
        ...models({ validate: () => 'Fine.' }),
        scores: ['could-not-judge'],
      },
      {
        name: 'a vote',
        ...one('At nine. Pier two.'),
        options: { judge_model_options: { num_samples: 3 } },
        ...models({
          validate: (_, { sample }) => (sample === 0 ? ['supported', 'unsupported'] : ['supported', 'supported']),
        }),
        scores: [1],
      },
      {
        name: 'cut by rules',
        ...one('At nine. Pier two.'),
        options: { segmenter: 'local' },
        ...models(labelled('supported', 'unsupported')),
        scores: [0.5],
      },
      {
        name: 'a judge by name',
        ...one('At nine.'),
        options: { judgeModelOptions: { judgeModel: 'other' } },
        models: () => ({ other: scriptedJudge() }),
        scores: [1],
      },
      {
        name: 'all that agents wrote, the same text twice',
        evalCase: evalCase('case', [{ user: 'Hello' }]),
        inference: inference([], { invocations: [spoken(['Wait.', 'Wait.'], 'At nine.')] }),
        options: { evaluate_intermediate_nl_responses: true },
        ...models({
          validate: (sentences) => sentences.map((text) => (text === 'At nine.' ? 'unsupported' : 'supported')),
        }),
        scores: [2 / 3],
      },
      {
        name: 'in compat mode',
        ...one('At nine. Pier two.'),
        ...models(labelled('supported', 'unsupported')),
        compat: 'adk',
        scores: [0.5],
      },
    ],
    badOptions: [
      { segmenter: 'regex' },
      { evaluateIntermediateNlResponses: 'yes' },
      { evaluate_intermediate_nl_response: true },
      { include_intermediate_responses_in_final: true },
      { judge_model_options: { num_samples: 0 } },
      { judge_model_options: { judge_modle: 'x' } },
    ],
  });
});

/** Creates a turn with these texts before the answer, all in one event. */
function spoken(texts: readonly string[], answer: string): Invocation {
  const content: Content = { role: 'model', parts: texts.map((text) => ({ text })) };
  return answered(answer, { intermediateData: { invocationEvents: [{ author: 'desk', content }] } });
}

test('importing the main entry registers hallucinations_v1', async () => {
  const { hallucinations: registered } = await import('./index.ts');
  expect(registered).toBe(hallucinations);
  expect(defaultRegistry().get('criterion', 'hallucinations_v1')).toBe(hallucinations);
});

describe('a score of hallucinations_v1', () => {
  const ferry: Invocation = answered('It leaves at nine. It is blue! Have a nice day.', {
    intermediateData: {
      invocationEvents: [
        { author: 'desk', content: { parts: [{ functionCall: { name: 'timetable', args: { line: 'ferry' } } }] } },
        {
          author: 'desk',
          content: { parts: [{ functionResponse: { name: 'timetable', response: { next: '09:00' } } }] },
        },
      ],
    },
  });

  test('has a part for each sentence, with its label, rationale and quotes', async () => {
    const judge = scriptedJudge({
      validate: () => [
        { label: 'Supported', rationale: 'The timetable says so.', supporting_excerpt: '"next": "09:00"' },
        {
          label: 'contradictory',
          rationale: 'It is red.',
          supporting_excerpt: 'NULL',
          contradicting_excerpt: 'the ferry is red',
        },
        { label: 'not applicable', rationale: '' },
      ],
    });
    expect(await scored(ferry, { judge })).toEqual({
      warnings: [expect.stringContaining('context is incomplete')],
      reason: "1 of 3 sentences is not supported by the agent's context",
      parts: [
        {
          id: '1',
          kind: 'sentence',
          text: 'It leaves at nine.',
          value: 1,
          reason: 'supported: The timetable says so.',
          evidence: [{ kind: 'note', text: 'for it: ""next": "09:00""' }],
        },
        {
          id: '2',
          kind: 'sentence',
          text: 'It is blue!',
          value: 0,
          reason: 'contradictory: It is red.',
          evidence: [
            {
              kind: 'note',
              text: 'against it: "the ferry is red" (not found in the evidence)',
            },
          ],
        },
        { id: '3', kind: 'sentence', text: 'Have a nice day.', value: 1, reason: 'not_applicable' },
      ],
      evidence: [
        {
          kind: 'json',
          label: 'segmenter',
          value: { model: 'scripted', prompt: 'hallucinations_v1/segmenter/2', from: 'live' },
        },
        {
          kind: 'opinions',
          prompt: 'hallucinations_v1/validator/2',
          questions: [
            { id: '1', text: 'It leaves at nine.' },
            { id: '2', text: 'It is blue!' },
            { id: '3', text: 'Have a nice day.' },
          ],
          samples: [
            {
              sample: 0,
              model: 'scripted',
              from: 'live',
              opinions: [
                { question: '1', label: 'supported', rationale: 'The timetable says so.', countedAs: 'positive' },
                { question: '2', label: 'contradictory', rationale: 'It is red.', countedAs: 'negative' },
                { question: '3', label: 'not_applicable', countedAs: 'positive' },
              ],
            },
          ],
        },
      ],
    });
    expect(callsOf(judge)).toEqual({ cuts: 1, validations: 1 });
  });

  test('has no reason if every sentence is supported', async () => {
    expect(await scored(answered('At nine.'))).not.toHaveProperty('reason');
  });

  test('takes the instructions and tools of earlier turns into account, except in compat mode', async () => {
    const details = { desk: { name: 'desk', instructions: 'Be brief.', toolDeclarations: [{ name: 'timetable' }] } };
    const before = answered('Hello.', { appDetails: { agentDetails: details } });
    for (const compat of [null, 'adk'] as const) {
      const judge = scriptedJudge();
      await scored(answered('At nine.'), { judge, earlier: [before], compat });
      const shown = judge.requests.map(materialOf).find((one) => one.has("the user's message"));
      expect(shown?.has("the developers' instructions")).toBe(compat === null);
      expect(shown?.has('the tools, as JSON')).toBe(compat === null);
    }
  });

  test('is based on all the context that the agent had, but not on a reference', async () => {
    const judge = scriptedJudge();
    const before = answered('It is blue.', {
      userContent: message('user', 'What colour is it?'),
      intermediateData: {
        invocationEvents: [
          { author: 'desk', content: { parts: [{ functionResponse: { name: 'paint', response: { is: 'red' } } }] } },
          { author: 'desk', groundingMetadata: { webSearchQueries: ['ferry colour'] } },
        ],
      },
    });
    const details = { desk: { name: 'desk', instructions: 'Be brief.', toolDeclarations: [{ name: 'timetable' }] } };
    await scored({ ...ferry, appDetails: { agentDetails: details } }, { judge, earlier: [before] });
    const validation = judge.requests[1];
    if (validation === undefined) throw new Error('nothing was validated');
    const shown = materialOf(validation);
    expect(shown.get("the developers' instructions")).toBe('Agent desk:\nBe brief.');
    expect(shown.get('the tools, as JSON')).toContain('"timetable"');
    expect(shown.get('the earlier turns')).toBe(
      'Turn 1\nuser: What colour is it?\ntool result of paint: {\n "is": "red"\n}\n' +
        'the service of the model of desk calls google_search({\n "queries": [\n  "ferry colour"\n ]\n})\nfinal answer: It is blue.',
    );
    expect(shown.get('the grounding of the earlier turns, as JSON')).toContain('ferry colour');
    expect(shown.get("the user's message")).toBe('When does the ferry leave?');
    expect(shown.get('what happened after it, step by step')).toContain('"next": "09:00"');
    expect(JSON.parse(shown.get('the sentences to check, as JSON') ?? '')).toEqual([
      { number: 1, sentence: 'It leaves at nine.' },
      { number: 2, sentence: 'It is blue!' },
      { number: 3, sentence: 'Have a nice day.' },
    ]);
    expect(judge.requests[0] && [...materialOf(judge.requests[0])]).toEqual([
      ['the text to cut', 'It leaves at nine. It is blue! Have a nice day.'],
    ]);
  });
});

describe('could-not-judge of hallucinations_v1', () => {
  const three = answered('At nine. Pier two. It is blue.');

  test.each<[string, JudgeScript, string]>([
    ['without an answer', { validate: () => ['supported', 'supported'] }, 'did not mention it'],
    ['with an unknown label', labelled('supported', 'supported', 'partially_supported'), 'its label could not be read'],
    [
      'with two different labels',
      {
        validate: () => [...['supported', 'supported', 'supported'], { number: 3, label: 'unsupported' }],
      },
      'it was labelled twice: supported, and unsupported',
    ],
  ])('is the result of a sentence %s', async (_, script, reason) => {
    const score = await scored(three, { judge: scriptedJudge(script) });
    expect(partsOf(score).map((part) => ('value' in part ? part.value : undefined))).toEqual([1, 1, null]);
    expect(partsOf(score)[2]).toMatchObject({ missing: 'could-not-judge', reason: expect.stringContaining(reason) });
    expect(score.reason).toBe('1 could not be judged');
  });

  test('is the result of every sentence if two lists contradict each other', async () => {
    const list = (last: string) => {
      const sentences = ['supported', 'supported', last].map((label, index) => ({ number: index + 1, label }));
      return JSON.stringify({ sentences });
    };
    const score = await scored(three, {
      judge: scriptedJudge({ validate: () => `${list('unsupported')} or rather ${list('supported')}` }),
    });
    expect(partsOf(score).every((part) => 'missing' in part && part.missing === 'could-not-judge')).toBe(true);
    expect(partsOf(score)[0]?.reason).toContain('contradict each other');
  });

  test('is not the result of a sentence that gets the same label twice', async () => {
    const said = ['supported', 'supported', 'unsupported', { number: 3, label: 'Unsupported' }];
    const score = await scored(three, { judge: scriptedJudge({ validate: () => said }) });
    expect(partsOf(score).map(numberOf)).toEqual([1, 1, 0]);
  });

  test('is the result of every sentence if a number is out of range', async () => {
    const counted = (first: number): JudgeScript => ({
      validate: () => [0, 1, 2].map((index) => ({ number: first + index, label: 'supported' })),
    });
    for (const first of [0, 2]) {
      const judge = scriptedJudge(counted(first));
      const score = await scored(three, { judge });
      expect(partsOf(score).map((part) => 'missing' in part && part.missing)).toEqual([
        'could-not-judge',
        'could-not-judge',
        'could-not-judge',
      ]);
      expect(callsOf(judge)).toEqual({ cuts: 1, validations: 2 });
    }
  });

  test('is the result of a text that the segmenter left out', async () => {
    const judge = scriptedJudge({ segment: () => ['At nine.', 'It is blue.'] });
    const score = await scored(three, { judge });
    expect(partsOf(score).map(({ id, text }) => [id, text])).toEqual([
      ['1', 'At nine.'],
      ['left-out-1', 'Pier two.'],
      ['2', 'It is blue.'],
    ]);
    expect(partsOf(score)[1]).toMatchObject({
      value: null,
      missing: 'could-not-judge',
      reason: 'the segmenter left out: "Pier two."',
    });
    expect(JSON.stringify(judge.requests[1])).not.toContain('Pier two.');
  });

  test('is the result of a text in which no segment was found, and the validator is not called', async () => {
    const judge = scriptedJudge({ segment: () => ['Something else.'] });
    const score = await scored(three, { judge });
    expect(partsOf(score)).toMatchObject([{ id: 'left-out-1', missing: 'could-not-judge' }]);
    expect(score.evidence).toContainEqual({
      kind: 'note',
      text: 'not judged, because the text does not contain it, or not in this order; the segmenter added: "Something else."',
    });
    expect(callsOf(judge)).toEqual({ cuts: 1, validations: 0 });
  });

  test('is not the result of a segment that the text does not contain, which is dropped and noted instead', async () => {
    const judge = scriptedJudge({ segment: (text) => ['Dear guest!', ...text.split(/(?<=\.) /)] });
    const score = await scored(three, { judge });
    expect(partsOf(score).map(({ text }) => text)).toEqual(['At nine.', 'Pier two.', 'It is blue.']);
    expect(JSON.stringify(score.evidence)).toContain('Dear guest!');
  });

  test.each<[string, JudgeScript, string]>([
    ['is cut off', { segment: () => ({ text: '{"sentences":["At', finish: 'length' }) }, 'cut off at its token limit'],
    ['is blocked', { segment: () => ({ text: '', finish: 'blocked' }) }, 'a safety filter blocked the judge'],
    ['returns no sentence', { segment: () => [] }, 'could not be read, twice'],
    ['returns no texts', { segment: () => '{"sentences": [{"sentence": "At nine."}]}' }, 'could not be read, twice'],
  ])('is the result of a turn whose segmenter %s', async (_, script, reason) => {
    const judge = scriptedJudge(script);
    expect(await scored(three, { judge })).toMatchObject({
      value: null,
      missing: 'could-not-judge',
      reason: expect.stringContaining(reason),
    });
    expect(callsOf(judge).validations).toBe(0);
  });

  test('is the result of every sentence, with the error, if the validator fails', async () => {
    const judge = scriptedJudge({
      validate: () => {
        throw new Error('connection refused');
      },
    });
    const score = await scored(three, { judge });
    expect(partsOf(score).map(({ reason }) => reason)).toEqual(
      Array(3).fill('1 of 1 samples gave no opinion: the judge failed: connection refused'),
    );
  });

  test('is the result of a text with more than 1000 sentences, and no call is made', async () => {
    const long = answered('Yes. '.repeat(1001));
    const judge = scriptedJudge();
    expect(await scored(long, { judge, input: { segmenter: 'local' } })).toMatchObject({
      missing: 'could-not-judge',
      reason: 'the text has 1001 sentences; at most 1000 are judged at once',
    });
    expect(judge.requests.length).toBe(0);
  });
});

describe('several samples of hallucinations_v1', () => {
  const two = answered('At nine. Pier two.');
  const input = { judgeModelOptions: { numSamples: 5 } };
  const script = (...columns: readonly string[]): JudgeScript => ({
    validate: (_, { sample }) =>
      columns.flatMap((column, index) => {
        const said = { s: 'supported', n: 'not_applicable', u: 'unsupported', '-': '?' }[column[sample] ?? ''] ?? '';
        return [{ number: index + 1, label: said }];
      }),
  });

  test('need one segmentation, and only as many validations as it takes to decide the vote on each sentence', async () => {
    const judge = scriptedJudge(script('sss', 'uuu'));
    const score = await scored(two, { judge, input });
    expect(callsOf(judge)).toEqual({ cuts: 1, validations: 3 });
    expect(judge.requests.slice(1).map(({ sample }) => sample)).toEqual([0, 1, 2]);
    expect(partsOf(score).map((part) => [numberOf(part), part.reason, part.evidence])).toEqual([
      [1, 'supported: it is so', [{ kind: 'vote', positive: 3, negative: 0, unreadable: 0, of: 5 }]],
      [0, 'unsupported: it is so', [{ kind: 'vote', positive: 0, negative: 3, unreadable: 0, of: 5 }]],
    ]);
  });

  test('continue until every sentence is decided', async () => {
    const judge = scriptedJudge(script('sssss', 'usunu'));
    const score = await scored(two, { judge, input });
    expect(callsOf(judge)).toEqual({ cuts: 1, validations: 5 });
    expect(partsOf(score).map(numberOf)).toEqual([1, 0]);
  });

  test('give could-not-judge to a sentence without a majority', async () => {
    const score = await scored(two, { judge: scriptedJudge(script('sssss', 'us--s')), input });
    expect(partsOf(score)[1]).toMatchObject({ value: null, missing: 'could-not-judge' });
  });

  test('are reduced to one in compat mode, as in ADK', async () => {
    const judge = scriptedJudge(script('sss', 'uuu'));
    expect(partsOf(await scored(two, { judge, input, compat: 'adk' })).map(numberOf)).toEqual([1, 0]);
    expect(callsOf(judge)).toEqual({ cuts: 1, validations: 1 });
  });
});

describe('evaluate_intermediate_nl_responses', () => {
  const input = { evaluateIntermediateNlResponses: true };
  const turn: Invocation = answered('Take the stairs. They are steep.', {
    intermediateData: {
      invocationEvents: [
        { author: 'desk', content: { parts: [{ text: 'I look it up.' }, { text: 'hm', thought: true }] } },
        { author: 'desk', content: { parts: [{ functionCall: { name: 'lift', args: {} } }] } },
        { author: 'desk', content: { parts: [{ functionResponse: { name: 'lift', response: { open: false } } }] } },
        { author: 'desk', content: { parts: [{ text: 'It is closed.' }] } },
      ],
    },
  });

  test('judges each text with the events before it, and scores the mean of the texts', async () => {
    const judge = scriptedJudge({
      validate: (all) => all.map((text) => (/steep/.test(text) ? 'unsupported' : 'supported')),
    });
    const { criterion } = await evaluated([turn], judge, { options: input });
    expect(criterion.score).toBe((1 + 1 + 0.5) / 3);
    const score = criterion.turns[0]?.score;
    // The score is not the share of sentences, 3 of 4.
    expect(score?.reason).toBe(
      "1 of 4 sentences is not supported by the agent's context; the score is the mean of 3 texts (sentences supported: 1 of 1, 1 of 1, 1 of 2)",
    );
    expect(partsOf(score)[2]?.reason).toBe("1 of 2 sentences is not supported by the agent's context");
    expect(partsOf(score).map(({ id, kind, text }) => [id, kind, text])).toEqual([
      ['1', 'step', 'I look it up.'],
      ['2', 'step', 'It is closed.'],
      ['3', 'step', 'Take the stairs. They are steep.'],
    ]);
    expect(partsOf(partsOf(score)[2]).map(({ id, text }) => [id, text])).toEqual([
      ['3.1', 'Take the stairs.'],
      ['3.2', 'They are steep.'],
    ]);
    // Opinions are found by the id of the part.
    const opinions = partsOf(score)[2]?.evidence?.find((one) => one.kind === 'opinions');
    expect(opinions?.questions.map(({ id }) => id)).toEqual(['3.1', '3.2']);
    expect(opinions?.samples[0]?.opinions.map(({ question }) => question)).toEqual(['3.1', '3.2']);
    const happened = (of: string): string | undefined =>
      judge.requests
        .map(materialOf)
        .find((shown) => shown.get('the sentences to check, as JSON')?.includes(of))
        ?.get('what happened after it, step by step');
    expect(happened('I look it up.')).toBeUndefined();
    expect(happened('It is closed.')).not.toContain('desk claims: It is closed.');
    expect(happened('It is closed.')).toContain('"open": false');
    expect(happened('They are steep.')).toContain('desk claims: It is closed.');
    expect(happened('They are steep.')).not.toContain('hm');
  });

  test('shows grounding only with the text of its own event and later ones', async () => {
    const metadata = (query: string) => ({ groundingMetadata: { webSearchQueries: [query] } });
    const searched = answered('It is open.', {
      intermediateData: {
        invocationEvents: [
          { author: 'desk', content: { parts: [{ text: 'It has a lift.' }] }, ...metadata('lift') },
          { author: 'desk', ...metadata('hours') },
        ],
      },
    });
    const judge = scriptedJudge();
    await scored(searched, { judge, input });
    const grounding = judge.requests
      .map((request) => materialOf(request).get('the grounding, as JSON'))
      .filter((text) => text !== undefined);
    expect(grounding.map((text) => [text.includes('lift'), text.includes('hours')])).toEqual([
      [true, false],
      [true, true],
    ]);
  });

  test('judges a repeated text again only if its evidence differs', async () => {
    const said = { author: 'desk', content: { parts: [{ text: 'It is open.' }, { text: 'It is open.' }] } };
    const found = {
      author: 'desk',
      content: { parts: [{ functionResponse: { name: 'lift', response: { open: true } } }] },
    };
    const judge = scriptedJudge({
      validate: (_, request) => [
        materialOf(request).has('what happened after it, step by step') ? 'supported' : 'unsupported',
      ],
    });
    const spokenTwice = answered('It is open.', { intermediateData: { invocationEvents: [said, found] } });
    const score = await scored(spokenTwice, { judge, input });
    expect(partsOf(score).map((step) => partsOf(step).map(numberOf))).toEqual([[0], [0], [1]]);
    expect(callsOf(judge)).toEqual({ cuts: 1, validations: 2 });
  });

  test('counts unsupported and unjudged sentences in the reason', async () => {
    const judge = scriptedJudge({
      segment: (text) => (text === 'It is closed.' ? 'no' : [text]),
      validate: (all) => all.map((text) => (/look/.test(text) ? 'unsupported' : 'supported')),
    });
    const { criterion } = await evaluated([turn], judge, { options: input });
    expect(criterion.turns[0]?.score.reason).toBe(
      "1 of 2 sentences is not supported by the agent's context, 1 could not be judged; the score is the mean of 3 texts (sentences supported: 0 of 1, not judged, 1 of 1)",
    );
  });

  test('gives only the number of texts in the reason if there are many', async () => {
    const texts = Array.from({ length: 8 }, (_, index) => ({
      author: 'desk',
      content: { parts: [{ text: `I say ${index}.` }] },
    }));
    const talkative = answered('It is steep.', { intermediateData: { invocationEvents: texts } });
    const judge = scriptedJudge({
      validate: (all) => all.map((text) => (/steep/.test(text) ? 'unsupported' : 'supported')),
    });
    const score = await scored(talkative, { judge, input });
    expect(score.reason).toBe(
      "1 of 9 sentences is not supported by the agent's context; the score is the mean of 9 texts",
    );
  });

  test('leaves the case without a verdict if a text could not be split, in both modes', async () => {
    const script: JudgeScript = { segment: (text) => (text === 'It is closed.' ? 'no' : [text]) };
    for (const compat of [null, 'adk'] as const) {
      const { verdict, criterion } = await evaluated([turn], scriptedJudge(script), { options: input, compat });
      expect(verdict).toBe('not-evaluated');
      expect(criterion).toMatchObject({ score: 1, coverage: 2 / 3 });
      expect(criterion.turns[0]?.score.reason).toBe('1 could not be judged');
    }
  });

  test('judges texts without a recorded position against all calls of the turn', async () => {
    const older: Invocation = answered('Take the stairs.', {
      intermediateData: {
        toolUses: [{ name: 'lift', args: {} }],
        toolResponses: [{ name: 'lift', response: { open: false } }],
        intermediateResponses: [['desk', [{ text: 'It is closed.' }]]],
      },
    });
    const happened = (shown: ReadonlyMap<string, string>): string =>
      shown.get('what happened after it, step by step') ?? '';
    const judge = scriptedJudge();
    const score = await scored(older, { judge, input });
    expect(partsOf(score).map(({ text }) => text)).toEqual(['It is closed.', 'Take the stairs.']);
    expect(JSON.stringify(partsOf(score)[0]?.evidence)).toContain('it was not recorded whether');
    const validations = judge.requests.map(materialOf).filter((shown) => shown.has("the user's message"));
    expect(validations.map((shown) => happened(shown).includes('"open": false'))).toEqual([true, true]);
    // The text came before the answer, but not before itself.
    expect(validations.map((shown) => happened(shown).includes('desk claims: It is closed.'))).toEqual([false, true]);
    expect(partsOf(await scored(older, { input, compat: 'adk' })).map(({ text }) => text)).toEqual([
      'Take the stairs.',
    ]);
  });
});

test('hallucinations_v1 reads its options from agentCriteria too', async () => {
  const judge = scriptedJudge();
  const { criterion } = await evaluated([answered('At nine.')], judge, {
    options: { agentCriteria: { segmenter: 'local' } },
  });
  expect(criterion.score).toBe(1);
  expect(callsOf(judge)).toEqual({ cuts: 0, validations: 1 });
});

test('HallucinationsCriterion is the type of the entry in a config', () => {
  const entry: HallucinationsCriterion = { threshold: 0.8, segmenter: 'local', judgeModelOptions: { numSamples: 3 } };
  const config = defineEvalConfig({ plugins: [hallucinations], criteria: { hallucinations_v1: entry } });
  expect(config.criteria?.hallucinations_v1).toEqual(entry);
  defineEvalConfig({
    plugins: [hallucinations],
    // @ts-expect-error an unknown segmenter
    criteria: { hallucinations_v1: { threshold: 0.8, segmenter: 'regex' } },
  });
});

test('hallucinations_v1 rejects an option of other criteria and suggests its own', async () => {
  const wrong = { include_intermediate_responses_in_final: true };
  await expect(evaluated([answered('At nine.')], scriptedJudge(), { options: wrong })).rejects.toThrow(
    'use evaluate_intermediate_nl_responses instead',
  );
});

describe('the cost of hallucinations_v1', () => {
  const estimate = (input: HallucinationsInput & JudgeOptionsInput, turns = 3) =>
    hallucinations.estimate?.(unit(evalCase('case', [{ user: 'Hello' }])), turns, optionsOf(input));

  test('is estimated at two calls per turn, or one with the local segmenter', () => {
    expect(estimate({})).toMatchObject({ min: 6, max: 6 });
    expect(estimate({ segmenter: 'local' })).toMatchObject({ min: 3, max: 3 });
    expect(estimate({ judgeModelOptions: { numSamples: 5 } })).toMatchObject({ min: 12, max: 18 });
    expect(estimate({ evaluateIntermediateNlResponses: true })).toMatchObject({ min: 6, max: 30 });
    expect(estimate({})?.tokens?.min).toBeGreaterThan(1000);
  });

  test('respects parallelism_limit across all turns of a conversation', async () => {
    if (hallucinations.scope !== 'turn') throw new Error('the criterion judges turns');
    let running = 0;
    let most = 0;
    const inner = scriptedJudge();
    const judge: LanguageModel = {
      id: 'counting',
      async generate(request, signal) {
        running += 1;
        most = Math.max(most, running);
        await new Promise((settle) => setImmediate(settle));
        running -= 1;
        return inner.generate(request, signal);
      },
    };
    const turns = ['One.', 'Two.', 'Three.'].map((answer, index) => {
      return { index, actual: answered(answer), expected: null, rubrics: [] };
    });
    const transcript = { unit: unit(evalCase('case', [])), inference: inference([]), turns, rubrics: [] };
    const evaluate = hallucinations.evaluate.bind(hallucinations);
    const options = optionsOf({ judgeModelOptions: { parallelismLimit: 1 } });
    await Promise.all(
      turns.map((turn) => evaluate(turn, { options, tools: testTools({ models: { judge } }), transcript })),
    );
    expect(most).toBe(1);
    expect(callsOf(inner as ScriptedModel)).toEqual({ cuts: 3, validations: 3 });
  });
});
