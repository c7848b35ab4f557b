import type { Held } from './held.ts';

/** Puts the rows of one group through the product. */
export interface Driver {
  readonly file: string;
  /** As in `GoldenGroup`. */
  readonly of: string | null;
  /** What the product did with a row; throws where the product failed in a way that no comparison can say. */
  run(row: unknown): Run | Promise<Run>;
}

type Run = Held | readonly Held[];

/** A driver of rows of a known shape; what a file holds is checked by the comparison. */
export function driver<Row>(file: string, of: string | null, run: (row: Row) => Run | Promise<Run>): Driver {
  return { file, of, run: (row) => run(row as Row) };
}

/** A driver of `judge-parse` rows, with what each of them gave as it stands. */
export function functionDriver<Input, Output>(
  fn: string,
  run: (row: { readonly id: string; readonly input: Input; readonly output: Output }) => Run | Promise<Run>,
): Driver {
  return driver('judge-parse.public.jsonl', fn, run);
}

/** A driver of `judge-vectors` rows. */
export function areaDriver<Input, Expected>(
  area: string,
  run: (row: { readonly id: string; readonly input: Input; readonly expected: Expected }) => Run | Promise<Run>,
): Driver {
  return driver('judge-vectors.public.json', area, run);
}
