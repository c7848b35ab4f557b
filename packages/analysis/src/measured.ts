import { CriteriaError, type Problem } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { fits, is, type Schema } from '@agent-criteria/formats/schema';
import { type Interval, isUnknown, type Unknown } from '@agent-criteria/statistics';
import type { ConfusionTable, Majority } from './agreement.ts';
import type { Instrument } from './instrument.ts';
import type { Kind } from './judgements.ts';

const KIND = 'agent-criteria measurements';
const FORMAT = 1;

/** Measurements of judges as a small file to commit: numbers, names and hashes, but no text. Plain JSON. */
export interface MeasuredFile {
  readonly kind: typeof KIND;
  readonly format: typeof FORMAT;
  readonly entries: readonly (MeasuredAgreement | MeasuredNoise)[];
}

/** The judge that was measured. The measurement is valid for no other. */
export interface MeasuredInstrument extends Pick<Instrument, 'criterion' | 'options' | 'prompts' | 'judges'> {
  readonly run: string;
  /** The date of the measurement, in ISO format. */
  readonly date: string;
}

/** A number and the ends of its interval, each `null` if unknown. */
export interface MeasuredNumber {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** The judge's agreement with people, measured by `calibrate`. */
export interface MeasuredAgreement extends MeasuredInstrument {
  readonly measured: 'agreement';
  readonly rubric: string | null;
  readonly unit: Kind['unit'];
  readonly people: number;
  readonly things: number;
  readonly cases: number;
  readonly table: ConfusionTable;
  readonly agreement: MeasuredNumber;
  readonly kappa: MeasuredNumber;
  readonly ac1: MeasuredNumber;
  /** `null` if unknown. */
  readonly beyondChance: boolean | null;
  /** How often a constant verdict would agree, or `null` if unknown. Absent in files from older versions. */
  readonly majority?: Majority | null | undefined;
}

/** The judge's agreement with itself, measured by `noise`. */
export interface MeasuredNoise extends MeasuredInstrument {
  readonly measured: 'noise';
  readonly repeats: number;
  readonly cases: number;
  /** The share of items whose verdict changed. */
  readonly flipped: MeasuredNumber;
  /** The standard deviation of an answer's score when it is judged again. */
  readonly judgeSd: number | null;
  /** If the same answers are judged twice, the means differ by less than this 95 times in 100. */
  readonly differenceFloor?: number | null | undefined;
}

export function measuredFile(entries: MeasuredFile['entries']): MeasuredFile {
  return { kind: KIND, format: FORMAT, entries };
}

export function measuredOf(instrument: Instrument, run: string, date: Date): MeasuredInstrument {
  const { criterion, options, prompts, judges } = instrument;
  return { criterion, options, prompts, judges, run, date: date.toISOString() };
}

export function numberOf(value: number | null | Unknown, interval: Interval | Unknown): MeasuredNumber {
  const ends = isUnknown(interval) ? { low: null, high: null } : interval;
  return { value: isUnknown(value) ? null : value, low: ends.low, high: ends.high };
}

/** JSON may contain numbers beyond the range of a double. */
const finite = (value: unknown) => Number.isFinite(value);
const spread = (value: unknown) => finite(value) && (value as number) >= 0;
const number: Schema<MeasuredNumber> = {
  value: is.orNull(finite),
  low: is.orNull(finite),
  high: is.orNull(finite),
};
const instrument = {
  criterion: is.text,
  options: is.text,
  prompts: is.list(is.text),
  judges: is.list(is.text),
  run: is.text,
  date: (value: unknown) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
};
const agreement: Schema<MeasuredAgreement> = {
  ...instrument,
  measured: (value) => value === 'agreement',
  rubric: is.orNull(is.text),
  unit: (value) => value === 'turn' || value === 'conversation',
  people: is.count,
  things: is.count,
  cases: is.count,
  table: { bothPass: is.count, judgePassesOnly: is.count, peoplePassOnly: is.count, bothFail: is.count },
  agreement: number,
  kappa: number,
  ac1: number,
  beyondChance: is.orNull(is.flag),
  majority: is.optional(is.orNull({ verdict: (value) => value === 'pass' || value === 'fail', share: finite })),
};
const noise: Schema<MeasuredNoise> = {
  ...instrument,
  measured: (value) => value === 'noise',
  repeats: is.count,
  cases: is.count,
  flipped: number,
  judgeSd: is.orNull(spread),
  differenceFloor: is.optional(is.orNull(spread)),
};

/**
 * Reads a file of measurements that `calibrate` or `noise` wrote, without entries that measured nothing, such as those
 * from a judge that did not answer.
 *
 * @param file The file name to use in errors.
 * @throws CriteriaError UNKNOWN_FORMAT for another format version; INVALID_DATA for an invalid file.
 */
export function readMeasured(value: unknown, file: string): MeasuredFile {
  const refuse = (message: string, rest: Partial<Pick<Problem, 'code' | 'path'>> = {}) =>
    new CriteriaError({ code: 'INVALID_DATA', file, message, ...rest });
  const again = 'write it anew with agent-criteria calibrate or agent-criteria noise, each with --output FILE';
  if (!isObject(value) || value.kind !== KIND) {
    throw refuse(`not a file of measurements: "kind" must be "${KIND}"; ${again}`);
  }
  if (typeof value.format !== 'number') throw refuse(`"format" must be a number; ${again}`);
  if (value.format !== FORMAT) {
    const message = `format ${value.format} of measurements, and this version reads format ${FORMAT}: update agent-criteria`;
    throw refuse(message, { code: 'UNKNOWN_FORMAT' });
  }
  const entries: unknown = value.entries;
  if (!Array.isArray(entries)) throw refuse(`"entries" must be a list; ${again}`);
  const read = entries.map((entry, index) => {
    if (fits(agreement, entry) || fits(noise, entry)) return entry;
    throw refuse(`this measurement is damaged; ${again}`, { path: `$.entries[${index}]` });
  });
  return measuredFile(read.filter(hasNumbers));
}

function hasNumbers(entry: MeasuredAgreement | MeasuredNoise): boolean {
  if (entry.measured === 'agreement') return entry.things > 0;
  return entry.flipped.value !== null || entry.judgeSd !== null;
}

/**
 * Finds the measurements that are valid for a judge, the newest first. Criterion, options, prompts and models must be
 * the same, so a judge with an unknown prompt or model has none.
 */
export function measurementsOf(
  { criterion, options, prompts, judges }: Instrument,
  files: readonly MeasuredFile[],
): MeasuredFile['entries'] {
  if (prompts.length === 0 || judges.length === 0) return [];
  const same = (a: readonly string[], b: readonly string[]) => [...a].sort().join('\n') === [...b].sort().join('\n');
  return files
    .flatMap(({ entries }) => entries)
    .filter(
      (entry) =>
        entry.criterion === criterion &&
        entry.options === options &&
        same(entry.prompts, prompts) &&
        same(entry.judges, judges),
    )
    .sort((a, b) => Date.parse(b.date) - Date.parse(a.date));
}
