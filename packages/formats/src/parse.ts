export { commandWord } from './command-word.ts';
export {
  CALLS_NOT_STATED_KEYS,
  HISTORY_KEY,
  historyLength,
  mistakesInTurnMarks,
  statesNoCalls,
  turnsWithoutStatedCalls,
} from './data/case-keys.ts';
export { isAgentsCliDataset, migrateCommand } from './data/file-kind.ts';
export { modelSchema } from './data/model-schema.ts';
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
  writeConversationScenarios,
  writeEvalConfig,
  writeEvalSet,
  writeEvalSetResult,
} from './data/parse.ts';
