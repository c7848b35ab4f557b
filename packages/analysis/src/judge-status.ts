import { scoresTooLarge } from './case-values.ts';
import type { Instrument } from './instrument.ts';
import { type MeasuredAgreement, type MeasuredFile, type MeasuredNoise, measurementsOf } from './measured.ts';
import type { RunOutcomes } from './run-outcomes.ts';

/** Measurements of a criterion's judge. Plain JSON. */
export interface JudgeStatus {
  readonly criterion: string;
  /** Agreement with people: the newest measurement per kind of item. Empty if there is none for the current judge. */
  readonly agreement: readonly MeasuredAgreement[];
  /** The judge's agreement with itself, or `null` if not measured for the current judge. */
  readonly noise: MeasuredNoise | null;
  /** The reason why existing measurements do not apply, or `null` if some do, or there are none. */
  readonly differs: JudgeDifference | null;
  /** Cases whose verdict the judge's noise may change, or `null` without a threshold or a measurement. */
  readonly nearThreshold: NearThreshold | null;
}

/** A change to the judge since it was measured. */
export interface JudgeDifference {
  readonly what: 'model' | 'prompt' | 'options';
  /** Ids of models or prompts. Empty if unknown. */
  readonly measured: readonly string[];
  readonly used: readonly string[];
}

export interface NearThreshold {
  readonly cases: number;
  readonly of: number;
  readonly threshold: number;
  /**
   * The margin within which a case's score stays in 95 of 100 rounds of judging all its repeats; the largest of all
   * cases.
   */
  readonly margin: number;
}

/** Applies the measurements of a project to the judges of a run, in the order of the run. */
export function judgeStatuses(run: RunOutcomes, files: readonly MeasuredFile[]): readonly JudgeStatus[] {
  return (run.instruments ?? []).map((instrument) => {
    const { criterion } = instrument;
    const entries = measurementsOf(instrument, files);
    const agreement = new Map<string, MeasuredAgreement>();
    for (const entry of entries) {
      if (entry.measured !== 'agreement') continue;
      const kind = JSON.stringify([entry.rubric, entry.unit]);
      if (!agreement.has(kind)) agreement.set(kind, entry);
    }
    const noise = entries.find((entry) => entry.measured === 'noise') ?? null;
    return {
      criterion,
      agreement: [...agreement.values()],
      noise,
      differs: entries.length > 0 ? null : differenceOf(instrument, files),
      nearThreshold: noise?.judgeSd == null ? null : nearThreshold(run, criterion, noise.judgeSd),
    };
  });
}

/** Whether the current judge was measured. */
export function isMeasured({ agreement, noise }: JudgeStatus): boolean {
  return agreement.length > 0 || noise !== null;
}

/** Describes how the run's judge differs from the newest measured one, or returns `null` if none was measured. */
function differenceOf(instrument: Instrument, files: readonly MeasuredFile[]): JudgeDifference | null {
  const [newest] = files
    .flatMap(({ entries }) => entries)
    .filter(({ criterion }) => criterion === instrument.criterion)
    .sort((a, b) => Date.parse(b.date) - Date.parse(a.date));
  if (newest === undefined) return null;
  for (const [what, key] of [
    ['model', 'judges'],
    ['prompt', 'prompts'],
  ] as const) {
    const [measured, used] = [[...newest[key]].sort(), [...instrument[key]].sort()];
    // Two unknown values never count as equal.
    if (used.length === 0 || measured.join('\n') !== used.join('\n')) return { what, measured, used };
  }
  return { what: 'options', measured: [], used: [] };
}

function nearThreshold(run: RunOutcomes, criterion: string, judgeSd: number): NearThreshold | null {
  const facts = run.criteria.find(({ name }) => name === criterion);
  const threshold = facts?.threshold ?? null;
  if (facts === undefined || threshold === null) return null;
  const { range } = facts;
  if (scoresTooLarge(run, { name: criterion, range }) !== null) return null;
  const scored = run.cases.flatMap(({ criteria }) => {
    const found = criteria.find(({ name }) => name === criterion);
    const judged = found?.scores.filter((score) => score !== null).length ?? 0;
    return found === undefined || found.score === null || judged === 0
      ? []
      : [{ distance: Math.abs(found.score - threshold), margin: (1.96 * judgeSd) / Math.sqrt(judged) }];
  });
  return {
    cases: scored.filter(({ distance, margin }) => margin > 0 && distance <= margin).length,
    of: scored.length,
    threshold,
    margin: scored.reduce((most, { margin }) => Math.max(most, margin), 0),
  };
}
