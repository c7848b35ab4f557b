import { isObject } from '@agent-criteria/formats';
import { responseOf } from '@agent-criteria/formats/messages';
import { jsonIn } from '../json-in.ts';

/** Converts the answer of a tool to an object, as ADK records it: the JSON object in a text, else the value as `result`. */
export function toolAnswer(answer: unknown): Readonly<Record<string, unknown>> {
  return (typeof answer === 'string' ? objectIn(answer) : null) ?? responseOf(answer ?? null);
}

/** Writes the answer of a tool as a text, from which `toolAnswer` makes the same object again. */
export function toolAnswerText(response: Readonly<Record<string, unknown>>): string {
  const { result, ...others } = response;
  const isBare = typeof result === 'string' && Object.keys(others).length === 0;
  return isBare && objectIn(result) === null ? result : JSON.stringify(response);
}

function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  const value = jsonIn(text);
  return isObject(value) ? value : null;
}
