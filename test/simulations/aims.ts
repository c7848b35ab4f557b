import type { CellResult } from './simulate.ts';

/** A claim about a column in some tables. Shares are from 0 to 1. */
interface Aim {
  readonly tables: RegExp;
  readonly column: RegExp;
  /** The bounds for each cell. */
  readonly least?: (cell: string) => number;
  readonly most?: (cell: string) => number;
}

const few = (cell: string) => {
  const cases = Number(/(\d+)x\d+$/.exec(cell)?.[1]);
  return cases >= 3 && cases <= 9;
};

export const aims: readonly Aim[] = [
  // Independent cases, or declared groups. The table's values for undeclared groups, shifts and selection are only
  // reported.
  {
    tables: /^the same agent($|, groups declared|, 5% unjudged|, half of|, 10% of)|^20 criteria$/,
    column: /^regression$/,
    most: () => 0.025,
  },
  {
    tables: /^the same agent($|, groups declared|, 5% unjudged|, half of|, 10% of)/,
    column: /^improvement$/,
    most: () => 0.025,
  },
  { tables: /^the same agent, 5% unjudged/, column: /^cannot tell$/, most: () => 0.1 },
  { tables: /^the same agent, only what failed/, column: /^improvement$/, most: () => 0.025 },
  { tables: /^6 measures$/, column: /^a measure is called$/, most: () => 0.05 },
  { tables: /^(?!.*(not declared|shifted|only what))/, column: /covers$/, least: (cell) => (few(cell) ? 0.91 : 0.93) },
  { tables: /^(?!.*(not declared|shifted|only what))/, column: /(impossible|contradicts)$/, most: () => 0 },
  // An error in the dangerous direction, because the limit is not below the true value.
  { tables: /^gates at or above the truth/, column: /^holds$/, most: () => 0.025 },
  {
    tables: /^the gate pass_rate/,
    column: /^holds$/,
    most: (cell) => (/at 0\.(88|9),/.test(cell) ? 0.025 : 1),
  },
  {
    tables: /^the gate case_pass_rate/,
    column: /^does not hold$/,
    most: () => 0.05,
  },
];

export interface Missed {
  readonly table: string;
  readonly cell: string;
  readonly column: string;
  readonly mean: number;
  readonly bound: number;
}

/** Lists the cells that miss an aim by more than `z` standard errors of the simulation. */
export function missedAims(results: readonly CellResult[], z = 3): readonly Missed[] {
  const found: Missed[] = [];
  for (const { table, cell, columns } of results) {
    for (const [column, { mean, of }] of Object.entries(columns)) {
      for (const aim of aims) {
        if (of === 0 || !aim.tables.test(table) || !aim.column.test(column)) continue;
        const error = (bound: number) => z * Math.sqrt((bound * (1 - bound)) / of);
        const [least, most] = [aim.least?.(cell) ?? 0, aim.most?.(cell) ?? 1];
        if (mean < least - error(least)) found.push({ table, cell, column, mean, bound: least });
        else if (mean > most + error(most)) found.push({ table, cell, column, mean, bound: most });
      }
    }
  }
  return found;
}

export interface Weaker {
  readonly table: string;
  readonly cell: string;
  readonly found: number;
  readonly reference: number;
}

/**
 * Lists the cells in which the reference test finds a drop at least 5 points more often, beyond the simulation error.
 */
export function weakerCells(results: readonly CellResult[], z = 2): readonly Weaker[] {
  return results.flatMap(({ table, cell, columns }) => {
    const [own, other] = [columns.regression, columns['reference regression']];
    if (!table.startsWith('a drop') || own === undefined || other === undefined || other.of === 0) return [];
    const error = Math.sqrt((other.mean * (1 - other.mean)) / other.of);
    // The two are based on the same runs, so they differ by less than two independent shares.
    return own.mean < other.mean - 0.05 - z * error * 0.7
      ? [{ table, cell, found: own.mean, reference: other.mean }]
      : [];
  });
}

export interface Misannounced {
  readonly table: string;
  readonly cell: string;
  readonly announced: number;
  readonly found: number;
}

/**
 * Lists the cells in which the announced power is more than 5 points off that of the shipped rule, beyond the
 * simulation error; if cases ran once, only those in which it is more than 5 points too high.
 */
export function misannounced(results: readonly CellResult[], z = 3): readonly Misannounced[] {
  return results.flatMap(({ table, cell, columns }) => {
    const [announced, found] = [columns.announced, columns.found];
    if (announced === undefined || found === undefined || found.of === 0) return [];
    const error = 0.05 + z * Math.sqrt((announced.mean * (1 - announced.mean)) / found.of);
    const over = announced.mean - found.mean;
    const isPessimistic = table.includes('ran once') || table.endsWith('run once');
    return (isPessimistic ? over : Math.abs(over)) > error
      ? [{ table, cell, announced: announced.mean, found: found.mean }]
      : [];
  });
}
