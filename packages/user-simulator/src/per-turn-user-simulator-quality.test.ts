import {
  CriteriaError,
  type Ending,
  type Invocation,
  type ModelAnswer,
  type Score,
  type UserPersona,
} from '@agent-criteria/core';
import { createRegistry, resolveEvalConfig } from '@agent-criteria/core/host';
import { evalCase, evalSet, invocation, message, testCriterion, testTools, unit } from '@agent-criteria/core/testing';
import { describe, expect, it } from 'vitest';
import {
  conversation,
  ledCase,
  perTurnAnswer,
  scoreLed,
  shownIn,
  turnJudge,
  turnsOf,
} from './__fixtures__/per-turn-cases.ts';
import { llmBackedUserSimulator } from './llm-backed-user-simulator.ts';
import { defaultCriteria } from './per-turn-prompt.ts';
import { perTurnUserSimulatorQuality } from './per-turn-user-simulator-quality.ts';
import { builtInPersonas } from './personas.ts';

const led = ledCase();
const always = (said: boolean) => () => ({ judge: turnJudge(() => said) });
const talks: Partial<ModelAnswer> = { text: 'I cannot tell.' };

it('per_turn_user_simulator_quality_v1 passes the conformance suite', async () => {
  await testCriterion(perTurnUserSimulatorQuality, {
    examples: [
      {
        name: 'a correct user',
        evalCase: led,
        inference: conversation(turnsOf(3)),
        models: always(true),
        scores: [1, 1, 1],
      },
      {
        name: 'a wrong message fails its turn',
        evalCase: led,
        inference: conversation(turnsOf(3)),
        models: () => ({ judge: turnJudge(({ turn }) => turn !== 1) }),
        scores: [1, 0, 1],
      },
      {
        name: 'contradictory verdicts on a message are could-not-judge',
        evalCase: led,
        inference: conversation(turnsOf(3)),
        models: () => ({
          judge: turnJudge(({ turn }) => turn !== 1 || `${perTurnAnswer(false)} No, wait: ${perTurnAnswer(true)}`),
        }),
        scores: [1, 'could-not-judge', 1],
      },
      {
        name: 'a wrong ending fails the last turn',
        evalCase: led,
        inference: conversation(turnsOf(3)),
        models: () => ({ judge: turnJudge(({ isEnding }) => !isEnding) }),
        scores: [1, 1, 0],
      },
      {
        name: 'a right ending does not make up for a wrong last message',
        evalCase: led,
        inference: conversation(turnsOf(3)),
        models: () => ({ judge: turnJudge(({ turn, isEnding }) => isEnding || turn !== 2) }),
        scores: [1, 1, 0],
      },
      {
        name: 'a wrong first message takes no call, even if it is the only one',
        evalCase: led,
        inference: conversation([{ user: 'Start', answer: 'Yes?' }]),
        models: always(true),
        scores: [0],
      },
      {
        name: 'the ending of a single turn is judged',
        evalCase: led,
        inference: conversation(turnsOf(1)),
        models: always(false),
        scores: [0],
      },
      {
        name: 'a tie is negative',
        evalCase: led,
        inference: conversation(turnsOf(2)),
        options: { judge_model_options: { num_samples: 4 } },
        models: () => ({ judge: turnJudge(({ sample, isEnding }) => isEnding || sample < 2) }),
        scores: [1, 0],
      },
      {
        name: 'two readable samples of five are not a majority',
        evalCase: led,
        inference: conversation(turnsOf(3)),
        models: () => ({ judge: turnJudge(({ sample, turn }) => (turn === 1 && sample > 1 ? talks : true)) }),
        scores: [1, 'could-not-judge', 1],
      },
      {
        name: 'an unjudged ending makes a good last turn could-not-judge',
        evalCase: led,
        inference: conversation(turnsOf(2)),
        models: () => ({ judge: turnJudge(({ isEnding }) => (isEnding ? talks : true)) }),
        scores: [1, 'could-not-judge'],
      },
      {
        name: 'an unjudged ending does not change a bad last turn',
        evalCase: led,
        inference: conversation(turnsOf(2)),
        models: () => ({ judge: turnJudge(({ isEnding }) => (isEnding ? talks : false)) }),
        scores: [1, 0],
      },
      {
        name: 'a configured model is called, with a signal and intermediate texts',
        evalCase: led,
        inference: conversation(turnsOf(2)),
        options: {
          judgeModelOptions: { judgeModel: 'own', numSamples: 1, parallelismLimit: 1 },
          stopSignal: 'BYE',
          includeIntermediateResponsesInFinal: true,
        },
        models: () => ({ own: turnJudge(() => true) }),
        scores: [1, 1],
      },
    ],
    badOptions: [
      { judge_model_options: { num_samples: 0 } },
      { stop_signal: ' ' },
      { stop_signal: 3 },
      { include_intermediate_responses_in_final: 'yes' },
      { rubrics: [] },
    ],
  });
});

