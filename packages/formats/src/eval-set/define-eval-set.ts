import type { EvalSetInput } from './eval-set-source.ts';

/**
 * Returns the eval set as it is: for completion and checks by the compiler.
 *
 * ```ts
 * const evalSet = defineEvalSet({
 *   evalSetId: 'home',
 *   evalCases: [evalCase('kitchen', [turn('How warm is it?', { answer: 'The kitchen is at 21 °C.' })])],
 * });
 * ```
 */
export function defineEvalSet(evalSet: EvalSetInput): EvalSetInput {
  return evalSet;
}
