import type { Json, Rubric } from '@agent-criteria/core';

/** Options as files have them. */
export type Options = Readonly<Record<string, Json>>;

/** The criteria that the checks of another format became, for one conversation. */
export interface CaseCriteria {
  /** The options of criteria for this case, by criterion. */
  readonly options: ReadonlyMap<string, Options>;
  /** The statements that a judge checks. */
  readonly rubrics: readonly Rubric[];
  /** Entries that only a config can have, such as thresholds, by criterion. */
  readonly entries: ReadonlyMap<string, Options>;
  /** The models that judged, by the names that judges have here. */
  readonly judges: readonly string[];
}

/** The criterion that judges rubrics, and the type of its rubrics. */
export const RUBRICS = 'rubric_based_final_response_quality_v1';
export const RUBRIC_TYPE = 'FINAL_RESPONSE_QUALITY';
