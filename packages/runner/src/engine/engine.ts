import { wideController } from '@agent-criteria/calls';
import type { Problem, Unit } from '@agent-criteria/core';
import pLimit from 'p-limit';
import type { UnitState } from '../journal/journal.ts';
import { statesByKey } from '../journal/states-by-key.ts';
import { caseText, keyOf, keyText, seenHash } from '../unit.ts';
import { finishUnit } from './finish-unit.ts';
import { inferUnit } from './infer-unit.ts';
import { planCase, type UnitPlan } from './plan-case.ts';
import { readKept } from './read-kept.ts';
import { type Doubt, recheckCases } from './recheck-cases.ts';
import { openSlots } from './slots.ts';
import { type CaseWork, type EngineOptions, fail, type UnitWork, type Work } from './work.ts';
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
  const { signal, agents, scoring } = options;
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
  };
  try {
    const states = await statesByKey(options.journal.states());
    const doubts = options.recheck ? await recheckCases({ ...options, signal: end.signal }, states) : NO_DOUBTS;
    const units = unitsOf(work, states, doubts);
    const pause = pauses();
    const workers = Array.from({ length: agents }, () => worker(work, units, pause));
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

/** Every unit that needs work, in the order of the sets, the variants of a case together, and so their repeats. */
function* unitsOf(
  { options, warnings }: Work,
  states: ReadonlyMap<string, UnitState>,
  doubts: ReadonlyMap<string, Doubt>,
): Generator<UnitWork, undefined> {
  const { sets, variants, rerun, repeatsOf, sink } = options;
  for (const set of sets) {
    const { evalSetId: setId, evalCases } = set.plan.evalSet;
    for (const evalCase of evalCases) {
      const repeats = repeatsOf(setId, evalCase);
      const seen = seenHash(evalCase);
      for (const { variant, agent } of variants) {
        const own = variant === undefined ? {} : { variant };
        const units = repeats.map((repeat): Unit => ({ setId, case: evalCase, repeat, ...own }));
        const known = units.map((unit) => (states.size === 0 ? undefined : states.get(keyText(keyOf(unit)))));
        const how = { seen, rerun, hasAgent: agent !== null };
        const before = planCase(known, how);
        const ids = { setId, caseId: evalCase.evalId, ...own };
        const doubt = typeof before === 'string' ? doubts.get(caseText(ids)) : undefined;
        if (doubt !== undefined) warnings.push(doubt.problem);
        const plan = doubt === undefined ? before : planCase(known, { ...how, doubt: doubt.of });
        if (typeof plan === 'string') {
          sink({ type: 'case-known', ...ids, verdict: plan });
          continue;
        }
        const ofCase: CaseWork = { set, evalCase, agent, seen, repeats, scored: [] };
        for (const [index, unit] of units.entries()) yield { ofCase, unit, plan: plan[index] as UnitPlan };
      }
    }
  }
}

async function worker(
  work: Work,
  units: Generator<UnitWork, undefined>,
  pause: () => Promise<void> | null,
): Promise<void> {
  const { judge, drain } = work.options;
  for (;;) {
    const due = pause();
    if (due !== null) await due;
    if (work.end.signal.aborted || drain?.aborted || work.spent) {
      // The cases that are finished already are reported all the same.
      for (const _ of units) work.undone = true;
      return;
    }
    const next = units.next().value;
    if (next === undefined) return;
    const kept = next.plan.isInferred ? await readKept(() => work.options.journal.inference(keyOf(next.unit))) : null;
    const record = kept ?? (await inferUnit(work, next));
    if (record === null || !judge) continue;
    await work.places.enter();
    finishUnit(work, next, record, kept !== null).then(work.places.leave, (error) => {
      work.places.leave();
      fail(work, error);
    });
  }
}
