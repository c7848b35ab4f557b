import { type Content, contentText, couldNotJudge, type Score } from '@agent-criteria/core';

/**
 * Scores a first message: 1 if it is the starting prompt, letter for letter apart from surrounding white space, else 0.
 * A message without parts was not recorded, so it is could-not-judge.
 */
export function scoreFirstMessage(message: Content, startingPrompt: string): Score {
  if ((message.parts ?? []).length === 0) {
    return couldNotJudge("the user's first message was not recorded");
  }
  const [expected, actual] = [strip(startingPrompt), strip(contentText(message))];
  if (actual === expected) return { value: 1, reason: 'the first message is the starting prompt' };
  return {
    value: 0,
    reason: 'the first message is not the starting prompt',
    evidence: [{ kind: 'diff', expected, actual }],
  };
}

/** Trims white space as Python defines it, in linear time. */
function strip(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isSpace(text[start] ?? '')) start += 1;
  while (start < end && isSpace(text[end - 1] ?? '')) end -= 1;
  return text.slice(start, end);
}

/**
 * Characters that are white space in Python but not in JavaScript. The byte order mark is white space only in
 * JavaScript.
 */
const MORE_SPACES = '\u001c\u001d\u001e\u001f\u0085';

function isSpace(character: string): boolean {
  return (/\s/.test(character) && character !== '\ufeff') || MORE_SPACES.includes(character);
}
