import type { Instrument } from './instrument.ts';
import { type MeasuredAgreement, type MeasuredFile, type MeasuredNoise, measurementsOf } from './measured.ts';
import type { RunOutcomes } from './run-outcomes.ts';
import { scoresTooLarge } from './too-large.ts';

/** What is known of the judge of a criterion. Plain JSON. */
export interface JudgeStanding {
  readonly criterion: string;
  /** How far it agrees with people: of each kind of thing the newest measurement; empty: not measured as it is now. */
  readonly agreement: readonly MeasuredAgreement[];
  /** How far it agrees with itself; `null`: not measured as it is now. */
  readonly noise: MeasuredNoise | null;
  /** Why the measurements that there are of this criterion were not used; `null`: some were, or there are none. */
  readonly differs: JudgeDifference | null;
  /** Cases whose score the judge's noise may move across the threshold; `null`: there is no threshold, or the noise is not known. */
  readonly nearThreshold: NearThreshold | null;
}

/** What was another one when the judge of a criterion was measured. */
export interface JudgeDifference {
  readonly what: 'model' | 'prompt' | 'options';
  /** The models, or the ids of prompts; empty: not known. */
  readonly measured: readonly string[];
  readonly used: readonly string[];
}

export interface NearThreshold {
  readonly cases: number;
  readonly of: number;
  readonly threshold: number;
  /** How far the score of a case moves in 95 of 100 judgings of the same answers, all repeats together. */
  readonly margin: number;
}

/** What the measurements of a project say of the judges of a run, in the order of the run. */
export function judgeStandings(run: RunOutcomes, files: readonly MeasuredFile[]): readonly JudgeStanding[] {
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

/** Whether anything is known of the judge as it is now. */
export function isMeasured({ agreement, noise }: JudgeStanding): boolean {
  return agreement.length > 0 || noise !== null;
}

/** How the newest measurement of the criterion differs from what judged; `null`: there is none. */
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
    // What is not known cannot be the same.
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
