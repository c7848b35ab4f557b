import {
  bootstrapPercentile,
  bootstrapResamples,
  cohenKappa,
  fisherExact,
  gwetAC1,
  type Interval,
  isUnknown,
  type Unknown,
} from '@agent-criteria/statistics';
import type { Estimate } from './estimate.ts';
import { estimateOf, RATE } from './estimate-of.ts';

/** Two verdicts on one thing, and the case that it belongs to. */
export interface VerdictPair {
  /** Pairs of one case, or of cases that go together, are resampled together. */
  readonly cluster: string;
  readonly judge: boolean;
  readonly people: boolean;
}

/** How often two verdicts meet. */
export interface ConfusionTable {
  readonly bothPass: number;
  /** The judge lets pass what people fail. */
  readonly judgePassesOnly: number;
  /** People let pass what the judge fails. */
  readonly peoplePassOnly: number;
  readonly bothFail: number;
}

/** How far a judge agrees with people. Plain JSON. */
export interface Agreement {
  readonly table: ConfusionTable;
  /** The share on which they agree, from case to case. */
  readonly raw: Estimate;
  readonly kappa: Coefficient;
  readonly ac1: Coefficient;
  /** Whether they agree more often than two who decide at random would; `null`: that cannot be said, and `whyNot` has the reason. */
  readonly beyondChance: boolean | null;
  readonly whyNot: string | null;
}

/** Agreement beyond chance: 1 is perfect, 0 that of chance. */
export interface Coefficient {
  readonly value: number | Unknown;
  readonly interval: Interval | Unknown;
}

/** Below this many labelled cases, only the raw share has an interval: the others would be too narrow. */
export const FEWEST_CASES = 20;
const RESAMPLES = 2000;
/** Any will do; always the same, so that the same labels give the same numbers. */
const SEED = 1;

/**
 * Raw agreement, Cohen's kappa and Gwet's AC1. The interval of the raw share is Wilson's, on the effective number where cases have
 * several labels; those of the others are percentiles of 2,000 resamples of cases.
 */
export function agreementOf(pairs: readonly VerdictPair[], level: number): Agreement {
  const clusters = clustered(pairs);
  const table = tableOf(pairs);
  const values = clusters.map((own) => ({
    group: null,
    values: own.map(({ judge, people }) => (judge === people ? 1 : 0)),
    open: null,
  }));
  const answers = {
    a: pairs.map(({ people }) => people),
    b: pairs.map(({ judge }) => judge),
    categories: [true, false],
  };
  const kappa = cohenKappa(answers);
  const ac1 = gwetAC1(
    pairs.map(({ judge, people }) => [judge, people]),
    [true, false],
  );
  const tables = clusters.map(tableOf);
  const coefficients = {
    kappa: {
      value: isUnknown(kappa) ? kappa : kappa.kappa,
      interval: resampled(tables, kappaOf, level),
    },
    ac1: { value: isUnknown(ac1) ? ac1 : ac1.ac1, interval: resampled(tables, ac1Of, level) },
  };
  return {
    table,
    raw: estimateOf(values, RATE, level),
    ...coefficients,
    ...chanceOf(coefficients.kappa.interval, table, clusters, level),
  };
}

export function tableOf(pairs: readonly VerdictPair[]): ConfusionTable {
  const count = (judge: boolean, people: boolean) =>
    pairs.filter((pair) => pair.judge === judge && pair.people === people).length;
  return {
    bothPass: count(true, true),
    judgePassesOnly: count(true, false),
    peoplePassOnly: count(false, true),
    bothFail: count(false, false),
  };
}

/** `null`: one of them gave the same answer throughout, and so did the other. */
export function kappaOf({ bothPass, judgePassesOnly, peoplePassOnly, bothFail }: ConfusionTable): number | null {
  const n = bothPass + judgePassesOnly + peoplePassOnly + bothFail;
  const [judge, people] = [bothPass + judgePassesOnly, bothPass + peoplePassOnly];
  const disagreementByChance = judge * (n - people) + (n - judge) * people;
  if (disagreementByChance === 0) return null;
  return 1 - ((judgePassesOnly + peoplePassOnly) * n) / disagreementByChance;
}