describe('the score of the last turn', () => {
  // The verdicts on message and ending, and the score; null means could-not-judge.
  it.each<[message: number | null, ending: number | null, score: number | null]>([
    [1, 1, 1],
    [1, 0, 0],
    [1, null, null],
    [0, 1, 0],
    [0, 0, 0],
    [0, null, 0],
    [null, 1, null],
    [null, 0, 0],
    [null, null, null],
  ])('for a message that scores %s and an ending that scores %s, is %s', async (own, ending, score) => {
    const judge = turnJudge(({ isEnding }) => {
      const said = isEnding ? ending : own;
      return said === null ? talks : said === 1;
    });
    const { scores } = await scoreLed({ inference: conversation(turnsOf(2)), judge });
    expect(scores[1]).toMatchObject({ value: score });
  });

  it('comes with the reasons why the message and the ending are wrong', async () => {
    const judge = turnJudge(() => false);
    const { scores, criterion } = await scoreLed({ inference: conversation(turnsOf(2)), judge });
    expect(scores[1]?.reason).toBe(
      'Keeps to the plan: It does not; and it is wrong to end here: Keeps to the plan: It does not.',
    );
    expect(criterion.reason).toMatch(/^0\.5 is below the threshold 1: Keeps to the plan: It does not; and it is wrong/);
  });

  it('comes with both votes and the actual ending as evidence', async () => {
    const { scores } = await scoreLed({
      inference: conversation(turnsOf(2), { by: 'user', reason: 'all is done' }),
      judge: turnJudge(({ isEnding, sample }) => isEnding || sample > 0),
    });
    expect(scores[1]?.evidence?.map((one) => (one.kind === 'note' ? one.text : one.kind))).toEqual([
      ...['vote', 'opinions', 'how it ended: the user ended the conversation (all is done)', 'vote', 'opinions'],
    ]);
    expect(scores[1]?.evidence?.filter(({ kind }) => kind === 'vote')).toEqual([
      { kind: 'vote', positive: 3, negative: 1, unreadable: 0, of: 5 },
      { kind: 'vote', positive: 3, negative: 0, unreadable: 0, of: 5 },
    ]);
    const asked = scores[1]?.evidence?.flatMap((one) => (one.kind === 'opinions' ? one.questions : []));
    expect(asked).toEqual([{ id: 'message' }, { id: 'ending' }]);
    expect(scores[0]?.evidence).toBeUndefined();
  });
});

