import { type Unknown, type VarianceComponents, varianceComponents } from '@agent-criteria/statistics';
import type { CaseName } from './case-key.ts';
import type { CaseOutcome } from './outcome.ts';
import { type PassesOfK, passesOfK } from './passes-of-k.ts';

/** An analysis of repeats: flaky cases, and how much of the spread is noise. Plain JSON. */
export interface RepeatAnalysis {
  readonly repeats: number;
  /** Cases in which some repeats passed and others failed, the most evenly split first. */
  readonly flaky: readonly FlakyCase[];
  /** The number of cases with at least two judged repeats, which could be flaky. */
  readonly repeatedCases: number;
  /**
   * The probability that a case passes at least once in k tries, and in all k, for selected k up to the repeats that
   * ran.
   */
  readonly passes: readonly PassesOfK[];
  /** The variance of passes (1) and failures (0) within and between cases. */
  readonly variance: VarianceComponents | Unknown;
}

export interface FlakyCase extends CaseName {
  readonly passed: number;
  /** The number of judged repeats. */
  readonly of: number;
  readonly answers: readonly DistinctAnswer[];
}

/** A distinct answer, and how many repeats gave it. */
export interface DistinctAnswer {
  /** The answer, truncated. */
  readonly text: string;
  /** The number of repeats with this answer. */
  readonly count: number;
  readonly passed: number;
}

/** @returns `null` if no case ran more than once. */
export function repeatAnalysis(cases: readonly CaseOutcome[], level: number): RepeatAnalysis | null {
  const repeats = cases.reduce((most, one) => Math.max(most, one.repeats.length), 0);
  if (repeats < 2) return null;
  const judged = cases
    .map((one) => ({ one, passes: one.repeats.flatMap(({ passed }) => (passed === null ? [] : [passed ? 1 : 0])) }))
    .filter(({ passes }) => passes.length > 0);
  const counts = judged.map(({ one: { group }, passes }) => ({
    group,
    n: passes.length,
    c: passes.reduce((sum, pass) => sum + pass, 0),
  }));
  const flaky = judged.flatMap(({ one }, index): FlakyCase[] => {
    const { n, c } = counts[index] as { n: number; c: number };
    if (c === 0 || c === n) return [];
    return [{ setId: one.setId, caseId: one.caseId, passed: c, of: n, answers: distinctAnswers(one) }];
  });
  const evenness = ({ passed, of }: FlakyCase) => Math.abs(passed / of - 0.5);
  return {
    repeats,
    flaky: flaky.sort((a, b) => evenness(a) - evenness(b)),
    repeatedCases: counts.filter(({ n }) => n > 1).length,
    passes: passesOfK(counts, repeats, level).filter(({ k }) => isKept(k, repeats)),
    variance: varianceComponents(judged.map(({ passes }) => passes)),
  };
}

/** Lists the distinct last answers of a case, the most frequent first. */
function distinctAnswers({ repeats }: CaseOutcome): readonly DistinctAnswer[] {
  const found = new Map<string, { count: number; passed: number }>();
  for (const { answer, passed } of repeats) {
    if (answer === null) continue;
    const own = found.get(answer) ?? { count: 0, passed: 0 };
    found.set(answer, { count: own.count + 1, passed: own.passed + (passed === true ? 1 : 0) });
  }
  return [...found].map(([text, counts]) => ({ text, ...counts })).sort((a, b) => b.count - a.count);
}

/** Keeps every k for up to 5 repeats. With more, keeps powers of two and the number of repeats. */
function isKept(k: number, repeats: number): boolean {
  return repeats <= 5 || k === repeats || Number.isInteger(Math.log2(k));
}
