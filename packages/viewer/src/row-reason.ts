/**
 * Shortens a reason to what the grid does not show in columns, leaving out the criterion, number and threshold. Returns
 * `undefined` if nothing remains.
 */
export function rowReason(reason: string | undefined): string | undefined {
  const own = reason?.replace(/^[^\s:]+: [\d.e+-]+ is (below|above) the threshold [\d.e+-]+(?:: |$)/, '');
  return own === '' ? undefined : own;
}
