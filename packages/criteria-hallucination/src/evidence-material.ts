import type { Transcript, Turn } from '@agent-criteria/core';
import { type Material, messageText } from '@agent-criteria/judge';
import { dialogueText, eventsText, groundingText, instructionsText, toolsText } from '@agent-criteria/judge/texts';
import type { Step } from './steps.ts';

/**
 * Collects the context in which an agent wrote a text. With `'adk'`, the context is limited to this turn, as in ADK.
 */
export function evidenceMaterial(
  step: Step,
  turn: Pick<Turn, 'index' | 'actual'>,
  transcript: Pick<Transcript, 'turns'>,
  compat: 'adk' | null,
): readonly Material[] {
  const earlier = compat === 'adk' ? [] : transcript.turns.slice(0, turn.index).map(({ actual }) => actual);
  const known = [...earlier, turn.actual];
  const earlierGrounding = earlier.map((invocation, index) => {
    const grounding = groundingText(invocation);
    return grounding === '' ? [] : [`Turn ${index + 1}\n${grounding}`];
  });
  return [
    { name: "the developers' instructions", text: instructionsText(known) },
    { name: 'the tools, as JSON', text: toolsText(known) },
    ...(compat === 'adk'
      ? []
      : [
          { name: 'the earlier turns', text: dialogueText(earlier) },
          { name: 'the grounding of the earlier turns, as JSON', text: earlierGrounding.flat().join('\n\n') },
        ]),
    { name: "the user's message", text: messageText(turn.actual.userContent) },
    { name: 'what happened after it, step by step', text: eventsText(step.seen) },
    { name: 'the grounding, as JSON', text: groundingText(step.grounded) },
  ];
}
