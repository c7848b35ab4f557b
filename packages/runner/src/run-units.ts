import {
  type Agent,
  type CaseResult,
  type EvalCase,
  endedBadly,
  plainTools,
  type RunInference,
  summariseCase,
  type Tools,
  type ToolsFor,
  type Unit,
  type UnitScores,
  type Verdict,
} from '@agent-criteria/core';
import pLimit from 'p-limit';
import { wideController } from './abort.ts';
import { converse } from './converse.ts';
import type { RunEvent } from './events.ts';
import type { Journal, KnownUnit } from './journal.ts';
import { limitCalls } from './limit-calls.ts';
import type { PlannedSet } from './planned-set.ts';
import { recordCalls } from './record-calls.ts';
import { scoreOne } from './score-one.ts';
import { openSlots } from './slots.ts';
import { keyOf } from './unit.ts';

/** How many inferences may wait in memory for their scores, beside those that are being scored. */
const WAITING = 64;

export interface RunUnitsOptions {
  readonly sets: readonly PlannedSet[];
  /** `null`: score what the journal has, run nothing. */
  readonly agent: Agent | null;
  readonly repeats: number;
  readonly agents: number;
  readonly scoring: number;
  readonly turnTimeout: number;
  readonly caseTimeout: number;
  /** `false`: inferences only. */
  readonly judge: boolean;
  /** Ends everything now. */
  readonly signal: AbortSignal;
  /** Starts nothing more. */
  readonly drain: AbortSignal | undefined;
  readonly journal: Journal | null;
  emit(event: NewEvent): void;
  /** A case is finished: now, or by an earlier start (then only its verdict is known). */
  onCase(setId: string, finished: CaseResult | Verdict): void;
  onInference?(recorded: RunInference): void;
}

/** An event that gets its time when it is told. */
export type NewEvent = RunEvent extends infer Each ? (Each extends RunEvent ? Omit<Each, 'at'> : never) : never;

/** A case whose units are under way. */
interface CaseWork {
  readonly set: PlannedSet;
  readonly evalCase: EvalCase;
  readonly scores: UnitScores[];
}

interface UnitWork {
  readonly work: CaseWork;
  readonly unit: Unit;
  readonly known: KnownUnit | null;
}

/**
 * The engine: every unit of every set is run and scored, several at once, scores while agents still run. What is known
 * already is not done again. Ends when all is done, when it was told to stop, or when the journal cannot be written,
 * which is the only way to reject.
 *
 * @returns whether nothing was left undone.
 */
