import {
  analyseRun,
  announcedPower,
  type Change,
  caseStatus,
  compareRuns,
  type Gates,
  gateResults,
  powerOf,
  type RunOutcomes,
} from '@agent-criteria/analysis';
import { caseOf, runOf } from '../../packages/analysis/src/__fixtures__/outcomes.ts';
import { allPass, type Chance, chanceOf, nonePasses } from './chance.ts';
import {
  type Cell,
  type CriteriaCell,
  cellName,
  type GateCell,
  type PairCell,
  type PowerCell,
  type RunCell,
  type ScoresCell,
} from './grid.ts';
import { referenceDecision } from './reference-test.ts';
import {
  gradedInGroups,
  groupTruth,
  manyCriteria,
  measuredInGroups,
  oneRun,
  SCORE,
  scoresRun,
  trueMeans,
  trueQuantile,
  twoRuns,
} from './runs.ts';

/** The result of a cell: the mean of each column over the draws to which it applies. Shares are from 0 to 1. */
export interface CellResult {
  readonly table: string;
  readonly cell: string;
  readonly draws: number;
  readonly columns: Readonly<Record<string, { readonly mean: number; readonly of: number }>>;
}

/** One draw: a share of 0 or 1, a width, or `null` if the column does not apply to it. */
type Sample = Readonly<Record<string, number | boolean | null>>;

/**
 * Makes draws of a cell. Each is determined by the cell's name and the index of the draw.
 *
 * @param share The share of the full form's draws to make.
 * @param least The minimum number of draws.
 */
export function simulate(cell: Cell, share = 1, least = 1): CellResult {
  const draws = Math.min(cell.draws, Math.max(least, Math.round(cell.draws * share)));
  const seed = seedOf(`${cell.table} ${cellName(cell)}`);
  const sums = new Map<string, { sum: number; of: number }>();
  for (let draw = 0; draw < draws; draw++) {
    for (const [column, value] of Object.entries(sampleOf(cell, chanceOf(seed + draw)))) {
      const own = sums.get(column) ?? { sum: 0, of: 0 };
      if (value !== null) {
        own.sum += Number(value);
        own.of += 1;
      }
      sums.set(column, own);
    }
  }
  const columns = [...sums].map(([column, { sum, of }]) => [column, { mean: of === 0 ? 0 : sum / of, of }] as const);
  return { table: cell.table, cell: cellName(cell), draws, columns: Object.fromEntries(columns) };
}

function seedOf(name: string): number {
  let hash = 2166136261;
  for (const letter of name) hash = Math.imul(hash ^ (letter.codePointAt(0) as number), 16777619);
  return (hash >>> 0) * 4096;
}

function sampleOf(cell: Cell, chance: Chance): Sample {
  switch (cell.kind) {
    case 'pair':
      return pairSample(cell, chance);
    case 'criteria':
      return criteriaSample(cell, chance);
    case 'run':
      return runSample(cell, chance);
    case 'scores':
      return scoresSample(cell, chance);
    case 'power':
      return powerSample(cell, chance);
    case 'gate':
      return gateSample(cell, chance);
  }
}

function pairSample(cell: PairCell, chance: Chance): Sample {
  const { before, after, these, likeThese } = twoRuns(chance, cell);
  const found = compareRuns(before, after);
  const change = found.passRate;
  const [gate] = gateResults(after, { regression: true }, before);
  const reference = cell.groups === undefined ? referenceDecision(before, after) : null;
  return {
    regression: found.outcome === 'regression',
    improvement: found.outcome === 'improvement',
    'cannot tell': found.outcome === 'cannot-tell',
    'gate holds': gate?.holds === true,
    'reference regression': reference === null ? null : reference === 'regression',
    ...intervalOfChange(change, these, likeThese),
  };
}

/** Whether the interval of a difference contains the true value, is possible, and agrees with its p-value. */
function intervalOfChange(change: Change | null, these: number, likeThese: number): Sample {
  const interval = change?.interval;
  if (!change || change.difference === null || !interval || 'unknown' in interval) {
    return {
      'interval printed': 0,
      'covers these': null,
      'covers like these': null,
      width: null,
      impossible: null,
      contradicts: null,
    };
  }
  const { low, high } = interval;
  const p = change.adjustedP ?? (typeof change.p === 'number' ? change.p : null);
  const base = change.base as number;
  return {
    'interval printed': 1,
    'covers these': covers(interval, these),
    'covers like these': Number.isNaN(likeThese) ? null : covers(interval, likeThese),
    width: high - low,
    impossible: low < -1 - 1e-9 || high > 1 + 1e-9 || high - low < 1e-9 || Number.isNaN(base),
    contradicts: p === null ? null : p <= 0.05 !== !covers(interval, 0),
  };
}

function covers({ low, high }: { readonly low: number; readonly high: number }, truth: number): boolean {
  return low - 1e-9 <= truth && truth <= high + 1e-9;
}

function criteriaSample(cell: CriteriaCell, chance: Chance): Sample {
  const { before, after } = manyCriteria(chance, cell);
  const found = compareRuns(before, after);
  const called = (change: Change) => change.verdict === 'regression' || change.verdict === 'improvement';
  return {
    regression: cell.decide ? found.outcome === 'regression' : null,
    improvement: cell.decide ? found.outcome === 'improvement' : null,
    'a measure is called': cell.decide ? null : found.measures.some(called),
  };
}

