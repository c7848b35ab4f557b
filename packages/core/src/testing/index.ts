export { message } from '@agent-criteria/formats/eval-set';
export { evalCase, evalSet, inference, invocation, states, type TurnInput, unit } from './builders.ts';
export { type ScriptedModel, type ScriptedReply, scriptedModel } from './scripted-model.ts';
export { type ConformanceOptions, type CriterionExample, testCriterion } from './test-criterion.ts';
export { testTools } from './test-tools.ts';
