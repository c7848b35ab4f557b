/**
 * A reason less what the columns of the grid say beside it: which criterion, its number and its threshold. `undefined`
 * where nothing else is said.
 */
export function rowReason(reason: string | undefined): string | undefined {
  const own = reason?.replace(/^[^\s:]+: [\d.e+-]+ is (below|above) the threshold [\d.e+-]+(?:: |$)/, '');
  return own === '' ? undefined : own;
}