describe('a conversation that reached its turn limit', () => {
  const cut: Ending = { by: 'turn-limit', reason: '20 turns' };
  const limit =
    'the conversation was cut off at its turn limit (20 turns): the user did not end it. Whether this was the right point to end is judged all the same; whether the user would have ended here is not known';

  it('has a warning, even if nothing is wrong', async () => {
    const { result, criterion } = await scoreLed({
      inference: conversation(turnsOf(2), cut),
      judge: turnJudge(() => true),
    });
    expect(result.verdict).toBe('passed');
    expect(criterion.warnings).toEqual([limit]);
    expect(criterion.turns[1]?.score.evidence).toContainEqual({
      kind: 'note',
      text: 'how it ended: the conversation was cut off at its turn limit (20 turns)',
    });
  });

  it('fails if the judge rejects the ending', async () => {
    const { result, criterion } = await scoreLed({
      inference: conversation(turnsOf(2), cut),
      judge: turnJudge(({ isEnding }) => !isEnding),
    });
    expect([result.verdict, criterion.score, criterion.warnings]).toEqual(['failed', 0.5, [limit]]);
  });

  it.each([
    ['no sample is readable', 'start', talks],
    ['the only message is wrong', 'another start', true],
  ] as const)('has a warning if %s', async (_what, user, said) => {
    const { criterion } = await scoreLed({
      inference: conversation([{ user, answer: 'Yes?' }], cut),
      judge: turnJudge(() => said),
    });
    expect(criterion.warnings).toEqual([limit]);
    expect(criterion.verdict).not.toBe('passed');
  });

  it.each<Ending>([{ by: 'user' }, { by: 'end-of-case' }])(
    'has no warning if it ended in another way: %j',
    async (ending) => {
      const { criterion } = await scoreLed({
        inference: conversation(turnsOf(2), ending),
        judge: turnJudge(() => true),
      });
      expect(criterion.warnings).toEqual([]);
    },
  );
});

describe('the material shown to the judge', () => {
  const turns: readonly Invocation[] = [
    {
      userContent: message('user', 'start'),
      finalResponse: message('model', 'Which lamp?'),
      intermediateData: {
        invocationEvents: [
          { author: 'helper', content: message('model', 'Let me see. Is it urgent?') },
          { author: 'helper', content: { parts: [{ functionCall: { name: 'find_lamp', args: { secret: 42 } } }] } },
        ],
      },
    },
    { userContent: message('user', 'The red one.'), finalResponse: message('model', 'It is mended.') },
  ];
  const happened = { ...conversation([]), invocations: turns };

  async function shown({
    scenario = {},
    options = {},
    compat = null,
  }: {
    readonly scenario?: Parameters<typeof ledCase>[0];
    readonly options?: Readonly<Record<string, unknown>>;
    readonly compat?: 'adk' | null;
  } = {}) {
    const judge = turnJudge(() => true);
    const { scores } = await scoreLed({ evalCase: ledCase(scenario), inference: happened, judge, options, compat });
    const texts = new Set(judge.requests.map(shownIn));
    const [turn = '', ending = '', ...others] = [...texts].sort(
      (a, b) => Number(a.includes(': end of the conversation]')) - Number(b.includes(': end of the conversation]')),
    );
    expect(others).toEqual([]);
    return { turn, ending, scores };
  }

  it('is the plan, the criteria, the earlier turns and the next message', async () => {
    const { turn, ending } = await shown();
    expect(turn).toContain('conversation plan]\nHave the lamp mended.\n');
    expect(turn).toContain('(persona: none)');
    for (const { name, description, violationRubrics } of defaultCriteria) {
      for (const text of [name, description, ...violationRubrics]) expect(turn).toContain(JSON.stringify(text));
    }
    expect(turn).toContain('earlier turns]\nTurn 1\nuser: start\nfinal answer: Which lamp?\n[end');
    expect(turn).toContain('new message of the user]\nThe red one.\n[end');
    expect(ending).toContain(
      'earlier turns]\nTurn 1\nuser: start\nfinal answer: Which lamp?\n\nTurn 2\nuser: The red one.\nfinal answer: It is mended.\n[end',
    );
    expect(ending).toContain(
      'end of the conversation]\nThe user writes nothing more and ends the conversation here.\n[end',
    );
  });

  it("excludes the judged turn's answer and tools", async () => {
    const { turn, ending } = await shown();
    expect(turn).not.toContain('It is mended.');
    for (const text of [turn, ending]) expect(text).not.toMatch(/find_lamp|secret|Is it urgent/);
  });

  it('includes a persona with its violation rubrics but without its instructions', async () => {
    for (const persona of builtInPersonas) {
      const { turn, ending } = await shown({ scenario: { userPersona: persona.id } });
      for (const text of [turn, ending]) {
        expect(text).toContain(`persona]\n${persona.description}\n[end`);
        for (const behaviour of persona.behaviors) {
          expect(text).toContain(JSON.stringify(behaviour.name));
          for (const violation of behaviour.violationRubrics) expect(text).toContain(JSON.stringify(violation));
          for (const instruction of behaviour.behaviorInstructions) expect(text).not.toContain(instruction);
        }
        for (const { name } of defaultCriteria.slice(0, 1)) expect(text).not.toContain(name);
      }
    }
  });

  it('includes the stop signal if a persona refers to it, and at the ending if it is set', async () => {
    const persona: UserPersona = {
      id: 'HASTY',
      description: 'Says {{ stop_signal }} soon.',
      behaviors: [
        {
          name: 'Brief',
          description: 'Writes {{stop_signal}}.',
          behaviorInstructions: [],
          violationRubrics: ['Does not write {{  stop_signal }} or {{ other }}.'],
        },
      ],
    };
    const plain = await shown({ scenario: { userPersona: persona } });
    expect(plain.turn).toContain('Says </finished> soon.');
    expect(plain.turn).toContain('"Does not write </finished> or {{ other }}."');
    expect(plain.ending).toContain('ends the conversation here.\n');
    const written = await shown({ scenario: { userPersona: persona }, options: { stop_signal: '$& BYE' } });
    expect(written.turn).toContain('"Writes $& BYE."');
    expect(written.ending).toContain('ends the conversation here, with the signal $& BYE.\n');
  });

  it('includes the default criteria for a persona without behaviors', async () => {
    const { turn } = await shown({
      scenario: { userPersona: { id: 'NOBODY', description: 'Nobody.', behaviors: [] } },
    });
    expect(turn).toContain('persona]\nNobody.\n');
    expect(turn).toContain('"Keeps to the plan"');
  });

  it('includes intermediate texts of agents if the option is set, except in compat mode', async () => {
    const options = { include_intermediate_responses_in_final: true };
    expect((await shown({ options })).turn).toContain('final answer: Let me see. Is it urgent?\n  Which lamp?\n');
    expect((await shown({ options, compat: 'adk' })).turn).toContain('final answer: Which lamp?\n[end');
  });
});

