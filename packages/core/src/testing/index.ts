export { evalCase, message } from '@agent-criteria/formats/eval-set';
export { type AgentExamples, agentChecks } from './agent-checks.ts';
export { evalSet, inference, invocation, states, type TurnInput, unit } from './builders.ts';
export type { ConformanceOptions, CriterionExample } from './example.ts';
export { type ScriptedModel, type ScriptedReply, scriptedModel } from './scripted-model.ts';
export { testCriterion } from './test-criterion.ts';
export { testTools } from './test-tools.ts';
