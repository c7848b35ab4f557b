/**
 * Whether output to a stream is coloured. By convention, a non-empty `NO_COLOR` disables colours, whatever else is set;
 * `FORCE_COLOR` also enables them for a pipe or a CI log, and disables them if it is 0 or false; otherwise, every
 * terminal that is not dumb has them.
 */
export function wantsColor(
  { NO_COLOR = '', FORCE_COLOR, TERM }: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): boolean {
  if (NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTerminal && TERM !== 'dumb';
}