it('an unknown persona makes the turns that need it could-not-judge, with advice', async () => {
  const { scores } = await scoreLed({
    evalCase: ledCase({ userPersona: 'expert' }),
    inference: conversation(turnsOf(2)),
    judge: turnJudge(() => true),
  });
  expect(scores).toMatchObject([
    { value: 1 },
    { value: null, missing: 'could-not-judge', reason: expect.stringMatching(/no persona.*"expert".*EXPERT/) },
  ]);
});

it('a first message that was not recorded is could-not-judge', async () => {
  const happened = { ...conversation([]), invocations: [{ userContent: { parts: [] } }] };
  const good = await scoreLed({ inference: happened, judge: turnJudge(() => true), threshold: 0.5 });
  expect(good.scores).toMatchObject([
    { value: null, missing: 'could-not-judge', reason: expect.stringMatching(/first/) },
  ]);
  expect(good.criterion.verdict).toBe('not-evaluated');
  const bad = await scoreLed({ inference: happened, judge: turnJudge(() => false) });
  expect(bad.scores).toMatchObject([{ value: 0 }]);
});

it('a fixed conversation is rejected before the run', async () => {
  const work = scoreLed({
    evalCase: evalCase('fixed', turnsOf(1).map(invocation)),
    inference: conversation(turnsOf(1)),
    judge: turnJudge(() => true),
  });
  await expect(work).rejects.toThrow(/per_turn_user_simulator_quality_v1 applies to no case/);
});

