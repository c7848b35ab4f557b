export { agentFromFunction } from './agent-from-function.ts';
export { type AgentInput, agentFromValue } from './agent-input.ts';
export { type EvaluateOptions, type Evaluation, evaluate } from './evaluate.ts';
export type { RunEvent, RunWatcher } from './events.ts';
export { type GenerateOptions, generate, type UnitInference } from './generate.ts';
export { type ScoreOptions, score } from './score.ts';
export { selectCases } from './select-cases.ts';
