import type { CriterionFacts } from './criterion-facts.ts';

/** What judged, as it has to be for what was measured of it to hold. */
export interface Instrument extends Pick<CriterionFacts, 'options' | 'origin'> {
  readonly criterion: string;
  /** The prompts of the judge and their versions, sorted; empty where no judge was asked or it is not known. */
  readonly prompts: readonly string[];
  /** The models that answered, sorted. */
  readonly judges: readonly string[];
}
