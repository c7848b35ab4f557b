import type { RunCase, RunRecord } from '@agent-criteria/results';
import type { CallTexts, PageCase } from './page-data.ts';

/** A run that may have kept what its calls asked and were answered, as the folder of a run does. */
export interface RunWithTexts extends RunRecord {
  /** The text behind the hash of a request or an answer, as JSON. May throw where it is missing. */
  text?(hash: string): string;
}

/** Characters of one text, and of all that travel in a page: it has to open in a browser. */
const LONGEST_TEXT = 200_000;
const MOST_TEXT = 20_000_000;

/** Adds to cases, one after the other, the texts of their calls, as long as a page has room for them. */
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
    // A page without it is better than none.
    return null;
  }
}

/** All samples of a vote ask the same. */
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
