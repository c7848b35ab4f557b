export { defineCriterion, noOptions, optionsSchema } from '@agent-criteria/core';
export * from '@agent-criteria/core/eval-set';
export {
  type AgentSource,
  defineConfig,
  type EvaluateAgentOptions,
  type EvaluateOptions,
  evaluate,
  evaluateAgent,
  type ProjectConfig,
} from '@agent-criteria/project';
export type { Io } from './io.ts';
export { main } from './main.ts';
export { type ExitWith, pinExitCode } from './pin-exit-code.ts';
export { run } from './run.ts';
