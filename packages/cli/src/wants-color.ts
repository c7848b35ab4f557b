/**
 * Whether what goes to a stream is painted. As elsewhere, `NO_COLOR` that is not empty takes colours away, whatever else is set;
 * `FORCE_COLOR` gives them also to a pipe or a CI log, unless it is 0 or false; else a terminal that is not dumb has them.
 */
export function wantsColor(
  { NO_COLOR = '', FORCE_COLOR, TERM }: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): boolean {
  if (NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTerminal && TERM !== 'dumb';
}
