import { contentText, type Part } from '@agent-criteria/core';
import { parseInvocation } from '@agent-criteria/formats/parse';
import { answerText } from '@agent-criteria/judge';
import { areaDriver, type Driver, functionDriver } from '../driver.ts';

// The text of a message or an answer.

interface Parts {
  readonly parts: readonly unknown[] | null;
}

/** Returns the text of parts written as in a file. */
function textsOf({ parts }: Parts): { readonly compat: string; readonly ours: string } {
  const { value } = parseInvocation({ user_content: { parts } });
  const { userContent } = value;
  return { compat: contentText(userContent, { thoughts: true }), ours: contentText(userContent) };
}

function hold({ parts }: Parts, text: string | null) {
  const found = textsOf({ parts });
  // Python distinguishes no parts (None) from parts without a text (""); for every criterion, both mean no text.
  const adk = text ?? '';
  const thoughts = (parts as readonly Part[] | null)?.some(({ thought }) => thought === true);
  if (thoughts !== true) return { adk, ...found };
  const spoken = (parts as readonly Part[]).filter(({ thought }) => thought !== true).map((part) => part.text);
  return { adk, ...found, lines: ['thoughts'], expected: spoken.join('\n') };
}

interface Answer {
  readonly intermediateTexts: readonly string[];
  readonly finalText: string;
  readonly includeIntermediateResponsesInFinal: boolean;
}

export const textDrivers: readonly Driver[] = [
  functionDriver<Parts, string | null>('llm_as_judge_utils.get_text_from_content', ({ input, output }) =>
    hold(input, output),
  ),
  areaDriver<Parts, string>('text.fromContent', ({ input, expected }) => hold(input, expected)),
  areaDriver<Answer, string>('text.fromInvocation', ({ input, expected }) => {
    const events = input.intermediateTexts.map((text) => ({ author: 'desk', content: { parts: [{ text }] } }));
    const answered = {
      userContent: { parts: [{ text: 'Which room?' }] },
      finalResponse: { parts: [{ text: input.finalText }] },
      intermediateData: { invocationEvents: events },
    };
    return { adk: expected, ours: answerText(answered, input.includeIntermediateResponsesInFinal) };
  }),
];
