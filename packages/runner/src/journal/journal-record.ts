import type { EvalCase } from '@agent-criteria/core';
import { type RunCase, type RunFacts, type RunRecord, runRecord } from '@agent-criteria/results';
import type { PlannedSet } from '../planned-set.ts';
import { seenHash } from '../unit.ts';
import type { Journal } from './journal.ts';
import type { JournalBackend } from './journal-of.ts';
import { type RecordReader, readCase } from './read-case.ts';
import { statesByKey } from './states-by-key.ts';

/** Which repeats of a case there are. */
export type Repeats = number | ((setId: string, caseId: string) => readonly number[]);

/**
 * The cases of a set, in its order, as a journal has them: with several agents, each case once for each. A case that was not
 * finished is an error.
 *
 * @param seenOf The hash of what the agent sees of a case now, as `seenHash` makes it. Default: it saw what it sees now.
 */
export async function readCases(
  journal: RecordReader & Pick<JournalBackend, 'states'>,
  { plan }: PlannedSet,
  repeats: Repeats,
  variants: readonly string[] = [],
  seenOf: (evalCase: EvalCase) => string | null = () => null,
): Promise<RunCase[]> {
  const states = await statesByKey(journal.states());
  const { evalSetId: setId, evalCases } = plan.evalSet;
  const all = typeof repeats === 'number' ? Array.from({ length: repeats }, (_, repeat) => repeat) : [];
  const cases: RunCase[] = [];
  for (const evalCase of evalCases) {
    const own = typeof repeats === 'number' ? all : repeats(setId, evalCase.evalId);
    const options = { setId, evalCase, repeats: own, seen: seenOf(evalCase), states };
    if (variants.length === 0) cases.push(await readCase(journal, options));
    for (const variant of variants) cases.push(await readCase(journal, { ...options, variant }));
  }
  return cases;
}

/** The record of a run that a journal holds, for reports. It is read whole. */
export async function journalRecord(
  journal: Journal,
  facts: RunFacts & { readonly repeats: number },
  sets: readonly PlannedSet[],
): Promise<RunRecord> {
  const recorded = [];
  for (const set of sets) {
    const cases = await readCases(
      journal,
      set,
      facts.repeats,
      (facts.variants ?? []).map(({ name }) => name),
      seenHash,
    );
    recorded.push({
      ...set,
      cases: cases.map(({ result }) => result),
      inferences: cases.flatMap(({ inferences }) => inferences),
      calls: cases.flatMap(({ calls = [] }) => calls),
    });
  }
  return runRecord(facts, recorded);
}
