export {
  defineEvalConfig,
  defineEvalSet,
  type EvalConfigInput,
  type EvalSetSource,
  evalCase,
  message,
  scenario,
  turn,
} from '@agent-criteria/core/eval-set';
export {
  type AgentSource,
  defineConfig,
  type EvaluateAgentOptions,
  type EvaluateOptions,
  evaluate,
  evaluateAgent,
  type ProjectConfig,
} from '@agent-criteria/project';
export {
  type AgentVariants,
  type DescribeEvalSetOptions,
  describeEvalSet,
} from './describe-eval-set.ts';
export type { EvalSetFiles } from './eval-set-files.ts';
export type * from './matcher-types.ts';
export type { AgentMatchers, PassCriterionOptions } from './matchers.ts';
export { type RunAgentOptions, runAgent } from './run-agent.ts';
export type { EvalCaseMeta } from './task-meta.ts';
