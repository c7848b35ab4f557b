import type { EvalCase, UnitKey } from '@agent-criteria/core';
import { type CaseResult, endedInError } from '@agent-criteria/core/host';
import {
  expandCaseResult,
  isUnmade,
  type Prices,
  type RunCall,
  type RunCase,
  type RunFacts,
  type RunInference,
  type RunRecord,
  runRecord,
} from '@agent-criteria/results';
import type { CasesToRun } from '../engine/work.ts';
import type { PlannedSet } from '../planned-set.ts';
import { keyText, seenHash } from '../unit-key.ts';
import { caseStatus } from './case-status.ts';
import { type Journal, type ScoreRecord, statesByKey, type UnitState } from './journal.ts';
import type { JournalBackend } from './journal-of.ts';

/**
 * Reads a set's cases from a journal in order, once per variant. An unfinished case counts as an error.
 *
 * @param variants The names of the variants, or `[undefined]` for a single agent.
 * @param seenOf Returns the current hash of the agent's input for a case, as computed by `seenHash`. Default:
 *   unchanged.
 */
export async function readCases(
  journal: RecordReader & Pick<JournalBackend, 'states'>,
  { plan }: PlannedSet,
  repeatsOf: CasesToRun['repeatsOf'],
  variants: readonly (string | undefined)[],
  seenOf: (evalCase: EvalCase) => string | null = () => null,
): Promise<RunCase[]> {
  const states = await statesByKey(journal.states());
  const { evalSetId: setId, evalCases } = plan.evalSet;
  const cases: RunCase[] = [];
  for (const evalCase of evalCases) {
    const seen = seenOf(evalCase);
    for (const variant of variants) {
      const repeats = repeatsOf(setId, evalCase, variant);
      cases.push(await readCase(journal, { setId, evalCase, variant, repeats, seen, states }));
    }
  }
  return cases;
}

/** Reads the complete record of a run from a journal, for reports. */
export async function journalRecord(
  journal: Journal,
  facts: RunFacts & { readonly repeats: number },
  sets: readonly PlannedSet[],
): Promise<RunRecord> {
  const all = Array.from({ length: facts.repeats }, (_, repeat) => repeat);
  const variants = facts.variants?.map(({ name }) => name) ?? [undefined];
  const recorded = [];
  for (const set of sets) {
    const cases = await readCases(journal, set, () => all, variants, seenHash);
    recorded.push({
      ...set,
      cases: cases.map(({ result }) => result),
      inferences: cases.flatMap(({ inferences }) => inferences),
      calls: cases.flatMap(({ calls = [] }) => calls),
    });
  }
  return runRecord(facts, recorded);
}

/** Reads single records, from a journal or from a run folder that another process may be writing to. */
type RecordReader = Pick<JournalBackend, 'inference' | 'scores' | 'calls'>;

interface ReadCaseOptions {
  readonly setId: string;
  readonly evalCase: EvalCase;
  /** The name of the agent, if there are several. */
  readonly variant?: string | undefined;
  /** The repeats of the case, or all possible ones if the case may stop early. */
  readonly repeats: readonly number[];
  /** Whether the case may stop before its last repeat. Default `false`. */
  readonly mayStop?: boolean | undefined;
  /** The hash of the agent's input, or `null` if this is known to be the case that ran. */
  readonly seen: string | null;
  /** The state of each unit, by `keyText` of its key. */
  readonly states: ReadonlyMap<string, UnitState>;
  /** `false` if there is no scoring pass, so that a missing score is no error. Default: true. */
  readonly hasScoring?: boolean | undefined;
  /** The run's prices. Default: none. */
  readonly prices?: Prices | undefined;
}

