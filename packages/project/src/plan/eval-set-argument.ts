/** An eval set as it is named in one text: a path, and the cases chosen from it (none: all). */
export interface EvalSetArgument {
  readonly path: string;
  readonly cases: readonly string[];
}

/**
 * Splits `path:case1,case2`, also with a drive letter (`C:\sets\a.json:case1`). Names are trimmed, empty ones dropped.
 * A colon without a name is left to the caller, because a file name may end in one. Ids with commas are not supported.
 */
export function parseEvalSetArgument(argument: string): EvalSetArgument {
  const drive = /^[A-Za-z]:[\\/]/.test(argument) ? 2 : 0;
  const colon = argument.indexOf(':', drive);
  if (colon === -1) return { path: argument, cases: [] };
  const cases = argument
    .slice(colon + 1)
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return { path: argument.slice(0, colon), cases };
}
