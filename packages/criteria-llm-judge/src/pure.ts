export { finalResponseMatch } from './final-response-match.ts';
export { finalResponseQuality } from './final-response-quality.ts';
export { multiTurnTrajectoryQuality } from './multi-turn-trajectory-quality.ts';
export type {
  FinalResponseMatchOptions,
  FinalResponseQualityOptions,
  LlmAsAJudgeCriterion,
  RubricInput,
  RubricQualityInput,
  RubricQualityOptions,
  RubricsBasedCriterion,
} from './options.ts';
export { toolUseQuality } from './tool-use-quality.ts';
