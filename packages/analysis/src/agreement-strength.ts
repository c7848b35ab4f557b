import type { ConfusionTable, Majority } from './agreement.ts';
import type { MeasuredAgreement } from './measured.ts';

/**
 * How far verdicts can be relied on in place of people's: `none` where no agreement beyond that of chance was shown, `usable` from a
 * moderate kappa on where they agree more often than one verdict for everything would, `slight` in between.
 */
export type Strength = 'none' | 'slight' | 'usable';

/** From here on, kappa is called moderate (Landis and Koch 1977). */
const MODERATE = 0.4;

/** The numbers of a measurement that its strength follows from. */
export type StrengthNumbers = Pick<
  MeasuredAgreement,
  'agreement' | 'kappa' | 'ac1' | 'beyondChance' | 'table' | 'majority'
>;

/** `null`: too little was labelled to say. */
export function strengthOf({ agreement, kappa, ac1, beyondChance, ...of }: StrengthNumbers): Strength | null {
  const majority = of.majority ?? majorityOf(of.table);
  if (agreement.value === null || majority === null) return null;
  if (beyondChance === false || (ac1.value !== null && ac1.value <= 0)) return 'none';
  if (beyondChance === null || kappa.value === null) return null;
  return kappa.value >= MODERATE && agreement.value > majority.share ? 'usable' : 'slight';
}

/** Of labels that were counted as they are: files of older versions have the table alone. */
export function majorityOf({ bothPass, judgePassesOnly, peoplePassOnly, bothFail }: ConfusionTable): Majority | null {
  const all = bothPass + judgePassesOnly + peoplePassOnly + bothFail;
  if (all === 0) return null;
  const passes = (bothPass + peoplePassOnly) / all;
  return { verdict: passes >= 0.5 ? 'pass' : 'fail', share: Math.max(passes, 1 - passes) };
}
