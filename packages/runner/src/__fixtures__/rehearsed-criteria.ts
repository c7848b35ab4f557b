import {
  type Criterion,
  contentText,
  decide,
  defineCriterion,
  type Json,
  noOptions,
  optionsSchema,
  type Score,
  toolCalls,
  type UserMove,
  type UserSimulator,
} from '@agent-criteria/core';

// Criteria and collaborators of about ten lines each. One that cannot be this short points to a flaw in the contract.

const origin = { package: 'rehearsal', version: '1.0.0' };
const unitRange = { min: 0, max: 1, better: 'higher' } as const;

/** A judge that takes a vote. An unreadable sample does not count as an opinion. */
export const politeness = defineCriterion({
  name: 'politeness',
  origin,
  description: 'The answer is polite, by a vote of three.',
  decides: true,
  range: unitRange,
  options: noOptions,
  models: () => ['judge'],
  scope: 'turn',
  async evaluate(turn, { tools }): Promise<Score> {
    const ballot = { positive: 0, negative: 0, unreadable: 0 };
    for (let sample = 0; sample < 3; sample++) {
      const request = { messages: [turn.actual.finalResponse ?? {}], sample };
      const { text, finish } = await tools.model('judge').generate(request, tools.signal);
      ballot[
        finish === 'stop' && text === 'yes'
          ? 'positive'
          : finish === 'stop' && text === 'no'
            ? 'negative'
            : 'unreadable'
      ] += 1;
    }
    const outcome = decide(3, ballot);
    const evidence = [{ kind: 'vote', ...ballot, of: 3 } as const];
    if (outcome === 'could-not-judge' || outcome === 'undecided') {
      return {
        value: null,
        missing: 'could-not-judge',
        reason: `${ballot.unreadable} of 3 samples were unreadable`,
        evidence,
      };
    }
    return { value: outcome === 'positive' ? 1 : 0, reason: `the vote was ${outcome}`, evidence };
  },
});

/** Judges the case's rubrics over a simulated conversation. */
export const conversationRubrics = defineCriterion({
  name: 'conversation_rubrics',
  origin,
  description: 'The conversation has the words that its rubrics name.',
  decides: true,
  range: unitRange,
  needs: { scenario: true, rubrics: { type: 'WORDS' } },
  options: noOptions,
  scope: 'conversation',
  evaluate(transcript): Score {
    const said = transcript.turns.map((turn) => contentText(turn.actual.finalResponse)).join(' ');
    return {
      parts: transcript.rubrics.map(({ rubricId, rubricContent }) => {
        const text = rubricContent.textProperty ?? '';
        return {
          id: rubricId,
          kind: 'rubric',
          text,
          value: said.includes(text) ? 1 : 0,
          reason: `looked for "${text}"`,
        };
      }),
    };
  },
});

/** Gives one score for a whole conversation. */
export const brevity = defineCriterion({
  name: 'brevity',
  origin,
  description: 'The conversation takes few turns.',
  decides: true,
  range: unitRange,
  options: noOptions,
  scope: 'conversation',
  evaluate: (transcript) => ({ value: 1 / transcript.turns.length, reason: `${transcript.turns.length} turns` }),
});

/** Compares the session state after the last turn with the expected state. */
export const finalState = defineCriterion({
  name: 'final_state',
  origin,
  description: 'The session ends in the expected state.',
  decides: true,
  range: unitRange,
  needs: { finalState: true },
  options: noOptions,
  scope: 'conversation',
  evaluate({ unit, inference }): Score {
    const { final } = inference.state;
    if (final === null) return { value: null, missing: 'could-not-judge', reason: 'the agent cannot tell its state' };
    const wrong = Object.entries(unit.case.finalSessionState ?? {}).find(([key, value]) => final[key] !== value);
    if (wrong === undefined) return { value: 1 };
    const [key, expected = null] = wrong;
    const actual: Json = final[key] ?? null;
    return { value: 0, reason: `${key} differs`, evidence: [{ kind: 'diff', expected, actual, path: `$.${key}` }] };
  },
});

/** A count that is measured but does not decide. */
export const toolCallCount = defineCriterion({
  name: 'tool_calls',
  origin,
  description: 'How many tools the agent called in a turn.',
  decides: false,
  range: { min: 0, max: null, better: 'lower' },
  options: noOptions,
  scope: 'turn',
  evaluate: (turn) => ({ value: toolCalls(turn.actual).length }),
});

/** A criterion for which lower is better, with no upper bound. */
export const wordiness = defineCriterion({
  name: 'wordiness',
  origin,
  description: 'The answers have few words.',
  decides: true,
  range: { min: 0, max: null, better: 'lower' },
  options: noOptions,
  scope: 'turn',
  evaluate(turn): Score {
    const words = contentText(turn.actual.finalResponse).split(/\s+/).filter(Boolean).length;
    return words === 0 ? { value: null, missing: 'could-not-judge', reason: 'no answer to count' } : { value: words };
  },
});

/** A paid service behind `tools.call`. A missing variable is detected before the run. */
export const toxicity = defineCriterion<'toxicity', { key?: string }, { key: string }, true>({
  name: 'toxicity',
  origin,
  description: 'The answer is not toxic, says a service.',
  decides: true,
  range: { min: 0, max: 1, better: 'lower' },
  options: optionsSchema(
    {
      '~standard': {
        version: 1,
        vendor: 'rehearsal',
        validate: (value) => ({ value: { key: 'TOXICITY_KEY', ...(value as { key?: string }) } }),
      },
    },
    { type: 'object', properties: { key: { type: 'string' } } },
  ),
  check: ({ key }, environment) =>
    environment[key] ? [] : [{ code: 'MISSING_ENVIRONMENT', message: `set ${key} to a key of the toxicity service` }],
  estimate: (_unit, turns) => ({ min: turns, max: turns }),
  scope: 'turn',
  async evaluate(turn, { tools }): Promise<Score> {
    const request = { text: contentText(turn.actual.finalResponse) };
    const { answer } = await tools.call({ service: 'toxicity', request }, async ({ text }) => ({
      score: text.includes('fool') ? 0.9 : 0.1,
    }));
    return { value: answer.score };
  },
});

/** A simulated user that keeps asking until it reaches a limit. */
export const persistentUser: UserSimulator<'persistent', { limit?: number }, { limit: number }> = {
  kind: 'user-simulator',
  specVersion: 1,
  name: 'persistent',
  origin,
  options: optionsSchema<{ limit?: number }, { limit: number }>(
    {
      '~standard': {
        version: 1,
        vendor: 'rehearsal',
        validate: (value) => ({ value: { limit: 2, ...(value as { limit?: number }) } }),
      },
    },
    { type: 'object', properties: { limit: { type: 'integer' } } },
  ),
  open: ({ scenario }, { limit }) => ({
    async next(soFar): Promise<UserMove> {
      if (soFar.length >= limit) return { ending: { by: 'turn-limit', reason: `after ${limit} turns` } };
      const text = soFar.length === 0 ? scenario.startingPrompt : 'And then?';
      return { message: { role: 'user', parts: [{ text }] } };
    },
  }),
};

export const rehearsed: readonly Criterion[] = [
  politeness,
  conversationRubrics,
  brevity,
  finalState,
  toolCallCount,
  wordiness,
  toxicity,
];
