import type { EvalCase, Invocation, ShortTurn } from '../data/model.ts';
import { type CaseDetails, withTags } from './case-details.ts';
import { turn } from './turn.ts';

/** A case with a fixed conversation: `evalCase('kitchen', [turn('How warm is it?', { answer: '21 °C' })])`. */
export function evalCase(evalId: string, turns: readonly (Invocation | ShortTurn)[], more: CaseDetails = {}): EvalCase {
  const conversation = turns.map((one) => ('userContent' in one ? one : fullTurn(one)));
  return { evalId, conversation, ...withTags(more) };
}

function fullTurn({ user, ...reply }: ShortTurn): Invocation {
  return turn(user, reply);
}
