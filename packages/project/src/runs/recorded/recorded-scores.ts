import type { LeftOut, RecordedResult } from '@agent-criteria/results/adk';

/** A result file of ADK whose inferences are judged again, and what its scores are compared by. */
export interface RecordedScores {
  readonly file: string;
  readonly result: RecordedResult;
  /** Where packages are looked up. */
  readonly folder: string;
  /** By name: the recorded metrics that are not judged, each with the reason. */
  readonly leftOut: ReadonlyMap<string, LeftOut>;
  /** A config was given, in place of what the file records. */
  readonly otherConfig: boolean;
}
