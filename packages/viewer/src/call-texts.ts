import type { RunCase, RunRecord } from '@agent-criteria/results';
import type { CallTexts, PageCase } from './page-data.ts';

/** A run with recorded prompts and answers. */
export interface RunWithTexts extends RunRecord {
  /** Returns the text with a hash, as JSON. May throw if it is missing. */
  text?(hash: string): string;
}

/** Limits in characters, which keep the page small enough for a browser. */
const LONGEST_TEXT = 200_000;
const MOST_TEXT = 20_000_000;

/** Returns a function that adds the texts of calls to cases, until the page is full. */
export function withCallTexts(run: RunWithTexts): (one: RunCase) => PageCase {
  let left = MOST_TEXT;
  return (one) => {
    if (run.text === undefined || one.calls === undefined) return one;
    const known = new Map<string, number>();
    const places = new Map<string, number>();
    const add = (hash: string, text: string | null): void => {
      if (text === null || text.length > LONGEST_TEXT) return;
      let place = known.get(text);
      if (place === undefined) {
        if (text.length > left) return;
        left -= text.length;
        place = known.size;
        known.set(text, place);
      }
      places.set(hash, place);
    };
    for (const { request, answer } of one.calls) {
      add(request, sampleless(textOf(run, request)));
      if (answer !== undefined) add(answer, textOf(run, answer));
    }
    const callTexts: CallTexts = { texts: [...known.keys()], places: [...places] };
    return places.size === 0 ? one : { ...one, callTexts };
  };
}

function textOf(run: RunWithTexts, hash: string): string | null {
  try {
    return run.text?.(hash) ?? null;
  } catch {
    // The page is useful even without this text.
    return null;
  }
}

/** Removes the sample number, because all samples of a vote have the same prompt. */
function sampleless(request: string | null): string | null {
  if (request === null) return null;
  try {
    const value: unknown = JSON.parse(request);
    if (typeof value !== 'object' || value === null || !('sample' in value)) return request;
    const { sample: _sample, ...rest } = value;
    return JSON.stringify(rest);
  } catch {
    return request;
  }
}
