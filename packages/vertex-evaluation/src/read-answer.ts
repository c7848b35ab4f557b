import { isHtml, pageInWords } from '@agent-criteria/calls';
import type { Json } from '@agent-criteria/core';
import { isDeep } from './service-failure.ts';

/** @throws an error that says what came instead of JSON. Half an answer is a passing failure, a page of HTML is none. */
export function readAnswer(text: string): Json {
  if (isHtml(text)) throw new Error(`the answer is not JSON but ${pageInWords(text)}`);
  const answer: Json = JSON.parse(text);
  if (isDeep(answer)) throw new Error('the answer is nested more deeply than any answer of the service');
  if (answer === null) throw new Error('the answer is null');
  return answer;
}

/**
 * What a transport of somebody's own gave, as caches and recordings can keep it.
 *
 * @throws an error for what is no JSON: of a transport that forgets to return its answer, or returns it unread.
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