export function ac1Of({ bothPass, judgePassesOnly, peoplePassOnly, bothFail }: ConfusionTable): number | null {
  const n = bothPass + judgePassesOnly + peoplePassOnly + bothFail;
  if (n === 0) return null;
  const share = (2 * bothPass + judgePassesOnly + peoplePassOnly) / (2 * n);
  const expected = 2 * share * (1 - share);
  return ((bothPass + bothFail) / n - expected) / (1 - expected);
}

/** The pairs of each case. */
export function clustered<T extends { readonly cluster: string }>(pairs: readonly T[]): readonly (readonly T[])[] {
  const found = new Map<string, T[]>();
  for (const pair of pairs) {
    const own = found.get(pair.cluster);
    if (own === undefined) found.set(pair.cluster, [pair]);
    else own.push(pair);
  }
  return [...found.values()];
}

/** Percentiles of a statistic over resamples of cases. */
export function resampledCases<T>(
  cases: readonly T[],
  statistic: (cases: readonly T[]) => number | null,
  level: number,
): Interval | Unknown {
  if (cases.length < FEWEST_CASES) return fewCases(cases.length);
  const of = (indices: ArrayLike<number>) => statistic(Array.from(indices, (index) => cases[index] as T));
  const resamples = bootstrapResamples(cases.length, RESAMPLES, SEED);
  const usable = resamples.filter((indices) => of(indices) !== null);
  if (usable.length < 0.95 * RESAMPLES) {
    return { unknown: 'nearly all verdicts are the same, so many resamples of the cases contain only one verdict' };
  }
  const values = cases.map((_, index) => index);
  const found = bootstrapPercentile({ values, statistic: (drawn) => of(drawn) ?? 0, resamples: usable, level });
  if (isUnknown(found)) return found;
  const { low, high } = found;
  if (high - low > 1e-9) return { low, high };
  return { unknown: 'all labelled cases agree, so resampling them shows no spread' };
}

export function fewCases(cases: number): Unknown {
  const what = cases === 1 ? '1 labelled case is' : `${cases} labelled cases are`;
  return { unknown: `${what} too few: at least ${FEWEST_CASES} are needed` };
}

function resampled(
  tables: readonly ConfusionTable[],
  statistic: (table: ConfusionTable) => number | null,
  level: number,
): Interval | Unknown {
  return resampledCases(tables, (drawn) => statistic(sumOf(drawn)), level);
}

function sumOf(tables: readonly ConfusionTable[]): ConfusionTable {
  let [bothPass, judgePassesOnly, peoplePassOnly, bothFail] = [0, 0, 0, 0];
  for (const table of tables) {
    bothPass += table.bothPass;
    judgePassesOnly += table.judgePassesOnly;
    peoplePassOnly += table.peoplePassOnly;
    bothFail += table.bothFail;
  }
  return { bothPass, judgePassesOnly, peoplePassOnly, bothFail };
}

function chanceOf(
  kappa: Interval | Unknown,
  table: ConfusionTable,
  clusters: readonly (readonly VerdictPair[])[],
  level: number,
): Pick<Agreement, 'beyondChance' | 'whyNot'> {
  if (!isUnknown(kappa)) return { beyondChance: kappa.low > 0, whyNot: null };
  if (clusters.length < FEWEST_CASES) return { beyondChance: null, whyNot: kappa.unknown };
  if (kappaOf(table) === null)
    return { beyondChance: null, whyNot: 'judge and people gave only one verdict throughout' };
  // One pair of each case, because pairs of one case go together.
  const { bothPass, judgePassesOnly, peoplePassOnly, bothFail } = tableOf(
    clusters.map(([first]) => first as VerdictPair),
  );
  const p = fisherExact(
    [
      [bothPass, judgePassesOnly],
      [peoplePassOnly, bothFail],
    ],
    'greater',
  );
  if (isUnknown(p)) return { beyondChance: null, whyNot: kappa.unknown };
  return { beyondChance: p < (1 - level) / 2, whyNot: null };
}
