export { type ModelCall, modelCalls, modelEvents } from './data/model-calls.ts';
export { sumTokens, type Tokens } from './data/tokens.ts';
