export { defineEvalSet, type EvalSetSource, evalCase, message, scenario, turn } from '@agent-criteria/formats/eval-set';
export {
  type ConfigPlugins,
  type DefinedEvalConfig,
  defineEvalConfig,
  type EvalConfigInput,
  type EvalConfigSource,
} from '../resolve/define-eval-config.ts';
