export {
  contentText,
  intermediateTexts,
  isInvocationEvents,
  saysSomething,
  type ToolStep,
  toolCalls,
  toolResponses,
  toolSteps,
} from './accessors.ts';
export type * from './content.ts';
export type * from './eval-config.ts';
export type * from './eval-result.ts';
export type * from './eval-set.ts';
export { type InitialSession, type MigrateOptions, migrateEvalData, type OldFormat } from './migrate.ts';
export {
  type Parsed,
  type ParseOptions,
  parseConversationGenerationConfig,
  parseConversationScenarios,
  parseEvalConfig,
  parseEvalSet,
  parseEvalSetResult,
  parseInvocation,
  parseSessionInput,
  writeConversationGenerationConfig,
  writeConversationScenarios,
  writeEvalConfig,
  writeEvalSet,
  writeEvalSetResult,
  writeSessionInput,
} from './parse.ts';
export { pythonTransfer } from './python-transfer.ts';
export { type EvalData, readEvalData } from './read-eval-data.ts';
export type { Rubric, RubricScore } from './rubric.ts';
export type * from './tool-simulation.ts';