it('the criterion is not applicable to a fixed conversation if called without core', async () => {
  const criterion = perTurnUserSimulatorQuality;
  if (criterion.scope !== 'turn') throw new Error('it is called once a turn');
  const happened = conversation(turnsOf(1));
  const turn = { index: 0, actual: happened.invocations[0] ?? { userContent: {} }, expected: null, rubrics: [] };
  const transcript = {
    unit: unit(evalCase('fixed', turnsOf(1).map(invocation))),
    inference: happened,
    turns: [turn],
    rubrics: [],
  };
  const read = criterion.options['~standard'].validate({});
  if (read.issues !== undefined) throw new Error('there are defaults');
  const score: Score = await criterion.evaluate(turn, { options: read.value, tools: testTools(), transcript });
  expect(score).toMatchObject({ value: null, missing: 'not-applicable' });
});

describe("the criterion's stop signal", () => {
  const check = (stopSignal: string | undefined, simulator: { name: string; options: unknown } | null) => {
    const read = perTurnUserSimulatorQuality.options['~standard'].validate({ stopSignal });
    if (read.issues !== undefined) throw new Error('it is a signal');
    return perTurnUserSimulatorQuality.check?.(read.value, {}, { simulator }) ?? [];
  };
  const simulated = (stopSignal?: unknown) => ({ name: 'llm_backed', options: { stopSignal } });

  it("must equal the simulator's, whether set or default", () => {
    expect(check('BYE', simulated('</finished>'))).toEqual([
      {
        code: 'INVALID_OPTION',
        message:
          'the simulated user ends conversations with "</finished>", but its criterion expects "BYE": write the same stop_signal in user_simulator_config, or remove it here',
      },
    ]);
    // Such a conversation would run to its turn limit, and pass.
    expect(check('BYE', simulated())).toEqual([
      expect.objectContaining({
        message: expect.stringContaining('ends conversations with "</finished>", the default, but'),
      }),
    ]);
    expect(check('</finished>', simulated())).toEqual([]);
  });

  it.each([
    ['both set the same', 'BYE', simulated('BYE')],
    ['only the simulator sets one', undefined, simulated('BYE')],
    ['neither sets one', undefined, simulated()],
    ['there is no simulator', 'BYE', null],
    ['the simulator is a custom one', 'BYE', { name: 'mine', options: { stopSignal: 'HALT' } }],
  ])('has no problems if %s', (_what, own, simulator) => {
    expect(check(own, simulator)).toEqual([]);
  });
});

it("a stop signal that differs from the simulator's is rejected before the run", () => {
  const resolve = (own: object, simulator: object) =>
    resolveEvalConfig({
      evalSet: evalSet([led]),
      config: {
        criteria: { [perTurnUserSimulatorQuality.name]: { threshold: 1, ...own } },
        user_simulator_config: { type: 'llm_backed', ...simulator },
      },
      registry: createRegistry([perTurnUserSimulatorQuality, llmBackedUserSimulator]),
      models: () => turnJudge(() => true),
    });
  expect(() => resolve({ stop_signal: 'BYE' }, { stop_signal: 'HALT' })).toThrow(
    /ends conversations with "HALT", but its criterion expects "BYE"/,
  );
  expect(resolve({ stop_signal: 'BYE' }, { stop_signal: 'BYE' }).criteria).toHaveLength(1);
  expect(() => resolve({ stop_signal: 'BYE' }, {})).toThrow(
    /"<\/finished>", the default, but its criterion expects "BYE"/,
  );
  expect(resolve({}, { stop_signal: 'HALT' }).criteria).toHaveLength(1);
});

