/** What goes together: cases of one group, else the repeats, turns and variants of a case. */
export function clusterOf({
  group,
  setId,
  caseId,
}: {
  readonly group: string | null;
  readonly setId: string;
  readonly caseId: string;
}): string {
  return JSON.stringify(group === null ? [setId, caseId] : [group]);
}
