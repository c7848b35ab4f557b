/**
 * Shortens a reason by leaving out the criterion, number and threshold, which the grid shows in columns. Returns
 * `undefined` if nothing remains.
 */
export function rowReason(reason: string | undefined): string | undefined {
  const own = reason?.replace(/^[^\s:]+: [\d.e+-]+ is (below|above) the threshold [\d.e+-]+(?:: |$)/, '');
  return own === '' ? undefined : own;
}
