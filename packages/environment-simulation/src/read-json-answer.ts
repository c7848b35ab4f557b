import type { ModelAnswer, State } from '@agent-criteria/core';
import { isObject, readText } from '@agent-criteria/judge/texts';

const LONGEST = 1_000_000;
const DEEPEST = 64;

/** The object in an answer, or the reason why it is unusable. */
export type JsonReading = { readonly value: State } | { readonly problem: string };

/**
 * Reads an answer that must be one JSON object, perhaps in a code fence. Nothing is repaired or picked from prose, because a tool's
 * response that is only nearly what the model meant would be made up.
 */
export function readJsonAnswer(answer: ModelAnswer): JsonReading {
  const answered = readText(answer);
  if ('problem' in answered) return answered;
  const { text } = answered;
  if (text.length > LONGEST) return { problem: 'the answer was too long to read' };
  const bare = unfenced(text.trim());
  let value: unknown;
  try {
    value = JSON.parse(bare);
  } catch (error) {
    return { problem: `the answer is not one JSON object: ${(error as Error).message}` };
  }
  if (!isObject(value)) return { problem: 'the answer is JSON, but no object' };
  const wrong = mistakeIn(value);
  return wrong === null ? { value: value as State } : { problem: `the answer ${wrong}` };
}

function unfenced(text: string): string {
  return /^```[a-z0-9]*[ \t]*\r?\n([\s\S]*)\n[ \t]*```$/i.exec(text)?.[1]?.trim() ?? text;
}

function mistakeIn(value: unknown): string | null {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return 'is nested too deeply';
    const objects = level.filter((one): one is object => typeof one === 'object' && one !== null);
    if (objects.some((one) => Object.hasOwn(one, '__proto__'))) return 'has a key "__proto__"';
    level = objects.flatMap((one) => Object.values(one));
  }
  return null;
}
