import type { State } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';

export type ParsedState =
  | { readonly state: State; readonly problem?: undefined }
  | { readonly state: null; readonly problem: string };

/** Parses a state; empty text is an empty state. */
export function parseState(text: string): ParsedState {
  if (text.trim() === '') return { state: {} };
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { state: value as State } : { state: null, problem: 'Write an object: { … }.' };
  } catch (error) {
    return { state: null, problem: `This is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}
