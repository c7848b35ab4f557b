import type { CriterionFacts } from './criterion-facts.ts';

/** What judged, as it has to be for what was measured of it to hold. */
export interface Instrument extends Pick<CriterionFacts, 'options' | 'origin'> {
  readonly criterion: string;
  /** The prompts of the judge and their versions, sorted; empty where no judge was asked or it is not known. */
  readonly prompts: readonly string[];
  /** The models that answered, sorted. */
  readonly judges: readonly string[];
}

/** Names the source of the verdicts in one word. */
export type Rater = 'judge' | 'criterion' | 'run';

/** Who gives the verdict of a criterion (`null`: of whole cases): a model that judges, the criterion itself, or the run. */
export function raterOf(
  criterion: string | null,
  instruments: readonly Pick<Instrument, 'criterion' | 'judges'>[],
): Rater {
  if (criterion === null) return 'run';
  const instrument = instruments.find((one) => one.criterion === criterion);
  // An unknown source is taken for a judge, which has to be checked.
  return instrument === undefined || instrument.judges.length > 0 ? 'judge' : 'criterion';
}
