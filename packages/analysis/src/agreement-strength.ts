import type { ConfusionTable, Majority } from './agreement.ts';
import type { MeasuredAgreement } from './measured.ts';

/**
 * How well verdicts can stand in for human verdicts. `none`: no agreement beyond chance was shown. `usable`: kappa is
 * at least moderate, and the verdicts agree more often than a constant verdict would. `slight`: anything in between.
 */
export type Strength = 'none' | 'slight' | 'usable';

/** The kappa from which agreement counts as moderate (Landis and Koch 1977). */
const MODERATE = 0.4;

/** Rates an agreement, or returns `null` if that is unknown. */
export function strengthOf({
  agreement,
  kappa,
  ac1,
  beyondChance,
  ...of
}: Pick<MeasuredAgreement, 'agreement' | 'kappa' | 'ac1' | 'beyondChance' | 'table' | 'majority'>): Strength | null {
  const majority = of.majority ?? majorityOf(of.table);
  if (agreement.value === null || majority === null) return null;
  if (beyondChance === false || (ac1.value !== null && ac1.value <= 0)) return 'none';
  if (beyondChance === null || kappa.value === null) return null;
  return kappa.value >= MODERATE && agreement.value > majority.share ? 'usable' : 'slight';
}

/** Derives the majority from unweighted counts, because files from older versions contain only the table. */
export function majorityOf({ bothPass, judgePassesOnly, peoplePassOnly, bothFail }: ConfusionTable): Majority | null {
  const all = bothPass + judgePassesOnly + peoplePassOnly + bothFail;
  if (all === 0) return null;
  const passes = (bothPass + peoplePassOnly) / all;
  return { verdict: passes >= 0.5 ? 'pass' : 'fail', share: Math.max(passes, 1 - passes) };
}
