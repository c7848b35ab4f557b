export type { CaseDetails } from './eval-set/case-details.ts';
export { defineEvalSet } from './eval-set/define-eval-set.ts';
export { evalCase } from './eval-set/eval-case.ts';
export type { EvalSetInput, EvalSetSource } from './eval-set/eval-set-source.ts';
export { scenario } from './eval-set/scenario.ts';
export { type ExpectedReply, message, turn } from './eval-set/turn.ts';
