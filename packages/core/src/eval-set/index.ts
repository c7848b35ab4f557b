export type * from '../data/written.ts';
export type { WrittenCaseKeys } from '../data/written-case-keys.ts';
export {
  type ConfigPlugins,
  type DefinedEvalConfig,
  defineEvalConfig,
  type EvalConfigInput,
  type EvalConfigSource,
} from '../resolve/define-eval-config.ts';
export type { CaseDetails } from './case-details.ts';
export { defineEvalSet } from './define-eval-set.ts';
export { evalCase } from './eval-case.ts';
export type { EvalSetSource } from './eval-set-source.ts';
export { scenario } from './scenario.ts';
export { type ExpectedReply, message, turn } from './turn.ts';
