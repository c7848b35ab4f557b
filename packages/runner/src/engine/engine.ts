import { wideController } from '@agent-criteria/calls';
import type { Problem, Unit } from '@agent-criteria/core';
import type { ReadyAgent } from '../agents.ts';
import { type InferenceRecord, type Journal, statesByKey, type UnitState } from '../journal/journal.ts';
import { caseText, keyOf, keyText, seenHash } from '../unit-key.ts';
import { finishUnit } from './finish-unit.ts';
import { inferUnit } from './infer-unit.ts';
import { type Mismatch, planCase, type UnitPlan } from './plan-case.ts';
import { readIfIntact, recheckCases } from './recheck-cases.ts';
import { createSemaphore } from './semaphore.ts';
import {
  type CasesToRun,
  type CaseWork,
  casesOf,
  type EngineOptions,
  fail,
  isEnding,
  type UnitWork,
  type Work,
} from './work.ts';
import { pauses } from './yield-to-event-loop.ts';

/** How many inferences may wait in memory to be scored, in addition to those being scored. */
const WAITING = 64;
const NO_MISMATCHES: ReadonlyMap<string, Mismatch> = new Map();

/** The result of one pass over the units. */
export interface EngineOutcome {
  /** Whether all work was done. */
  readonly complete: boolean;
  /**
   * Problems with calls that were not made and so leave their units unfinished, because the budget is spent or a
   * recording has no answer.
   */
  readonly problems: readonly Problem[];
  /** Warnings, such as about stored results that have since been changed. */
  readonly warnings: readonly Problem[];
}

/**
 * Runs and scores every unit of every set, several at a time, scoring while agents are still running. Units already in
 * the journal are not repeated. Ends when all work is done, or when it is asked to stop. Rejects if a record cannot be
 * stored.
 */
