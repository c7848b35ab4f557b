import type { WrittenEvalCase, WrittenEvalSet } from '../data/written.ts';

/** An eval set as a value, or eval cases: a list, or one by one. */
export type EvalSetSource = WrittenEvalSet | Iterable<WrittenEvalCase> | AsyncIterable<WrittenEvalCase>;
