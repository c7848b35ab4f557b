import { checkCount } from './check.ts';
import { type Unknown, unknown } from './unknown.ts';

/** Which outcomes count as at least as extreme as the observed one. */
export type Alternative = 'two-sided' | 'greater' | 'less';

/** Two rows of two counts, such as the passed and failed runs of two agents. */
export type Table = readonly [readonly [number, number], readonly [number, number]];

/** Probabilities within this relative distance of the observed table's are equal: the rest is rounding. */
const TIE = 1e-10;

/**
 * Runs Fisher's exact test on a table of counts. `greater` and `less` refer to the first cell. Returns the p-value,
 * from 0 to 1; 1 if a column is empty. Unknown if a row is empty, because an arm without runs cannot be compared.
 *
 * Uses hypergeometric probabilities given all margins (Fisher 1935); the two-sided test sums all tables that are no
 * more probable than the observed one. For the pass rates of two runs, it treats all results as independent. With the
 * same cases on both sides it is conservative (0 to 3% at a nominal 5%); with different cases and several repeats it is
 * invalid. Use `signFlipTest` instead.
 *
 * @throws RangeError if a cell is not a count, or `alternative` is not one of the three.
 */
export function fisherExact(table: Table, alternative: Alternative = 'two-sided'): number | Unknown {
  for (const row of [0, 1] as const) {
    for (const column of [0, 1] as const) checkCount(table[row][column], `table[${row}][${column}]`);
  }
  checkAlternative(alternative);
  const [[a, b], [c, d]] = table;
  if (a + b === 0 || c + d === 0) return unknown('one side has no runs');

  const [row, column, n] = [a + b, a + c, a + b + c + d];
  const first = Math.max(0, row + column - n);
  const last = Math.min(row, column);
  const mode = Math.min(last, Math.max(first, Math.floor(((row + 1) * (column + 1)) / (n + 2))));
  // The probability of each table relative to the most probable one, computed from one table to the next.
  const weights = new Float64Array(last - first + 1);
  weights[mode - first] = 1;
  for (let cell = mode; cell < last; cell++) {
    const ratio = ((row - cell) / (cell + 1)) * ((column - cell) / (n - row - column + cell + 1));
    weights[cell + 1 - first] = weights[cell - first]! * ratio;
  }
  for (let cell = mode; cell > first; cell--) {
    const ratio = (cell / (row - cell + 1)) * ((n - row - column + cell) / (column - cell + 1));
    weights[cell - 1 - first] = weights[cell - first]! * ratio;
  }
  const observed = weights[a - first]! * (1 + TIE);
  const counts = (cell: number) => {
    if (alternative === 'greater') return cell >= a;
    return alternative === 'less' ? cell <= a : weights[cell - first]! <= observed;
  };
  let [extreme, all] = [0, 0];
  for (const [index, weight] of weights.entries()) {
    all += weight;
    if (counts(first + index)) extreme += weight;
  }
  return extreme / all;
}

export function checkAlternative(alternative: Alternative): void {
  if (['two-sided', 'greater', 'less'].includes(alternative)) return;
  throw new RangeError(`alternative is ${alternative}, but must be 'two-sided', 'greater' or 'less'.`);
}
