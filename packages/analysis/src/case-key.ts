export interface CaseName {
  readonly setId: string;
  readonly caseId: string;
}

/** Returns a key that identifies a case across all sets. */
export function caseKey({ setId, caseId }: CaseName): string {
  return JSON.stringify([setId, caseId]);
}

/** Returns the key shared by the cases of a group or, without a group, by the repeats, turns and variants of a case. */
export function clusterOf(one: CaseName & { readonly group: string | null }): string {
  return one.group === null ? caseKey(one) : JSON.stringify([one.group]);
}
