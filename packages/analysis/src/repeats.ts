import { type Unknown, type VarianceComponents, varianceComponents } from '@agent-criteria/statistics';
import type { CaseOutcome } from './outcome.ts';
import { type PassesOfK, passesOfK } from './passes-of-k.ts';

/** What repeats show: which cases are flaky, and how much of the spread is noise. Plain JSON. */
export interface RepeatAnalysis {
  /** How often each case ran. */
  readonly repeats: number;
  /** Cases of which some repeats passed and others failed, the most even ones first. */
  readonly flaky: readonly FlakyCase[];
  /** Cases with at least two repeats that were judged: those that could be flaky. */
  readonly repeatedCases: number;
  /** The probability that a case passes at least once in k tries, and that it passes all k times, for each k that was run. */
  readonly passes: readonly PassesOfK[];
  /** Of the passes, 1 and 0, within and between cases. */
  readonly variance: VarianceComponents | Unknown;
}

/** A case whose repeats do not agree. */
export interface FlakyCase {
  readonly setId: string;
  readonly caseId: string;
  readonly passed: number;
  /** How many repeats were judged. */
  readonly of: number;
  readonly answers: readonly DistinctAnswer[];
}

/** An answer that some repeats gave, word for word. */
export interface DistinctAnswer {
  /** Shortened. */
  readonly text: string;
  /** How many repeats gave it. */
  readonly count: number;
  /** How many of those passed. */
  readonly passed: number;
}

/** `null`: no case ran more than once. */
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

/** The different last answers of a case, the most frequent first. */
export function distinctAnswers({ repeats }: CaseOutcome): readonly DistinctAnswer[] {
  const found = new Map<string, { count: number; passed: number }>();
  for (const { answer, passed } of repeats) {
    if (answer === null) continue;
    const own = found.get(answer) ?? { count: 0, passed: 0 };
    found.set(answer, { count: own.count + 1, passed: own.passed + (passed === true ? 1 : 0) });
  }
  return [...found].map(([text, counts]) => ({ text, ...counts })).sort((a, b) => b.count - a.count);
}

/** Every k up to 5; of more repeats powers of two, and all of them. */
function isKept(k: number, repeats: number): boolean {
  return repeats <= 5 || k === repeats || Number.isInteger(Math.log2(k));
}
