import type { Json } from '@agent-criteria/core';
import { isHtml, wordsOf } from './service-failure.ts';

/** @throws an error that says what came instead of JSON. Half an answer is a passing failure, a page of HTML is none. */
export function readAnswer(text: string): Json {
  if (isHtml(text)) throw new Error(`the answer is no JSON but ${wordsOf(text)}`);
  return JSON.parse(text);
}