export async function runEngine(options: EngineOptions): Promise<EngineOutcome> {
  const { signal, cases, journal } = options;
  const { agents, scoring } = options.limits;
  // A journal failure aborts whatever is in flight.
  const end = wideController();
  const stop = (): void => end.abort(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  const work: Work = {
    options,
    end,
    problems: [],
    warnings: [],
    undone: false,
    spent: false,
    failure: null,
    calls: createSemaphore(scoring),
    scoring: createSemaphore(scoring),
    queue: createSemaphore(scoring + WAITING),
    sessions: createSemaphore(agents),
  };
  try {
    const states = await statesByKey(journal.states());
    const mismatches = options.recheck ? await recheckCases(cases, journal, states, end.signal) : NO_MISMATCHES;
    const units = unitsOf(work, states, mismatches);
    const pause = pauses();
    // A case that may stop early occupies its worker until its repeat has been scored, so more workers are needed to
    // keep the agents busy.
    const count = cases.auto === undefined ? agents : agents + scoring;
    const workers = Array.from({ length: count }, () => worker(work, units, pause));
    await Promise.all(workers.map((one) => one.catch((error: unknown) => fail(work, error))));
    // Acquiring every permit of the queue waits until no unit is being scored.
    for (let permit = 0; permit < scoring + WAITING; permit++) await work.queue.acquire();
  } finally {
    signal.removeEventListener('abort', stop);
  }
  if (work.failure !== null) throw work.failure.error;
  const { problems, warnings } = work;
  return { complete: !work.undone && !end.signal.aborted, problems, warnings };
}

/** Returns the agents that have at least one unit left to run. */
export async function agentsWithWork(
  cases: Omit<CasesToRun, 'repeatsOf' | 'variants'> & { readonly variants: readonly ReadyAgent[] },
  repeats: number,
  journal: Journal,
): Promise<readonly ReadyAgent[]> {
  const states = await statesByKey(journal.states());
  const all = Array.from({ length: repeats }, (_, repeat) => repeat);
  const { variants, rerun, auto } = cases;
  return variants.filter((one) =>
    [...casesOf({ ...cases, variants: [one], repeatsOf: () => all })].some(({ evalCase, ids }) => {
      const known = all.map((repeat) => states.get(keyText({ ...ids, repeat })));
      const plan = planCase(known, { seen: seenHash(evalCase), hasAgent: true, rerun, mayStop: auto !== undefined });
      return typeof plan !== 'string' && plan.some(({ isInferred }) => !isInferred);
    }),
  );
}

/**
 * Yields every unit that needs work, in order. The repeats of a case that may stop early form one item; all other units
 * are separate items.
 */
function* unitsOf(
  { options, warnings }: Work,
  states: ReadonlyMap<string, UnitState>,
  mismatches: ReadonlyMap<string, Mismatch>,
): Generator<UnitWork | Iterable<UnitWork>, undefined> {
  const { isLasting, sink, cases } = options;
  const mayStop = cases.auto !== undefined;
  let hashed: { readonly evalCase: unknown; readonly hash: string } | undefined;
  for (const { set, evalCase, agent, ids, repeats } of casesOf(cases)) {
    // Variants share their cases, so hash each case once.
    if (hashed?.evalCase !== evalCase) hashed = { evalCase, hash: isLasting ? seenHash(evalCase) : '' };
    const { setId, variant } = ids;
    const units = repeats.map(
      (repeat): Unit =>
        variant === undefined ? { setId, case: evalCase, repeat } : { setId, case: evalCase, repeat, variant },
    );
    const known = units.map((unit) => (states.size === 0 ? undefined : states.get(keyText(keyOf(unit)))));
    const how = { seen: hashed.hash, rerun: cases.rerun, hasAgent: agent !== null, mayStop };
    const before = planCase(known, how);
    const mismatch = typeof before === 'string' ? mismatches.get(caseText(ids)) : undefined;
    if (mismatch !== undefined) warnings.push(mismatch.problem);
    const plan = mismatch === undefined ? before : planCase(known, { ...how, mismatch: mismatch.in });
    if (typeof plan === 'string') {
      sink({ type: 'case-known', ...ids, verdict: plan });
      continue;
    }
    const ofCase: CaseWork = { set, evalCase, agent, seen: hashed.hash, repeats, scored: [], verdicts: [] };
    const all = units.map((unit, index): UnitWork => ({ ofCase, unit, plan: plan[index] as UnitPlan }));
    if (mayStop) yield all;
    else yield* all;
  }
}

async function worker(
  work: Work,
  units: Generator<UnitWork | Iterable<UnitWork>, undefined>,
  pause: () => Promise<void> | null,
): Promise<void> {
  for (;;) {
    const due = pause();
    if (due !== null) await due;
    if (isEnding(work)) {
      // Exhaust the generator, because it also reports cases that are already finished.
      for (const _ of units) work.undone = true;
      return;
    }
    const next = units.next().value;
    if (next === undefined) return;
    if (Symbol.iterator in next) {
      await runInOrder(work, next);
      continue;
    }
    const stored = await storedInference(work, next);
    const record = stored ?? (await inferUnit(work, next));
    if (record === null || !work.options.judge) continue;
    await work.queue.acquire();
    finishUnit(work, next, record, stored !== null).then(work.queue.release, (error) => {
      work.queue.release();
      fail(work, error);
    });
  }
}

/** Runs and scores a case's repeats one after another, until the case has run enough times. */
async function runInOrder(work: Work, units: Iterable<UnitWork>): Promise<void> {
  for (const next of units) {
    if (isEnding(work)) {
      work.undone = true;
      return;
    }
    const stored = await storedInference(work, next);
    const record = stored ?? (await work.sessions.run(() => inferUnlessEnding(work, next)));
    if (record === null || !(await finishUnit(work, next, record, stored !== null))) return;
  }
}

/** Infers a unit, unless the run was told to end, possibly while this call was waiting for a session. */
async function inferUnlessEnding(work: Work, next: UnitWork): Promise<InferenceRecord | null> {
  if (!isEnding(work)) return inferUnit(work, next);
  work.undone = true;
  return null;
}

/** Reads a unit's stored inference. Returns `null` if none is current. */
function storedInference({ options }: Work, { plan, unit }: UnitWork): Promise<InferenceRecord | null> | null {
  return plan.isInferred ? readIfIntact(() => options.journal.inference(keyOf(unit))) : null;
}
