import type { CaseVersion } from '../../api.ts';
import type { Draft } from './case-draft.ts';

/** Unsaved drafts by case address, each with the version of the case that was opened. Kept until the page is closed. */
export const drafts = new Map<string, { readonly saved: CaseVersion; readonly draft: Draft }>();

/** Whether a case, named by its address, has edits that are not saved. */
export function hasUnsavedEdits(address: string): boolean {
  return drafts.has(address);
}

/** Asks for confirmation before the page is closed with unsaved drafts. */
addEventListener('beforeunload', (event) => {
  if (drafts.size > 0) event.preventDefault();
});
