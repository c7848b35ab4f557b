import type { EvalCase, UnitKey } from '@agent-criteria/core';
import type { CaseResult } from '@agent-criteria/core/host';
import { expandCaseResult, type RunCall, type RunCase, type RunInference } from '@agent-criteria/results';
import { keyText } from '../key-text.ts';
import { unfinishedCase } from '../unfinished.ts';
import { caseStanding } from './case-standing.ts';
import type { InferenceRecord, ScoreRecord, UnitState } from './journal.ts';
import type { Awaitable } from './journal-of.ts';

/** What reads single records: a journal, or the folder of a run that somebody else may be writing. */
export interface RecordReader {
  inference(key: UnitKey): Awaitable<InferenceRecord | null>;
  scores(key: UnitKey): Awaitable<ScoreRecord | null>;
  calls(key: UnitKey): Awaitable<readonly RunCall[]>;
}

export interface ReadCaseOptions {
  readonly setId: string;
  readonly evalCase: EvalCase;
  /** Which of several agents ran it. Default: there is only one. */
  readonly variant?: string | undefined;
  /** Which repeats of the case there are; where it may stop early, at most. */
  readonly repeats: readonly number[];
  /** The case may stop before the last of them. Default `false`. */
  readonly mayStop?: boolean | undefined;
  /** The hash of what the agent sees of the case; `null`: the case is known to be the one that ran. */
  readonly seen: string | null;
  /** What there is of each unit, by the text of its key. */
  readonly states: ReadonlyMap<string, UnitState>;
}

/** A case of a run, of the records that count. */
export async function readCase(reader: RecordReader, options: ReadCaseOptions): Promise<RunCase> {
  const { setId, evalCase, variant, repeats, mayStop, seen, states } = options;
  const ofVariant = variant === undefined ? {} : { variant };
  const ids = { setId, caseId: evalCase.evalId, ...ofVariant };
  const keys = repeats.map((repeat): UnitKey => ({ ...ids, repeat }));
  const standing = caseStanding(
    keys.map((key) => states.get(keyText(key))),
    seen,
    mayStop,
  );
  const inferences: RunInference[] = [];
  const scores: ScoreRecord[] = [];
  const calls: RunCall[] = [];
  for (const [index, key] of keys.entries()) {
    const { inferred = false, scored = false } = standing.units[index] ?? {};
    const found = inferred ? await reader.inference(key) : null;
    if (found !== null) {
      const { inference, startedAt, endedAt } = found;
      inferences.push({ key, inference, startedAt, endedAt });
    }
    const record = scored ? await reader.scores(key) : null;
    if (record !== null) scores.push(record);
    calls.push(...(await reader.calls(key)));
  }
  // Of several repeats, as they ended.
  calls.sort((a, b) => a.endedAt - b.endedAt);
  const result =
    resultOf(scores, keys[standing.completedBy ?? -1]) ??
    unfinishedCase(ids, { inferences, calls, repeats: keys.length });
  return { setId, ...ofVariant, evalCase, result, inferences, ...(calls.length > 0 && { calls }) };
}

function resultOf(scores: readonly ScoreRecord[], completedBy: UnitKey | undefined): CaseResult | null {
  const completed = scores.find(({ key }) => key.repeat === completedBy?.repeat)?.case;
  if (completed === undefined) return null;
  const units = scores.map(({ key, scores: own }) => ({ key, ...own }));
  return expandCaseResult(completed.result, units);
}
