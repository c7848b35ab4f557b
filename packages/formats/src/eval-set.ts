export type { CaseDetails } from './eval-set/builders.ts';
export { defineEvalSet, type ExpectedReply, evalCase, message, scenario, turn } from './eval-set/builders.ts';
export type { EvalSetInput, EvalSetSource } from './eval-set/eval-set-source.ts';
