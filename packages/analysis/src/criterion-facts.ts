import type { Range } from '@agent-criteria/core';

/** What the scores of a criterion depend on. */
export interface CriterionFacts {
  readonly name: string;
  readonly range: Range;
  readonly decides: boolean;
  /** Not named by a config: measured in every run. */
  readonly byDefault: boolean;
  /** `null` where it does not decide, or where its sets differ. */
  readonly threshold: number | null;
  /** Changes with its options, but for the threshold. */
  readonly options: string;
  /** The models that judge, sorted; empty where none does or none is known. */
  readonly judges: readonly string[];
  /** The package that it came from, with its version. */
  readonly origin: string;
}