describe('calls to the judge', () => {
  it('stop once the vote is decided, and are as many as in ADK in compat mode', async () => {
    const asked = async (compat: 'adk' | null, turns: number, first = 'start') => {
      const judge = turnJudge(() => true);
      const [, ...others] = turnsOf(turns);
      await scoreLed({ inference: conversation([{ user: first, answer: 'Yes?' }, ...others]), judge, compat });
      return judge.requests.length;
    };
    expect([await asked(null, 4), await asked('adk', 4)]).toEqual([12, 20]);
    expect([await asked(null, 1), await asked('adk', 1)]).toEqual([3, 5]);
    expect([await asked(null, 1, 'wrong'), await asked('adk', 1, 'wrong')]).toEqual([0, 5]);
  });

  it('are estimated as the samples for each turn except the first, plus those for the ending', () => {
    const read = perTurnUserSimulatorQuality.options['~standard'].validate({});
    if (read.issues !== undefined) throw new Error('there are defaults');
    const estimate = (turns: number, plan = 'Short.') =>
      perTurnUserSimulatorQuality.estimate?.(unit(ledCase({ conversationPlan: plan })), turns, read.value);
    expect(estimate(4)).toMatchObject({ min: 12, max: 20 });
    expect(estimate(1)).toMatchObject({ min: 3, max: 5 });
    const [short, long] = [estimate(4)?.tokens, estimate(4, 'A long plan. '.repeat(1000))?.tokens];
    expect(long?.min).toBeGreaterThan(short?.min ?? Number.NaN);
    const unknown = unit(ledCase({ userPersona: 'of somebody else' }));
    expect(perTurnUserSimulatorQuality.estimate?.(unknown, 4, read.value)).toMatchObject({ min: 12, max: 20 });
    expect(perTurnUserSimulatorQuality.models?.(read.value)).toEqual(['judge']);
  });

  it('respect the parallelism limit within one conversation', async () => {
    let [running, most] = [0, 0];
    const judge = turnJudge(() => true);
    const slow = {
      id: 'slow',
      async generate(...request: Parameters<typeof judge.generate>) {
        running += 1;
        most = Math.max(most, running);
        await new Promise((settle) => setTimeout(settle, 1));
        running -= 1;
        return judge.generate(...request);
      },
    };
    await scoreLed({
      inference: conversation(turnsOf(4)),
      judge: slow,
      options: { judge_model_options: { parallelism_limit: 2 } },
    });
    expect([most, judge.requests.length]).toEqual([2, 12]);
  });
});

it('an exhausted budget makes the last turn could-not-judge', async () => {
  for (const atTheEnd of [true, false]) {
    const judge = turnJudge(({ isEnding }) => {
      if (isEnding === atTheEnd) throw new CriteriaError({ code: 'BUDGET_SPENT', message: 'the budget is spent' });
      return true;
    });
    const { scores } = await scoreLed({ inference: conversation(turnsOf(2)), judge });
    expect(scores[1]).toMatchObject({ value: null, missing: 'could-not-judge', reason: 'the budget is spent' });
  }
});

it('in compat mode, one readable sample scores an ending, and only a 0 replaces the score of the turn', async () => {
  const last = async (ending: boolean, compat: 'adk' | null) => {
    const judge = turnJudge(({ isEnding, sample }) => (isEnding ? (sample === 4 ? ending : talks) : true));
    const { criterion } = await scoreLed({ inference: conversation(turnsOf(2)), judge, compat });
    return [criterion.turns[1]?.value, criterion.score, criterion.verdict];
  };
  expect(await last(false, 'adk')).toEqual([0, 0.5, 'not-evaluated']);
  expect(await last(true, 'adk')).toEqual([1, 1, 'not-evaluated']);
  expect(await last(false, null)).toEqual([null, 1, 'not-evaluated']);
});

it('the generation settings are passed to the judge, and can be checked before the run', async () => {
  const judge = turnJudge(() => true);
  const options = { judge_model_options: { judge_model_config: { temperature: 0.5, top_k: 3 } } };
  await scoreLed({ inference: conversation(turnsOf(1)), judge, options });
  expect(judge.requests[0]).toMatchObject({ temperature: 0.5, settings: { top_k: 3 } });
  const read = perTurnUserSimulatorQuality.options['~standard'].validate({
    judgeModelOptions: { judgeModelConfig: { temperature: 0.5 } },
  });
  if (read.issues !== undefined) throw new Error('they are settings');
  expect(perTurnUserSimulatorQuality.modelSettings?.(read.value)).toEqual({ temperature: 0.5 });
});

it('the criterion can be registered', () => {
  expect(createRegistry([perTurnUserSimulatorQuality]).get('criterion', 'per_turn_user_simulator_quality_v1')).toBe(
    perTurnUserSimulatorQuality,
  );
});
