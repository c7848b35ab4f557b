import type { WrittenEvalCase, WrittenEvalSet } from '../data/written.ts';

/** An eval set as a value, or eval cases: a list, or one by one. */
export type EvalSetSource =
  | WrittenEvalSet
  | readonly WrittenEvalCase[]
  | Iterable<WrittenEvalCase>
  | AsyncIterable<WrittenEvalCase>;