function runSample(cell: RunCell, chance: Chance): Sample {
  const { repeats, rates, groups } = cell;
  const run = oneRun(chance, cell);
  const found = analyseRun(run);
  const last = found.repeats?.passes.find(({ k }) => k === repeats);
  const all = groups ? groupTruth(repeats).all : allPass(rates, repeats);
  const none = groups ? groupTruth(repeats).none : nonePasses(rates, repeats);
  const rate = groups ? groupTruth(1).all : allPass(rates, 1);
  return {
    ...intervalColumns('rate', found.passRate?.interval, rate),
    ...(last === undefined ? {} : intervalColumns('pass^k', last.all, all)),
    ...(last === undefined ? {} : intervalColumns('pass@k', last.atLeastOne, 1 - none)),
  };
}

function scoresSample({ scores, cases }: ScoresCell, chance: Chance): Sample {
  const found = analyseRun(scoresRun(chance, scores, cases)).criteria.find(({ name }) => name === SCORE);
  return intervalColumns('mean', found?.interval, trueMeans[scores]);
}

/** Reads an interval that may be unknown, or have its bounds directly or under `interval`. */
function intervalColumns(name: string, found: unknown, truth: number): Sample {
  const own = found as { low?: number; high?: number; interval?: { low?: number; high?: number } } | undefined;
  const { low, high } = own?.low === undefined ? (own?.interval ?? {}) : own;
  if (low === undefined || high === undefined) {
    return { [`${name} printed`]: 0, [`${name} covers`]: null, [`${name} width`]: null, [`${name} impossible`]: null };
  }
  return {
    [`${name} printed`]: 1,
    [`${name} covers`]: covers({ low, high }, truth),
    [`${name} width`]: high - low,
    [`${name} impossible`]: low < -1e-9 || high > 1 + 1e-9 || high - low < 1e-9,
  };
}

function powerSample({ kind: _, planned, ...cell }: PowerCell, chance: Chance): Sample {
  const pair = { ...cell, kind: 'pair' } as const;
  const pilot = twoRuns(chance, { ...pair, drop: 0 }).before;
  const size = { cases: cell.cases, repeats: cell.repeats, ...planned };
  const announced = powerOf(pilot, cell.shape, cell.drop / 100, size);
  const { all, some } = { all: null, some: null, ...announcedPower(pilot, size) };
  const found = (cell.shape === 'all' ? all : some)?.found ?? null;
  const isFound = (drop: number) => {
    const { before, after } = twoRuns(chance, { ...pair, ...size, drop });
    return compareRuns(before, after).outcome === 'regression';
  };
  return {
    announced: typeof announced === 'number' ? announced : null,
    found: isFound(cell.drop),
    'announced size': found,
    'found at the announced size': found === null ? null : isFound(found * 100),
  };
}

function gateSample(cell: GateCell, chance: Chance): Sample {
  const [result] = gateResults(...gateOf(cell, chance), null);
  return {
    holds: result?.holds === true,
    'cannot tell': result?.holds === null,
    'does not hold': result?.holds === false,
  };
}

function gateOf(cell: GateCell, chance: Chance): readonly [RunOutcomes, Gates] {
  const { gate, groups, limit, repeats, cases, rate } = cell;
  const size = groups ?? { groups: cases, perGroup: 1 };
  const run = () => oneRun(chance, { cases, repeats, rates: rate, ...(groups && { groups }) });
  switch (gate) {
    case 'pass_rate':
      return [run(), { passRate: limit }];
    case 'pass_hat_k':
      return [run(), { passHatK: { k: repeats, rate: limit } }];
    case 'flaky_share':
      return [run(), { flakyShare: limit }];
    case 'quantiles':
      return [
        measuredInGroups(chance, size.groups, size.perGroup),
        { quantiles: { [SCORE]: { q: 0.9, limit: trueQuantile } } },
      ];
    case 'means':
      return [gradedInGroups(chance, size.groups, size.perGroup), { means: { [SCORE]: limit } }];
    case 'case_pass_rate':
      return [stoppedRun(chance, cell), { casePassRate: limit }];
  }
}

/** Draws a run in which each case is repeated until it is clear on which side of the limit it lies. */
function stoppedRun(chance: Chance, { cases, repeats: most, rate, limit }: GateCell): RunOutcomes {
  const all = Array.from({ length: cases }, (_, index) => {
    const passes: boolean[] = [];
    while (passes.length < most) {
      passes.push(chance.hit(rate));
      if (standing(passes, limit, cases) !== 'undecided') break;
    }
    return caseOf(`case-${index}`, passes);
  });
  return runOf(all);
}

const known = new Map<string, ReturnType<typeof caseStatus>>();

function standing(passes: readonly boolean[], limit: number, cases: number): ReturnType<typeof caseStatus> {
  const key = `${passes.filter(Boolean).length} ${passes.length} ${limit} ${cases}`;
  const own = known.get(key) ?? caseStatus({ repeats: passes.map((passed) => ({ passed })) }, limit, cases);
  known.set(key, own);
  return own;
}
