import { setImmediate } from 'node:timers/promises';
import { type Agent, CriteriaError, type EvalCase, type Tools, type Unit } from '@agent-criteria/core';
import {
  type Caller,
  type CallPolicies,
  type CaseResult,
  endedBadly,
  plainTools,
  summariseCase,
  type ToolsFor,
  type UnitScores,
  type Verdict,
} from '@agent-criteria/core/host';
import type { RunInference } from '@agent-criteria/results';
import pLimit from 'p-limit';
import { wideController } from './abort.ts';
import { converse } from './converse.ts';
import { watchCuts } from './cut-calls.ts';
import type { RunEvent } from './events.ts';
import type { Journal, KnownUnit } from './journal.ts';
import { limitCalls } from './limit-calls.ts';
import { timeNow } from './own-globals.ts';
import type { PlannedSet } from './planned-set.ts';
import { type KeepCall, recordCalls } from './record-calls.ts';
import { scoreOne } from './score-one.ts';
import { openSlots } from './slots.ts';
import { keyOf } from './unit.ts';
import { userCaller } from './user.ts';

/** Milliseconds that units may go on without a pause. Calls leave the process in pauses: with long ones all begin late, and come back at once. */
const LONGEST_BREATH = 5;
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
  /** What stands before models and services; without, `scoring` calls run at once. */
  readonly policies: CallPolicies | undefined;
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
  readonly onCall?: KeepCall | undefined;
  /** A call could not be made, so that its unit stays undone: the budget is spent, or a recording lacks it. */
  onCut(error: CriteriaError): void;
}

/** An event that gets its time when it is told. */
export type NewEvent = RunEvent extends infer Each ? (Each extends RunEvent ? Omit<Each, 'at'> : never) : never;

const UNREADABLE: ReadonlySet<string> = new Set(['FILE_NOT_FOUND', 'FILE_UNREADABLE']);

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

/** Whether a conversation or a scoring was cut short. */
interface Cut {
  short: boolean;
}

/**
 * The engine: every unit of every set is run and scored, several at once, scores while agents still run. What is known
 * already is not done again. Ends when all is done, when it was told to stop, or when the journal cannot be written,
 * which is the only way to reject.
 *
 * @returns whether nothing was left undone.
 */
