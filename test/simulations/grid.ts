/**
 * The grid of the simulations, fixed before the code that it evaluates was written. Nothing here imports the product.
 *
 * `draws` is the number of draws in the full form. The small form makes a few draws for every cell.
 */

/** The distribution of pass rates across cases, or a number if every case has the same rate. */
export type Rates = 'Beta(4,1)' | 'Beta(.6,.2)' | 'Beta(2,2)' | number;

/**
 * How a drop in the pass rate is spread over cases. With `all`, each case loses the same share; with `half`, every
 * other case loses twice as much; with `some`, some cases always fail and the others do not change.
 */
export type Shape = 'all' | 'half' | 'some';

/**
 * Cases in groups that pass and fail together. In each run and repeat, a group either succeeds or fails, and its cases
 * then mostly pass or mostly fail.
 */
export interface Groups {
  readonly groups: number;
  readonly perGroup: number;
  readonly declared: boolean;
}

/** Two runs of the same cases. */
export interface PairCell {
  readonly kind: 'pair';
  readonly table: string;
  readonly cases: number;
  readonly repeats: number;
  readonly rates: Rates;
  /** How much worse the second run is, in points from 0 to 100. Default 0. */
  readonly drop?: number;
  readonly shape?: Shape;
  readonly groups?: Groups;
  /** The share of repeats that could not be judged, at random on both sides. */
  readonly unjudged?: number;
  /** The share of the first run's failures that could not be judged. */
  readonly failuresUnjudged?: number;
  /** By how many points the second run is better or worse as a whole, for a reason other than the agent. */
  readonly shift?: number;
  /** The share of cases missing from each run. */
  readonly missing?: number;
  /** Whether the second run has only the cases that failed in the first. */
  readonly selected?: boolean;
  readonly draws: number;
}

/** Two runs with many graded criteria. */
export interface CriteriaCell {
  readonly kind: 'criteria';
  readonly table: string;
  readonly cases: number;
  readonly criteria: number;
  /** How many of them improve by 30 points. */
  readonly improving: number;
  /** Whether they decide, or only measure. */
  readonly decide: boolean;
  readonly draws: number;
}

/** One run, with the intervals that are printed for it. */
export interface RunCell {
  readonly kind: 'run';
  readonly table: string;
  readonly cases: number;
  readonly repeats: number;
  readonly rates: Rates;
  readonly groups?: { readonly groups: number; readonly perGroup: number; readonly single?: number };
  readonly draws: number;
}

/** The scores of one run, one per case, and the interval of their mean. */
export interface ScoresCell {
  readonly kind: 'scores';
  readonly table: string;
  readonly cases: number;
  readonly scores: ScoresName;
  readonly draws: number;
}

export type ScoresName =
  | 'normal around 0.6'
  | '97% at 1, 3% at 0.3'
  | '90% at 1, 10% at 0.2'
  | '80% at 1, 20% up to 0.9'
  | 'normal in 10 groups'
  | 'normal in 20 groups';

/** The result of a gate. */
export interface GateCell {
  readonly kind: 'gate';
  readonly table: string;
  readonly gate: 'pass_rate' | 'pass_hat_k' | 'quantiles' | 'means' | 'case_pass_rate' | 'flaky_share';
  readonly cases: number;
  readonly repeats: number;
  /** The pass rate of each case; ignored for other gates. */
  readonly rate: number;
  readonly limit: number;
  readonly groups?: { readonly groups: number; readonly perGroup: number };
  readonly draws: number;
}

/** A pilot run that announces its power, and two more runs of such cases that measure it. */
export interface PowerCell {
  readonly kind: 'power';
  readonly table: string;
  /** The number of cases in the pilot. */
  readonly cases: number;
  readonly repeats: number;
  /** The size of the comparison. Default: the same as the pilot. */
  readonly planned?: { readonly cases: number; readonly repeats: number };
  readonly rates: Rates;
  readonly groups?: Groups;
  readonly shape: 'all' | 'some';
  /** The drop in points. */
  readonly drop: number;
  readonly draws: number;
}

export type Cell = PairCell | CriteriaCell | RunCell | ScoresCell | GateCell | PowerCell;

const BETAS = ['Beta(4,1)', 'Beta(.6,.2)', 'Beta(2,2)'] as const;

function* sameAgent(): Iterable<Cell> {
  for (const rates of BETAS)
    for (const cases of [5, 10, 30, 100, 300])
      for (const repeats of [1, 3, 10])
        yield { kind: 'pair', table: 'the same agent', cases, repeats, rates, draws: 1000 };
}

const GROUPS = [
  [20, 5],
  [10, 10],
  [5, 10],
  [3, 10],
] as const;

