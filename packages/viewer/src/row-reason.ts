/** A reason without the criterion, number and threshold, which the grid shows in columns; `undefined` if nothing is left. */
export function rowReason(reason: string | undefined): string | undefined {
  const own = reason?.replace(/^[^\s:]+: [\d.e+-]+ is (below|above) the threshold [\d.e+-]+(?:: |$)/, '');
  return own === '' ? undefined : own;
}
