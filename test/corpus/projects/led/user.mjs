const noOptions = {
  '~standard': { version: 1, vendor: 'corpus', validate: (value) => ({ value }) },
  jsonSchema: { type: 'object' },
};
const origin = { package: 'corpus-user', version: '1.0.0' };

/** A user without a model: it leaves by itself when it was to leave, or after two messages. */
export const brief = {
  kind: 'user-simulator',
  specVersion: 1,
  name: 'brief',
  origin,
  options: noOptions,
  open: ({ scenario }) => ({
    async next(soFar) {
      if (soFar.length === 0) return { message: { role: 'user', parts: [{ text: scenario.startingPrompt }] } };
      if (scenario.conversationPlan.startsWith('Leave'))
        return { ending: { by: 'user', reason: 'it wanted to leave' } };
      if (soFar.length >= 2) return { ending: { by: 'turn-limit', reason: 'two are enough' } };
      return { message: { role: 'user', parts: [{ text: `and number ${soFar.length + 1}` }] } };
    },
  }),
};

/** Always content. */
export const calm = {
  kind: 'criterion',
  specVersion: 3,
  name: 'calm',
  origin,
  description: 'Calm.',
  decides: true,
  range: { min: 0, max: 1, better: 'higher' },
  options: noOptions,
  scope: 'turn',
  evaluate: () => ({ value: 1, reason: 'calm' }),
};
