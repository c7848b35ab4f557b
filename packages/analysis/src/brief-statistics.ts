import type { RunAnalysis } from './analyse-run.ts';
import { judgeLines } from './judge-lines.ts';
import { isMeasured, type JudgeStanding } from './judge-standing.ts';
import { type StatisticsSection, statisticsSections } from './statistics-lines.ts';

/** With fewer cases, the interval of the pass rate can reach 17 points and more to either side, and the other lines add little to that. */
const FEW_CASES = 30;

/**
 * The lines below the counts of a run that has just ended: with few cases, the pass rate and its interval; with more, everything that
 * `statisticsSections` gives. Judges that were never measured are counted, not named.
 *
 * @param name How names of cases and criteria are written. Default: as they are.
 */
export function briefStatistics(
  analyses: readonly RunAnalysis[],
  name: (text: string) => string = (text) => text,
): readonly StatisticsSection[] {
  const unjudged = analyses.map(({ judges: _, ...one }): RunAnalysis => one);
  const own = statisticsSections(unjudged, name).map((section) => {
    const of = analyses.find(({ variant }) => variant === section.variant);
    return of !== undefined && isSmall(of) ? { ...section, lines: section.lines.slice(0, 1) } : section;
  });
  const judges = briefJudges(
    analyses.map((one) => one.judges ?? []),
    name,
  );
  const [first] = own;
  if (first === undefined || judges.length === 0) return own;
  return analyses.length === 1 ? [{ ...first, lines: [...first.lines, ...judges] }] : [...own, { lines: judges }];
}

/** Lines about stopping early are always shown. */
function isSmall({ passRate, criteria, stoppedEarly }: RunAnalysis): boolean {
  const cases = Math.max(passRate?.cases ?? 0, ...criteria.map((one) => one.cases));
  return cases < FEW_CASES && !stoppedEarly;
}

function briefJudges(variants: readonly (readonly JudgeStanding[])[], name: (text: string) => string) {
  const never = new Set(variants.flatMap((all) => all.filter(isNew)).map(({ criterion }) => criterion));
  const others = judgeLines(
    variants.map((all) => all.filter((one) => !isNew(one))),
    name,
  );
  if (never.size === 0) return others;
  const judges = never.size === 1 ? 'the judge was' : `${never.size} judges were`;
  return [`${judges} never measured: see agent-criteria calibrate`, ...others];
}

function isNew(one: JudgeStanding): boolean {
  return !isMeasured(one) && one.differs === null;
}
