export { defineUserSimulator, type UserSimulatorDefinition } from './define-user-simulator.ts';
export { llmBackedUserSimulator } from './llm-backed-user-simulator.ts';
export type {
  LlmBackedUserSimulatorCriterion,
  PerTurnUserSimulatorQualityOptions,
} from './per-turn-options.ts';
export { perTurnUserSimulatorQuality } from './per-turn-user-simulator-quality.ts';
export { builtInPersonas, findPersona } from './personas.ts';
export {
  type ScriptedReply,
  type ScriptedTurn,
  type ScriptedUserOptions,
  scriptedUser,
  type UserScript,
} from './scripted-user.ts';
export type { LlmBackedUserSimulatorInput, LlmBackedUserSimulatorOptions } from './simulator-options.ts';
export { DEFAULT_STOP_SIGNAL } from './stop-signal.ts';