export async function runUnits(options: RunUnitsOptions): Promise<boolean> {
  const { journal, signal, emit } = options;
  // The journal's failure ends what is under way.
  const own = wideController();
  const stop = (): void => own.abort(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  let failure: unknown;
  let failed = false;
  const fail = (error: unknown): void => {
    if (!failed) failure = error;
    failed = true;
    own.abort(error);
  };

  const calls = pLimit(options.scoring);
  const scoring = openSlots(options.scoring);
  /** Of units that wait for their scores, too. */
  const places = openSlots(options.scoring + WAITING);
  const units = unitsOf(options);
  let exhausted = false;

  const nextUnit = (): UnitWork | undefined => {
    if (own.signal.aborted || options.drain?.aborted) return undefined;
    const next = units.next();
    exhausted = next.done === true;
    return next.done ? undefined : next.value;
  };

  async function worker(): Promise<void> {
    for (let next = nextUnit(); next !== undefined; next = nextUnit()) {
      const current = next;
      const recorded = await inferenceOf(current);
      if (recorded === null) continue;
      if (!options.judge) continue;
      await places.enter();
      scoreUnitOf(current, recorded).then(places.leave, (error) => {
        places.leave();
        fail(error);
      });
    }
  }

  /** What the agent did: as it is known, or now. `null`: there is none, and none can be made. */
  async function inferenceOf({ work, unit, known }: UnitWork): Promise<RunInference | null> {
    if (known?.inferred) return known.inference();
    if (options.agent === null) return null;
    const key = keyOf(unit);
    const { plan } = work.set;
    const startedAt = Date.now();
    emit({ type: 'unit-started', key });
    const caller = { role: 'user', key, by: plan.simulator?.simulator.name ?? 'user', turn: null } as const;
    const inference = await converse(plan, options.agent, unit, {
      turnTimeout: options.turnTimeout,
      caseTimeout: options.caseTimeout,
      signal: own.signal,
      tools: () => recordCalls(plainTools(plan, own.signal), caller, journal),
      onTurn: (turn) => emit({ type: 'turn-finished', key, turn }),
    });
    const recorded: RunInference = { key, inference, startedAt, endedAt: Date.now() };
    const kept = journal?.keepInference(work.evalCase, recorded) ?? recorded;
    options.onInference?.(kept);
    emit({ type: 'unit-inferred', key, ending: kept.inference.ending, startedAt });
    return kept;
  }

  async function scoreUnitOf({ work, unit, known }: UnitWork, { inference }: RunInference): Promise<void> {
    // An inference that the end of the run cut short is done again when the run is resumed.
    if (inference.ending.by === 'abort') return;
    const scores = known?.inferred && known.scored ? known.scores() : await scoresOf(work, unit, inference);
    if (scores === null) return;
    work.scores.push(scores);
    const complete = work.scores.length === options.repeats;
    const result = complete ? resultOf(work) : null;
    if (result !== null || !known?.scored) journal?.keepScores(scores, result);
    if (result === null) return;
    emit({ type: 'case-finished', result });
    options.onCase(unit.setId, result);
  }

  async function scoresOf(work: CaseWork, unit: Unit, inference: RunInference['inference']) {
    const key = keyOf(unit);
    if (endedBadly(inference.ending)) {
      return { key, sessionId: inference.sessionId, ending: inference.ending, criteria: [] };
    }
    const startedAt = Date.now();
    const toolsFor = (bound: ToolsFor, plain: Tools): Tools => {
      const caller = { role: 'criterion', key, by: bound.criterion, turn: bound.turn } as const;
      return limitCalls(recordCalls(plain, caller, journal), calls);
    };
    await scoring.enter();
    try {
      const scores = await scoreOne(work.set.plan, unit, inference, own.signal, toolsFor);
      if (scores !== null) emit({ type: 'unit-scored', key, startedAt });
      return scores;
    } finally {
      scoring.leave();
    }
  }

  try {
    await Promise.all(Array.from({ length: options.agents }, () => worker().catch(fail)));
    // Whoever has all places is alone: nothing is scored any more.
    for (let place = 0; place < options.scoring + WAITING; place++) await places.enter();
  } finally {
    signal.removeEventListener('abort', stop);
  }
  if (failed) throw failure;
  return exhausted && !own.signal.aborted;
}

/** The repeats of a case in their order, whatever ended first. */
function resultOf({ set, evalCase, scores }: CaseWork): CaseResult {
  scores.sort((a, b) => a.key.repeat - b.key.repeat);
  return summariseCase(set.plan, evalCase, scores);
}

/** Every unit that needs work, in the order of the sets, the repeats of a case together. */
function* unitsOf({ sets, repeats, journal, onCase, emit }: RunUnitsOptions): Generator<UnitWork, undefined> {
  for (const set of sets) {
    const { evalSetId: setId, evalCases } = set.plan.evalSet;
    for (const evalCase of evalCases) {
      const verdict = journal?.finished(setId, evalCase) ?? null;
      if (verdict !== null) {
        emit({ type: 'case-known', setId, caseId: evalCase.evalId, verdict });
        onCase(setId, verdict);
        continue;
      }
      const work: CaseWork = { set, evalCase, scores: [] };
      for (let repeat = 0; repeat < repeats; repeat++) {
        const unit: Unit = { setId, case: evalCase, repeat };
        yield { work, unit, known: journal?.known(unit) ?? null };
      }
    }
  }
}