function* sameAgentOtherwise(): Iterable<Cell> {
  const own = { kind: 'pair', rates: 'Beta(4,1)', draws: 600 } as const;
  for (const declared of [true, false])
    for (const [groups, perGroup] of GROUPS)
      for (const repeats of [1, 3]) {
        const table = declared ? 'the same agent, groups declared' : 'the same agent, groups not declared';
        yield { ...own, table, cases: groups * perGroup, repeats, groups: { groups, perGroup, declared } };
      }
  const sizes = [
    [30, 3],
    [100, 1],
    [100, 3],
    [300, 3],
  ] as const;
  for (const [cases, repeats] of sizes) {
    const size = { cases, repeats };
    yield { ...own, ...size, table: 'the same agent, 5% unjudged at random', unjudged: 0.05 };
    yield { ...own, ...size, table: 'the same agent, half of the first failures unjudged', failuresUnjudged: 0.5 };
    for (const shift of [2, 4]) yield { ...own, ...size, table: `the same agent, shifted by ${shift} points`, shift };
    yield { ...own, ...size, table: 'the same agent, 10% of cases missing in each run', missing: 0.1 };
    yield { ...own, ...size, table: 'the same agent, only what failed before', selected: true };
  }
}

function* criteria(): Iterable<Cell> {
  for (const cases of [20, 50])
    for (const improving of [0, 5, 10])
      yield { kind: 'criteria', table: '20 criteria', cases, criteria: 20, improving, decide: true, draws: 500 };
  for (const cases of [40, 150])
    yield { kind: 'criteria', table: '6 measures', cases, criteria: 6, improving: 0, decide: false, draws: 500 };
}

const SIZES = [
  [5, 10],
  [10, 1],
  [10, 3],
  [10, 10],
  [20, 3],
  [30, 1],
  [30, 3],
  [30, 10],
  [50, 3],
  [100, 1],
  [100, 3],
  [200, 3],
] as const;

function* power(): Iterable<Cell> {
  const own = { kind: 'pair', rates: 'Beta(4,1)', draws: 300 } as const;
  for (const shape of ['all', 'half', 'some'] as const)
    for (const drop of [5, 10, 20, 40])
      for (const [cases, repeats] of SIZES) {
        yield { ...own, table: `a drop, ${shape}`, cases, repeats, drop, shape };
      }
  for (const [groups, perGroup] of [
    [20, 5],
    [10, 10],
    [30, 3],
  ] as const)
    for (const repeats of [1, 3])
      for (const drop of [20, 40]) {
        const declared = { groups, perGroup, declared: true };
        const cases = groups * perGroup;
        yield { ...own, table: 'a drop, groups declared', cases, repeats, drop, shape: 'all', groups: declared };
      }
}

function* statements(): Iterable<Cell> {
  const sizes = [3, 5, 10, 30, 100];
  for (const rates of [...BETAS, 0.8, 0.95])
    for (const cases of sizes)
      for (const repeats of [1, 3, 10]) {
        yield { kind: 'run', table: 'intervals of rates', cases, repeats, rates, draws: 1000 };
      }
  for (const [groups, perGroup] of [
    [5, 10],
    [10, 10],
    [20, 5],
    [40, 3],
  ] as const)
    for (const repeats of [1, 3]) {
      const own = { groups, perGroup };
      yield {
        kind: 'run',
        table: 'intervals of rates, in groups',
        cases: groups * perGroup,
        repeats,
        rates: 'Beta(4,1)',
        groups: own,
        draws: 600,
      };
    }
  yield {
    kind: 'run',
    table: 'intervals of rates, in groups',
    cases: 60,
    repeats: 1,
    rates: 'Beta(4,1)',
    groups: { groups: 1, perGroup: 40, single: 20 },
    draws: 600,
  };
  for (const scores of [
    'normal around 0.6',
    '97% at 1, 3% at 0.3',
    '90% at 1, 10% at 0.2',
    '80% at 1, 20% up to 0.9',
  ] as const)
    for (const cases of [5, 10, 30, 50, 100]) {
      yield { kind: 'scores', table: 'intervals of means', cases, scores, draws: 600 };
    }
  for (const scores of ['normal in 10 groups', 'normal in 20 groups'] as const)
    yield { kind: 'scores', table: 'intervals of means', cases: 100, scores, draws: 600 };
}

