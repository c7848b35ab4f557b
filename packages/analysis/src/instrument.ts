import type { Range } from '@agent-criteria/core';

/** A judge with the settings that its measurements are valid for. */
export interface Instrument extends Pick<CriterionFacts, 'options' | 'origin'> {
  readonly criterion: string;
  /** The prompts of the judge with their versions, sorted; empty if there is no judge or they are unknown. */
  readonly prompts: readonly string[];
  readonly judges: readonly string[];
}

/** Names the source of the verdicts in one word. */
export type Rater = 'judge' | 'criterion' | 'run';

/** The source of the verdicts of a criterion; `null` means whole cases. */
export function raterOf(
  criterion: string | null,
  instruments: readonly Pick<Instrument, 'criterion' | 'judges'>[],
): Rater {
  if (criterion === null) return 'run';
  const instrument = instruments.find((one) => one.criterion === criterion);
  // An unknown source is taken for a judge, which has to be checked.
  return instrument === undefined || instrument.judges.length > 0 ? 'judge' : 'criterion';
}

/** Facts that the scores of a criterion depend on. */
export interface CriterionFacts {
  readonly name: string;
  readonly range: Range;
  readonly decides: boolean;
  /** Whether it is measured in every run without being in the config. */
  readonly byDefault: boolean;
  /** `null` if it does not decide, or differs between eval sets. */
  readonly threshold: number | null;
  /** A hash of its options without the threshold. */
  readonly options: string;
  /** The judge models, sorted; empty if there are none or they are unknown. */
  readonly judges: readonly string[];
  /** Its package and version. */
  readonly origin: string;
}
