export { finalResponseMatch } from './final-response-match.ts';
export { finalResponseQuality } from './final-response-quality.ts';
export { harmlessness } from './harmlessness.ts';
export type { HarmlessnessCriterion } from './harmlessness-options.ts';
export { rubricBasedMultiTurnTrajectoryQuality } from './multi-turn-trajectory-quality.ts';
export type { LlmAsAJudgeCriterion, RubricsBasedCriterion } from './options.ts';
export { toolUseQuality } from './tool-use-quality.ts';
