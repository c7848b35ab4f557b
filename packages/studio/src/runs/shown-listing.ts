import { type ShownOutcome, shownOutcome } from '@agent-criteria/results/text';
import type { RunListing } from '@agent-criteria/runner';

/** The outcome of a run of a list; `null`: it was not judged. */
export function shownListing({ summary, outcome, variants }: RunListing): ShownOutcome | null {
  if (summary === null || outcome === null) return null;
  return shownOutcome({ summary, outcome, info: { variants } });
}
