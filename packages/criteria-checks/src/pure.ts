export { type FinalStateChecks, finalStateChecks } from './final-state-checks.ts';
export { maxTurnCost, type Price, type TurnCost } from './max-turn-cost.ts';
export { maxTurnSeconds } from './max-turn-seconds.ts';
export { maxTurnTokens } from './max-turn-tokens.ts';
export { type ResponseChecks, responseChecks } from './response-checks.ts';
export type { TextChecks } from './text-checks.ts';
export { type ToolChecks, toolChecks } from './tool-checks.ts';