function* gates(): Iterable<Cell> {
  const own = { kind: 'gate', draws: 400 } as const;
  for (const rate of [0.88, 0.9, 0.92, 0.95])
    for (const [cases, repeats] of [
      [30, 1],
      [100, 1],
      [300, 1],
      [100, 3],
    ] as const) {
      yield { ...own, table: 'the gate pass_rate=0.9', gate: 'pass_rate', cases, repeats, rate, limit: 0.9 };
    }
  // For means and quantiles the limit is the true value, for rates it is two points above.
  for (const [groups, perGroup] of [
    [5, 10],
    [10, 10],
    [20, 5],
  ] as const) {
    const size = { cases: groups * perGroup, groups: { groups, perGroup }, rate: Number.NaN };
    const table = 'gates at or above the truth, in groups';
    yield { ...own, ...size, table, gate: 'pass_rate', repeats: 1, limit: 0.836 };
    yield { ...own, ...size, table, gate: 'pass_hat_k', repeats: 3, limit: 0.7517 };
    yield { ...own, ...size, table, gate: 'quantiles', repeats: 1, limit: Number.NaN };
    yield { ...own, ...size, table, gate: 'means', repeats: 1, limit: 0.6 };
  }
  for (const rate of [0.8, 0.85, 0.9, 0.95, 0.99])
    for (const cases of [40, 100]) {
      const gate = 'case_pass_rate';
      yield { ...own, table: 'the gate case_pass_rate=0.8', gate, cases, repeats: 60, rate, limit: 0.8 };
    }
  for (const repeats of [2, 3, 5, 10])
    yield {
      ...own,
      table: 'the gate flaky_share=0.1',
      gate: 'flaky_share',
      cases: 30,
      repeats,
      rate: 0.97,
      limit: 0.1,
    };
}

/** Announced power compared with that of the shipped rule. */
function* announced(): Iterable<Cell> {
  const own = { kind: 'power', draws: 300 } as const;
  for (const shape of ['all', 'some'] as const) {
    for (const rates of BETAS)
      for (const [cases, repeats] of [
        [5, 3],
        [10, 3],
        [10, 10],
        [20, 3],
        [30, 3],
        [50, 3],
        [100, 3],
        [40, 5],
      ] as const)
        for (const drop of [10, 20]) {
          yield { ...own, table: 'announced power', cases, repeats, rates, shape, drop };
        }
    // If cases ran once, the announcement assumes pure chance, which is true here but the worst case elsewhere.
    for (const cases of [10, 20, 50, 100, 200])
      for (const drop of [10, 20]) {
        const once = { cases, repeats: 1, shape, drop };
        yield { ...own, table: 'announced power, run once by chance alone', rates: 0.8, ...once };
        yield { ...own, table: 'announced power, run once', rates: 'Beta(4,1)', ...once };
      }
    for (const planned of [
      { cases: 20, repeats: 10 },
      { cases: 100, repeats: 3 },
      { cases: 40, repeats: 1 },
    ])
      yield {
        ...own,
        table: 'announced power, of another plan',
        cases: 30,
        repeats: 3,
        planned,
        rates: 'Beta(4,1)',
        shape,
        drop: 10,
      };
    for (const [groups, perGroup] of [
      [8, 10],
      [10, 10],
      [20, 5],
      [30, 3],
    ] as const)
      for (const repeats of [1, 3])
        for (const drop of [20, 40]) {
          const cases = groups * perGroup;
          const declared = { groups, perGroup, declared: true };
          const table = repeats === 1 ? 'announced power, in groups that ran once' : 'announced power, in groups';
          // Each announcement is itself a simulation.
          yield { ...own, draws: 120, table, cases, repeats, rates: 'Beta(4,1)', groups: declared, shape, drop };
        }
  }
}

export const grid: readonly Cell[] = [
  ...sameAgent(),
  ...sameAgentOtherwise(),
  ...criteria(),
  ...power(),
  ...statements(),
  ...gates(),
  ...announced(),
];

/** Returns the name of a cell, unique within its table. */
export function cellName(cell: Cell): string {
  const size = `${cell.cases}x${'repeats' in cell ? cell.repeats : 1}`;
  switch (cell.kind) {
    case 'pair': {
      const drop = cell.drop === undefined ? '' : `-${cell.drop} points, `;
      return `${drop}${inGroups(cell.groups) ?? cell.rates}, ${size}`;
    }
    case 'criteria':
      return `${cell.improving} improve, ${size}`;
    case 'run':
      return `${inGroups(cell.groups) ?? (typeof cell.rates === 'number' ? `all at ${cell.rates}` : cell.rates)}, ${size}`;
    case 'scores':
      return `${cell.scores}, ${size}`;
    case 'power': {
      const planned = cell.planned === undefined ? '' : ` for ${cell.planned.cases}x${cell.planned.repeats}`;
      return `-${cell.drop} points, ${cell.shape}, ${inGroups(cell.groups) ?? cell.rates}, ${size}${planned}`;
    }
    case 'gate':
      return `${cell.gate}, ${inGroups(cell.groups) ?? `all at ${cell.rate}`}, ${size}`;
  }
}

function inGroups(groups: RunCell['groups']): string | undefined {
  if (groups === undefined) return undefined;
  const single = groups.single === undefined ? '' : ` and ${groups.single} single cases`;
  return `${groups.groups} groups of ${groups.perGroup}${single}`;
}
