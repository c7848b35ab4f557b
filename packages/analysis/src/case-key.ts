export interface CaseName {
  readonly setId: string;
  readonly caseId: string;
}

/** The key of a case among those of all sets. */
export function caseKey({ setId, caseId }: CaseName): string {
  return JSON.stringify([setId, caseId]);
}

/** The key of what goes together: cases of one group, or else the repeats, turns and variants of a case. */
export function clusterOf(one: CaseName & { readonly group: string | null }): string {
  return one.group === null ? caseKey(one) : JSON.stringify([one.group]);
}
