import { isHtml, pageInWords } from '@agent-criteria/calls';
import type { Json } from '@agent-criteria/core';
import { isDeep } from './service-failure.ts';

/**
 * Parses an answer.
 * @throws an error that describes an answer that is not JSON. Half an answer is a temporary failure; an HTML page is
 * not.
 */
export function readAnswer(text: string): Json {
  if (isHtml(text)) throw new Error(`the answer is not JSON but ${pageInWords(text)}`);
  const answer: Json = JSON.parse(text);
  if (isDeep(answer)) throw new Error('the answer is nested more deeply than any answer of the service');
  if (answer === null) throw new Error('the answer is null');
  return answer;
}

/**
 * Converts the answer of a custom transport to JSON that caches and recordings can store.
 * @throws an error if it is not JSON, for example if the transport returns nothing, or an unread response.
 */
export function givenAnswer(answer: unknown): Json {
  if (answer instanceof Response)
    throw new Error('your transport returned a Response: return the result of its json()');
  if (typeof answer !== 'object' || answer === null) {
    const what = answer === null ? 'null' : typeof answer;
    throw new Error(`your transport returned ${what}: return the object that the service answered`);
  }
  if (isDeep(answer)) throw new Error('your transport returned something that is not JSON, or nested too deeply');
  return JSON.parse(JSON.stringify(answer));
}
