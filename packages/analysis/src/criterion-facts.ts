import type { Range } from '@agent-criteria/core';

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
