// What an agent reports of its calls to models, for criteria that measure.

export { type ModelCall, modelCalls, modelEvents } from './data/model-calls.ts';
export { sumTokens, type Tokens } from './data/tokens.ts';
