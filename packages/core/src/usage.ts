// What was reported of calls to models, for criteria and telemetry that measure.

export { type ModelCall, modelCalls, modelEvents } from './data/model-calls.ts';
export { sumTokens, type Tokens } from './data/tokens.ts';