export async function runUnits(options: RunUnitsOptions): Promise<boolean> {
  const { signal, emit } = options;
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

  const journal = options.journal === null ? null : endingRun(options.journal, fail);
  const calls = pLimit(options.scoring);
  const scoring = openSlots(options.scoring);
  /** Of units that wait for their scores, too. */
  const places = openSlots(options.scoring + WAITING);
  const units = unitsOf(options);
  let undone = false;

  /** No call can be paid any more: what is under way comes to its end, and nothing else begins. */
  let spent = false;
  const keepCall: KeepCall = (call, request, answer) => {
    journal?.keepCall(call, request, answer);
    options.onCall?.(call, request, answer);
    emit({ type: 'call-finished', call });
  };
  /** The tools of whoever asks; `cut` tells whether a call of it could not be made. */
  const toolsOf = (plain: Tools, caller: Caller, cut: Cut): Tools => {
    const under = options.policies?.apply(plain, caller) ?? limitCalls(plain, calls);
    return watchCuts(recordCalls(under, caller, keepCall), (error) => {
      cut.short = true;
      undone = true;
      if (error.code === 'BUDGET_SPENT') spent = true;
      options.onCut(error);
    });
  };

  const nextUnit = (): UnitWork | undefined => {
    if (!own.signal.aborted && !options.drain?.aborted && !spent) return units.next().value;
    // The cases that are finished already are told all the same.
    for (const _ of units) undone = true;
    return undefined;
  };

  let breathed = performance.now();
  let breath: Promise<void> | null = null;
  /** Agents that wait for nothing would keep sockets, timers and signals out until the end: all workers pause now and then. */
  const breathe = (): Promise<void> | null => {
    if (breath === null && performance.now() - breathed > LONGEST_BREATH) {
      breath = setImmediate().then(() => {
        breathed = performance.now();
        breath = null;
      });
    }
    return breath;
  };

  async function worker(): Promise<void> {
    for (;;) {
      const pause = breathe();
      if (pause !== null) await pause;
      const next = nextUnit();
      if (next === undefined) return;
      const kept = keptInference(next);
      const recorded = kept ?? (await inferenceOf(next));
      if (recorded === null) continue;
      if (!options.judge) continue;
      const current = kept === null ? { ...next, known: null } : next;
      await places.enter();
      scoreUnitOf(current, recorded).then(places.leave, (error) => {
        places.leave();
        fail(error);
      });
    }
  }

  /** What the agent did in an earlier start; `null`: it has to run. Without an agent, an error stays one. */
  function keptInference({ known }: UnitWork): RunInference | null {
    if (known === null || !(known.inferred || options.agent === null)) return null;
    return readKept(() => known.inference());
  }

  /** What the agent does; `null`: there is none to run. */
  async function inferenceOf({ work, unit }: UnitWork): Promise<RunInference | null> {
    if (options.agent === null) return null;
    const key = keyOf(unit);
    const { plan } = work.set;
    const startedAt = timeNow();
    emit({ type: 'unit-started', key });
    const by = plan.simulator?.simulator.name ?? 'user';
    const cut: Cut = { short: false };
    const inference = await converse(plan, options.agent, unit, {
      turnTimeout: options.turnTimeout,
      caseTimeout: options.caseTimeout,
      signal: own.signal,
      tools: (turn) => toolsOf(plainTools(plan, own.signal), userCaller(key, by, turn), cut),
      onTurn: (turn) => emit({ type: 'turn-finished', key, turn }),
    });
    // The simulated user was cut short, not the agent: the conversation is held again when the run goes on.
    if (cut.short) return null;
    const recorded: RunInference = { key, inference, startedAt, endedAt: timeNow() };
    const kept = journal?.keepInference(work.evalCase, recorded) ?? recorded;
    options.onInference?.(kept);
    emit({ type: 'unit-inferred', key, ending: kept.inference.ending, startedAt });
    return kept;
  }

  async function scoreUnitOf({ work, unit, known }: UnitWork, { inference }: RunInference): Promise<void> {
    // An inference that the end of the run cut short is done again when the run is resumed.
    if (inference.ending.by === 'abort') return;
    const kept = known?.scored ? readKept(() => known.scores()) : null;
    const scores = kept ?? (await scoresOf(work, unit, inference));
    if (scores === null) return;
    work.scores.push(scores);
    const complete = work.scores.length === options.repeats;
    const result = complete ? resultOf(work) : null;
    if (result !== null || kept === null) journal?.keepScores(scores, result);
    if (result === null) return;
    emit({ type: 'case-finished', result });
    options.onCase(unit.setId, result);
  }

  async function scoresOf(work: CaseWork, unit: Unit, inference: RunInference['inference']) {
    const key = keyOf(unit);
    if (endedBadly(inference.ending)) {
      return { key, sessionId: inference.sessionId, ending: inference.ending, criteria: [] };
    }
    // Whoever has to wait for judges is not begun any more when the run is to end: its answers are kept.
    const room = scoring.enter();
    if (room !== undefined) {
      await room;
      if (options.drain?.aborted || spent) {
        scoring.leave();
        undone = true;
        return null;
      }
    }
    const startedAt = timeNow();
    const cut: Cut = { short: false };
    const toolsFor = (bound: ToolsFor, plain: Tools): Tools =>
      toolsOf(plain, { role: 'criterion', key, by: bound.criterion, turn: bound.turn }, cut);
    try {
      const scores = await scoreOne(work.set.plan, unit, inference, own.signal, toolsFor);
      if (scores === null || cut.short) return null;
      emit({ type: 'unit-scored', key, startedAt });
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
  return !undone && !own.signal.aborted;
}

/** What an earlier start has left; `null` where it cannot be read any more, so that it is done again. */
function readKept<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (CriteriaError.is(error) && UNREADABLE.has(error.code)) return null;
    throw error;
  }
}

/** The same journal. A call that could not be written ends the run, and is not taken for a failure of who called. */
function endingRun(journal: Journal, fail: (error: unknown) => void): Journal {
  return {
    ...journal,
    keepCall(call, request, answer) {
      try {
        journal.keepCall(call, request, answer);
      } catch (error) {
        if (CriteriaError.is(error)) fail(error);
        throw error;
      }
    },
  };
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
