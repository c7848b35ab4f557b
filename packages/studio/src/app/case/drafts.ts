import type { CaseVersion } from '../../api.ts';
import type { Draft } from './case-draft.ts';

/** A case that is edited: as it was opened, and as it is now. */
export interface OpenDraft {
  readonly saved: CaseVersion;
  readonly draft: Draft;
}

/** What was edited and not saved, by the path of its case, as long as the page is open: another view can be looked at meanwhile. */
const drafts = new Map<string, OpenDraft>();

export function keepDraft(at: string, open: OpenDraft | null): void {
  if (open === null) drafts.delete(at);
  else drafts.set(at, open);
}

export function keptDraft(at: string): OpenDraft | undefined {
  return drafts.get(at);
}

export function hasDrafts(): boolean {
  return drafts.size > 0;
}

/** Asks before the page is left while something is not saved. */
addEventListener('beforeunload', (event) => {
  if (hasDrafts()) event.preventDefault();
});
