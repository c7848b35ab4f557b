import type { EvalCase, Invocation } from '../data/model.ts';
import { type CaseDetails, withTags } from './case-details.ts';

/** A case with a fixed conversation: `evalCase('kitchen', [turn('How warm is it?', { answer: '21 °C' })])`. */
export function evalCase(evalId: string, turns: readonly Invocation[], more: CaseDetails = {}): EvalCase {
  return { evalId, conversation: [...turns], ...withTags(more) };
}
