export { finalStateChecks } from './final-state-checks.ts';
export { maxTurnCost } from './max-turn-cost.ts';
export { maxTurnSeconds } from './max-turn-seconds.ts';
export { maxTurnTokens } from './max-turn-tokens.ts';
export { pathChecks } from './path-checks.ts';
export { responseChecks } from './response-checks.ts';
export { toolChecks } from './tool-checks.ts';
