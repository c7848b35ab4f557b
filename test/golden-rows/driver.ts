import type { Held } from './held.ts';

/** Runs the rows of one group against the product. */
export interface Driver {
  readonly file: string;
  /** See `GoldenGroup`. */
  readonly of: string | null;
  /** Returns the product's results for a row; throws if the product failed in a way that cannot be compared. */
  run(row: unknown): Run | Promise<Run>;
}

type Run = Held | readonly Held[];

/** Creates a driver for rows of a known shape; the comparison checks the content of the file. */
export function driver<Row>(file: string, of: string | null, run: (row: Row) => Run | Promise<Run>): Driver {
  return { file, of, run: (row) => run(row as Row) };
}

/** Creates a driver for `judge-parse` rows. */
export function functionDriver<Input, Output>(
  fn: string,
  run: (row: { readonly id: string; readonly input: Input; readonly output: Output }) => Run | Promise<Run>,
): Driver {
  return driver('judge-parse.public.jsonl', fn, run);
}

/** Creates a driver for `judge-vectors` rows. */
export function areaDriver<Input, Expected>(
  area: string,
  run: (row: { readonly id: string; readonly input: Input; readonly expected: Expected }) => Run | Promise<Run>,
): Driver {
  return driver('judge-vectors.public.json', area, run);
}