/** Reads a case from its current records. */
export async function readCase(reader: RecordReader, options: ReadCaseOptions): Promise<RunCase> {
  const { setId, evalCase, variant, repeats, mayStop, seen, states, hasScoring, prices } = options;
  const ofVariant = variant === undefined ? {} : { variant };
  const ids = { setId, caseId: evalCase.evalId, ...ofVariant };
  const keys = repeats.map((repeat): UnitKey => ({ ...ids, repeat }));
  const status = caseStatus(
    keys.map((key) => states.get(keyText(key))),
    seen,
    mayStop,
  );
  const inferences: RunInference[] = [];
  const scores: ScoreRecord[] = [];
  const calls: RunCall[] = [];
  for (const [index, key] of keys.entries()) {
    const { inferred = false, scored = false } = status.units[index] ?? {};
    const found = inferred ? await reader.inference(key) : null;
    if (found !== null) {
      const { inference, startedAt, endedAt } = found;
      inferences.push({ key, inference, startedAt, endedAt });
    }
    const record = scored ? await reader.scores(key) : null;
    if (record !== null) scores.push(record);
    calls.push(...(await reader.calls(key)));
  }
  // Sort by completion.
  calls.sort((a, b) => a.endedAt - b.endedAt);
  const result =
    resultOf(scores, keys[status.completedBy ?? -1]) ??
    unfinishedCase(ids, { inferences, calls, repeats: keys.length, hasScoring });
  return {
    setId,
    ...ofVariant,
    evalCase,
    result,
    inferences,
    ...(calls.length > 0 && { calls }),
    ...(prices && { prices }),
  };
}

function resultOf(scores: readonly ScoreRecord[], completedBy: UnitKey | undefined): CaseResult | null {
  const completed = scores.find(({ key }) => key.repeat === completedBy?.repeat)?.case;
  if (completed === undefined) return null;
  const units = scores.map(({ key, scores: own }) => ({ key, ...own }));
  return expandCaseResult(completed.result, units);
}

/** The records of an unfinished case. */
interface UnfinishedRecords {
  readonly inferences: readonly RunInference[];
  readonly calls: readonly RunCall[];
  /** The number of planned inferences. */
  readonly repeats: number;
  /** `false` if there is no scoring pass. Default: true. */
  readonly hasScoring?: boolean | undefined;
}

/**
 * Creates the result of a case that the run did not finish, which is an error and never a pass. A recorded conversation in
 * a run without a scoring pass is not evaluated.
 */
export function unfinishedCase(
  ids: Pick<CaseResult, 'setId' | 'caseId' | 'variant'>,
  { inferences, calls, repeats, hasScoring = true }: UnfinishedRecords,
): CaseResult {
  const units = inferences.map(({ key, inference }) => ({
    repeat: key.repeat,
    sessionId: inference.sessionId,
    ending: inference.ending,
  }));
  const bad = units.find((unit) => endedInError(unit.ending))?.ending;
  const inferred = units.filter((unit) => !endedInError(unit.ending)).length;
  const isUnscored = !hasScoring && bad === undefined && inferred === repeats;
  const reason =
    bad?.by === 'error'
      ? bad.error.message
      : (bad?.reason ??
        (inferred < repeats
          ? inferred === 0
            ? 'no inference is recorded: the run ended before this case, or what the agent sees of the case has changed since then'
            : `the run ended after ${inferred} of ${repeats} repeats`
          : isUnscored
            ? 'not scored yet'
            : (missingAnswer(calls) ?? 'the run ended before this case was scored')));
  return {
    ...ids,
    verdict: isUnscored ? 'not-evaluated' : 'error',
    reason,
    criteria: [],
    units: units.map(({ repeat, sessionId, ending }) => ({
      repeat,
      sessionId,
      ending,
      criteria: [],
      verdict: endedInError(ending) ? 'error' : 'not-evaluated',
    })),
  };
}

/**
 * Describes the first answer that the recording lacks, which explains a missing score. Returns `undefined` if none is
 * missing.
 */
function missingAnswer(calls: readonly RunCall[]): string | undefined {
  const first = calls.find(isUnmade);
  if (first?.error === undefined) return undefined;
  const { error, caller, turn, sample } = first;
  if (error.code !== 'RECORDING_MISSING') return error.message;
  const place = turn === null ? 'the conversation' : `turn ${turn + 1}`;
  return `not judged: the recording has no answer for ${caller}, ${place}, sample ${sample + 1}`;
}
