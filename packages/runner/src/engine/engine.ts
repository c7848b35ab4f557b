import { wideController } from '@agent-criteria/calls';
import type { Problem, Unit } from '@agent-criteria/core';
import pLimit from 'p-limit';
import type { InferenceRecord, UnitState } from '../journal/journal.ts';
import { statesByKey } from '../journal/states-by-key.ts';
import { caseText, keyText } from '../key-text.ts';
import { keyOf, seenHash } from '../unit.ts';
import type { Doubt } from './doubt.ts';
import { finishUnit } from './finish-unit.ts';
import { inferUnit } from './infer-unit.ts';
import { planCase, type UnitPlan } from './plan-case.ts';
import { readKept } from './read-kept.ts';
import { recheckCases } from './recheck-cases.ts';
import { openSlots } from './slots.ts';
import { type CaseWork, type EngineOptions, fail, isEnding, type UnitWork, type Work } from './work.ts';
import { pauses } from './yield-to-event-loop.ts';

/** How many inferences may wait in memory for their scores, beside those that are being scored. */
const WAITING = 64;
const NO_DOUBTS: ReadonlyMap<string, Doubt> = new Map();

/** What a pass over the units came to. */
export interface EngineOutcome {
  /** Whether nothing was left undone. */
  readonly complete: boolean;
  /** Calls that were not made, so that their units stay undone: the budget is spent, or a recording lacks them. */
  readonly problems: readonly Problem[];
  /** What was kept by an earlier start, and was changed since. */
  readonly warnings: readonly Problem[];
}

/**
 * The engine: every unit of every set is run and scored, several at once, scores while agents still run. What the journal
 * has already is not done again. Ends when all is done, when it is asked to stop, or when the journal cannot keep a record,
 * which is the only way to reject.
 */
export async function runEngine(options: EngineOptions): Promise<EngineOutcome> {
  const { signal, agents, scoring, auto } = options;
  // A failure of the journal ends what is under way.
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
    calls: pLimit(scoring),
    scoring: openSlots(scoring),
    places: openSlots(scoring + WAITING),
    sessions: openSlots(agents),
  };
  try {
    const states = await statesByKey(options.journal.states());
    const doubts = options.recheck ? await recheckCases({ ...options, signal: end.signal }, states) : NO_DOUBTS;
    const units = unitsOf(work, states, doubts);
    const pause = pauses();
    // A case that may stop is held until its repeat is scored: others run meanwhile.
    const held = auto === undefined ? agents : agents + scoring;
    const workers = Array.from({ length: held }, () => worker(work, units, pause));
    await Promise.all(workers.map((one) => one.catch((error: unknown) => fail(work, error))));
    // Once all places are held, nothing is being scored any more.
    for (let place = 0; place < scoring + WAITING; place++) await work.places.enter();
  } finally {
    signal.removeEventListener('abort', stop);
  }
  if (work.failure !== null) throw work.failure.error;
  const { problems, warnings } = work;
  return { complete: !work.undone && !end.signal.aborted, problems, warnings };
}

/**
 * Every unit that needs work, in the order of the sets, the variants of a case together, and so their repeats: those that run in
 * any order one by one, those of a case that may stop together.
 */
function* unitsOf(
  { options, warnings }: Work,
  states: ReadonlyMap<string, UnitState>,
  doubts: ReadonlyMap<string, Doubt>,
): Generator<UnitWork | Iterable<UnitWork>, undefined> {
  const { sets, variants, rerun, repeatsOf, auto, isLasting, sink } = options;
  const mayStop = auto !== undefined;
  for (const set of sets) {
    const { evalSetId: setId, evalCases } = set.plan.evalSet;
    for (const evalCase of evalCases) {
      const seen = isLasting ? seenHash(evalCase) : '';
      for (const { variant, agent } of variants) {
        const repeats = repeatsOf(setId, evalCase, variant);
        const units = repeats.map(
          (repeat): Unit =>
            variant === undefined ? { setId, case: evalCase, repeat } : { setId, case: evalCase, repeat, variant },
        );
        const known = units.map((unit) => (states.size === 0 ? undefined : states.get(keyText(keyOf(unit)))));
        const how = { seen, rerun, hasAgent: agent !== null, mayStop };
        const before = planCase(known, how);
        const { evalId: caseId } = evalCase;
        const ids = variant === undefined ? { setId, caseId } : { setId, caseId, variant };
        const doubt = typeof before === 'string' ? doubts.get(caseText(ids)) : undefined;
        if (doubt !== undefined) warnings.push(doubt.problem);
        const plan = doubt === undefined ? before : planCase(known, { ...how, doubt: doubt.of });
        if (typeof plan === 'string') {
          sink({ type: 'case-known', ...ids, verdict: plan });
          continue;
        }
        const ofCase: CaseWork = { set, evalCase, agent, seen, repeats, scored: [], verdicts: [] };
        const all = units.map((unit, index): UnitWork => ({ ofCase, unit, plan: plan[index] as UnitPlan }));
        if (mayStop) yield all;
        else yield* all;
      }
    }
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
      // The cases that are finished already are reported all the same.
      for (const _ of units) work.undone = true;
      return;
    }
    const next = units.next().value;
    if (next === undefined) return;
    if (Symbol.iterator in next) {
      await runInOrder(work, next);
      continue;
    }
    const kept = await keptInference(work, next);
    const record = kept ?? (await inferUnit(work, next));
    if (record === null || !work.options.judge) continue;
    await work.places.enter();
    finishUnit(work, next, record, kept !== null).then(work.places.leave, (error) => {
      work.places.leave();
      fail(work, error);
    });
  }
}

/** Runs and scores the repeats of a case, each after the one before it has its scores, until the case has run often enough. */
async function runInOrder(work: Work, units: Iterable<UnitWork>): Promise<void> {
  for (const next of units) {
    if (isEnding(work)) {
      work.undone = true;
      return;
    }
    const kept = await keptInference(work, next);
    const record = kept ?? (await inferInTurn(work, next));
    if (record === null || !(await finishUnit(work, next, record, kept !== null))) return;
  }
}

/** `inferUnit` once there is room for a session; `null`: the run is to end, or what came of it is not to be kept. */
async function inferInTurn(work: Work, next: UnitWork): Promise<InferenceRecord | null> {
  await work.sessions.enter();
  try {
    if (!isEnding(work)) return await inferUnit(work, next);
    work.undone = true;
    return null;
  } finally {
    work.sessions.leave();
  }
}

/** `null`: there is none that counts. */
function keptInference({ options }: Work, { plan, unit }: UnitWork): Promise<InferenceRecord | null> | null {
  return plan.isInferred ? readKept(() => options.journal.inference(keyOf(unit))) : null;
}
