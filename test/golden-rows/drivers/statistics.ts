import * as statistics from '@agent-criteria/statistics';
import { type Driver, driver } from '../driver.ts';

// The rows on statistics were computed with mpmath and exact fractions, not recorded from ADK.

interface Row {
  readonly input: Record<string, unknown>;
  readonly expected: unknown;
  readonly tol?: number;
  readonly atol?: number;
}

type Name = Exclude<keyof typeof statistics, 'isUnknown' | 'createRandom'>;
type Call = (...values: never[]) => unknown;

/** The parameters of functions with positional parameters, by their names in the README of the rows. */
const positional: Partial<Record<Name, string>> = {
  normalCdf: 'z',
  normalQuantile: 'p',
  logGamma: 'x',
  logBeta: 'a b',
  betaInc: 'x a b',
  betaQuantile: 'p a b',
  studentTCdf: 't df',
  studentTQuantile: 'p df',
  wilsonInterval: 'k n level',
  clopperPearsonInterval: 'k n level',
  jeffreysInterval: 'k n level',
  wilsonEffectiveInterval: 'cases level',
  tInterval: 'values level',
  clusterInterval: 'values clusters level',
  passAtK: 'n c k',
  passHatK: 'n c k',
  passAtKMean: 'cases k level',
  passHatKMean: 'cases k level',
  varianceComponents: 'cases',
  signFlipExact: 'differences',
  mcnemarExact: 'b c',
  wilcoxonSignedRankExact: 'differences alternative',
  fisherExact: 'table alternative',
  benjaminiHochberg: 'p',
  fleissKappa: 'counts',
  gwetAC1: 'ratings categories',
  krippendorffAlpha: 'units metric',
  isotonicRegression: 'x y weights',
  sampleSizeRate: 'p halfWidth level',
};

/** Functions that take a single object with the row's names. */
const named: readonly Name[] = [
  'cohenKappa',
  'ppiMean',
  'ppiPlusPlusMean',
  'roganGladen',
  'betaMixtureSequence',
  'betaMixtureLogE',
  'sprt',
  'mdePaired',
  'mdeUnpaired',
  'sampleSizePaired',
  'sampleSizeUnpaired',
  'repeatsPaired',
  'bootstrapPercentile',
  'bootstrapBca',
];

const functions: Readonly<Record<Name, unknown>> = { ...statistics };

export const statisticsDrivers: readonly Driver[] = [...(Object.keys(positional) as Name[]), ...named].map((name) =>
  driver<Row>(`statistics/${name}.jsonl`, null, (row) => {
    return { adk: row.expected, ours: asExpected(() => callStatistics(name, row.input), row) };
  }),
);

/** Calls the function of a row with its input. @throws Error if there is no such function. */
export function callStatistics(name: string, given: Record<string, unknown>): unknown {
  if (!(name in positional) && !named.some((one) => one === name)) throw new Error(`no row is about ${name}`);
  const input = revived(given) as Record<string, unknown>;
  const values = positional[name as Name]?.split(' ').map((argument) => input[argument]) ?? [input];
  return (functions[name as Name] as Call)(...(values as never[]));
}

/** Fields that must be exactly equal. */
const counts = ['cases', 'clusters', 'df', 'n', 'repeats'];

/** Converts the strings for numbers that JSON cannot represent. */
function revived(value: unknown): unknown {
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return Number(value);
  if (Array.isArray(value)) return value.map(revived);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, revived(inner)]));
}

/** Returns the expected result if the call is within the row's tolerance, else the result of the call. */
function asExpected(call: () => unknown, { expected, tol = 1e-12, atol = 0 }: Row): unknown {
  const refuses = isObject(expected) && 'error' in expected;
  try {
    const got = call();
    return refuses ? got : matched(got, expected, { tol, atol });
  } catch (error) {
    return refuses && error instanceof RangeError ? expected : String(error);
  }
}

function matched(got: unknown, expected: unknown, within: { tol: number; atol: number }): unknown {
  if (Array.isArray(expected)) {
    if (!Array.isArray(got) || got.length !== expected.length) return got;
    return expected.map((one, index) => matched(got[index], one, within));
  }
  if (isObject(expected)) {
    if ('unknown' in expected) return statistics.isUnknown(got) ? expected : got;
    if (!isObject(got)) return got;
    // A function may return more fields than the row has.
    const tolerance = (key: string) => (counts.includes(key) ? { tol: 0, atol: 0 } : within);
    return Object.fromEntries(
      Object.entries(expected).map(([key, one]) => [key, matched(got[key], one, tolerance(key))]),
    );
  }
  const number = revived(expected);
  if (got === number) return expected;
  if (typeof number !== 'number' || typeof got !== 'number') return got;
  return Math.abs(got - number) <= Math.max(within.tol * Math.abs(number), within.atol) ? expected : got;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
