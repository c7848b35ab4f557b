import type { WrittenEvalSet } from '../data/written.ts';

/**
 * An eval set in TypeScript, completed and checked by the compiler: keys as TypeScript has them or as ADK's files do.
 * Gives back what it is given.
 *
 * ```ts
 * const evalSet = defineEvalSet({
 *   evalSetId: 'home',
 *   evalCases: [evalCase('kitchen', [turn('How warm is it?', { answer: 'The kitchen is at 21 °C.' })])],
 * });
 * ```
 */
export function defineEvalSet(evalSet: WrittenEvalSet): WrittenEvalSet {
  return evalSet;
}
