import type { Range } from '@agent-criteria/core';

/** A judge, with the settings for which its measurements are valid. */
export interface Instrument extends Pick<CriterionFacts, 'options' | 'origin'> {
  readonly criterion: string;
  /** The judge's prompts with their versions, sorted. Empty if there is no judge or they are unknown. */
  readonly prompts: readonly string[];
  readonly judges: readonly string[];
}

/** The source of verdicts, in one word. */
export type Rater = 'judge' | 'criterion' | 'run';

/** Returns the source of a criterion's verdicts, or of verdicts on whole cases if the criterion is `null`. */
export function raterOf(
  criterion: string | null,
  instruments: readonly Pick<Instrument, 'criterion' | 'judges'>[],
): Rater {
  if (criterion === null) return 'run';
  const instrument = instruments.find((one) => one.criterion === criterion);
  // An unknown source is assumed to be a judge, which has to be checked.
  return instrument === undefined || instrument.judges.length > 0 ? 'judge' : 'criterion';
}

/** Facts that the scores of a criterion depend on. */
export interface CriterionFacts {
  readonly name: string;
  readonly range: Range;
  readonly decides: boolean;
  /** Whether it is measured in every run even though the config does not list it. */
  readonly byDefault: boolean;
  /** `null` if it does not decide, or if it differs between eval sets. */
  readonly threshold: number | null;
  /** A hash of its options without the threshold. */
  readonly options: string;
  /** The judge models, sorted. Empty if there are none or they are unknown. */
  readonly judges: readonly string[];
  /** Its package and version. */
  readonly origin: string;
}
