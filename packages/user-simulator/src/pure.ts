export { defineUserSimulator } from './define-user-simulator.ts';
export { llmBackedUserSimulator } from './llm-backed-user-simulator.ts';
export type { LlmBackedUserSimulatorCriterion } from './per-turn-options.ts';
export { perTurnUserSimulatorQuality } from './per-turn-user-simulator-quality.ts';
export { builtInPersonas, findPersona } from './personas.ts';
export { scriptedUser } from './scripted-user.ts';
