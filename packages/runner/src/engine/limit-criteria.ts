import { onAbort, untilAborted, wideController } from '@agent-criteria/calls';
import {
  CriteriaError,
  type Criterion,
  type EvaluateContext,
  type Inference,
  type Score,
  type Tools,
  type Transcript,
  type Turn,
  type Unit,
} from '@agent-criteria/core';
import { callEvaluate, type Plan, type ScoreUnitOptions, scoreUnit, type UnitScores } from '@agent-criteria/core/host';

/**
 * Scores one unit, or returns `null` if the run was aborted first. A criterion that ignores the abort does not delay
 * it, and one that never ends loses only its own score.
 */
export async function scoreOne(
  plan: Plan,
  unit: Unit,
  inference: Inference,
  criterionTimeout: number,
  options: ScoreUnitOptions & { readonly signal: AbortSignal },
): Promise<UnitScores | null> {
  const { signal } = options;
  try {
    const limited = limitCriteria(plan, criterionTimeout);
    return await untilAborted(() => scoreUnit(limited, unit, inference, options), signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    return null;
  }
}

/** The calls that one criterion makes for one unit, whose turns may share the answer to a call. */
interface Calls {
  inFlight: number;
  endedAt: number;
}

const plans = new WeakMap<Plan, { readonly timeout: number; readonly limited: Plan }>();

/**
 * Adds a time limit to a plan's criteria. An evaluation that exceeds it counts as "could not judge"; other scores are
 * kept. Time spent in calls to models and services, or queuing for them, does not count, because those have limits of
 * their own. The result is cached per plan, because wrapping the criteria for every unit would take longer than many
 * criteria do.
 */
export function limitCriteria(plan: Plan, timeout: number): Plan {
  const known = plans.get(plan);
  if (known?.timeout === timeout) return known.limited;
  const criteria = plan.criteria.map((planned) => ({ ...planned, criterion: limited(planned.criterion, timeout) }));
  const made = { timeout, limited: { ...plan, criteria } };
  plans.set(plan, made);
  return made.limited;
}

/** Derives the criterion through its prototype, because it may be a class instance. */
function limited(criterion: Criterion, timeout: number): Criterion {
  return Object.create(criterion, { evaluate: { value: evaluation(criterion, timeout) } });
}

function evaluation(criterion: Criterion, timeout: number): Criterion['evaluate'] {
  // Keyed by transcript, because each criterion gets its own for each unit.
  const ofUnits = new WeakMap<Transcript, Calls>();
  const callsOf = (transcript: Transcript): Calls => {
    const known = ofUnits.get(transcript);
    if (known !== undefined) return known;
    const calls: Calls = { inFlight: 0, endedAt: 0 };
    ofUnits.set(transcript, calls);
    return calls;
  };
  return (subject: Turn | Transcript, { options, tools, transcript }: EvaluateContext<unknown>) => {
    const turn = 'turns' in subject ? null : subject;
    return inTime(
      (own) => callEvaluate(criterion, turn, { options, tools: own, transcript }),
      tools,
      timeout,
      () => callsOf(transcript),
    );
  };
}

function inTime(
  evaluate: (tools: Tools) => Score | Promise<Score>,
  tools: Tools,
  timeout: number,
  callsOf: () => Calls,
): Score | Promise<Score> {
  const own = new OwnSignal(tools.signal);
  let given: Score | Promise<Score>;
  try {
    given = evaluate(new WatchedTools(tools, own, callsOf));
  } catch (error) {
    own.forget();
    throw error;
  }
  // Most criteria that make no calls return synchronously.
  if (!isPromise(given)) {
    own.forget();
    return given;
  }
  return untilLate(given, timeout, callsOf(), own);
}

function isPromise(given: Score | Promise<Score>): given is Promise<Score> {
  return typeof (given as Partial<Promise<Score>> | null)?.then === 'function';
}

async function untilLate(given: Promise<Score>, timeout: number, calls: Calls, own: OwnSignal): Promise<Score> {
  const startedAt = performance.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const look = (): void => {
      const left = Math.max(startedAt, calls.endedAt) + timeout - performance.now();
      if (calls.inFlight > 0 || left > 0) {
        timer = setTimeout(look, calls.inFlight > 0 ? timeout : Math.ceil(left));
        return;
      }
      const message = `the criterion returned no score within ${timeout / 1000} seconds, not counting calls to models and services; if it needs longer, raise criterionTimeout`;
      const error = new CriteriaError({ code: 'TIMEOUT', message });
      own.abort(error);
      reject(error);
    };
    timer = setTimeout(look, timeout);
  });
  try {
    return await Promise.race([given, late]);
  } finally {
    clearTimeout(timer);
    own.forget();
  }
}

/**
 * Tools that have their own signal and count their calls. A class, because an instance is created for every evaluation
 * but rarely used.
 */
class WatchedTools implements Tools {
  readonly #tools: Tools;
  readonly #own: OwnSignal;
  readonly #callsOf: () => Calls;

  constructor(tools: Tools, own: OwnSignal, callsOf: () => Calls) {
    this.#tools = tools;
    this.#own = own;
    this.#callsOf = callsOf;
  }

  get compat(): Tools['compat'] {
    return this.#tools.compat;
  }

  get signal(): AbortSignal {
    return this.#own.signal();
  }

  // Functions that do not use `this`, because a criterion may destructure its tools.
  get model(): Tools['model'] {
    return (name) => {
      const model = this.#tools.model(name);
      return { ...model, generate: (request, signal) => this.#during(() => model.generate(request, signal)) };
    };
  }

  get call(): Tools['call'] {
    return (ask, send) => this.#during(() => this.#tools.call(ask, send));
  }

  async #during<T>(call: () => Promise<T>): Promise<T> {
    const calls = this.#callsOf();
    calls.inFlight += 1;
    try {
      return await call();
    } finally {
      calls.inFlight -= 1;
      calls.endedAt = performance.now();
    }
  }
}

/** A signal that aborts along with another one, or on its own. Created lazily, because most criteria never use it. */
class OwnSignal {
  readonly #around: AbortSignal;
  #controller: AbortController | undefined;
  #ended: { readonly reason: unknown } | undefined;
  #forget: (() => void) | undefined;

  constructor(around: AbortSignal) {
    this.#around = around;
  }

  signal(): AbortSignal {
    if (this.#controller !== undefined) return this.#controller.signal;
    const around = this.#around;
    const made = wideController();
    this.#controller = made;
    if (around.aborted) made.abort(around.reason);
    else if (this.#ended !== undefined) made.abort(this.#ended.reason);
    else this.#forget = onAbort(around, () => made.abort(around.reason));
    return made.signal;
  }

  abort(reason: unknown): void {
    this.#ended = { reason };
    this.#controller?.abort(reason);
  }

  /** Stops listening to the other signal. */
  forget(): void {
    this.#forget?.();
  }
}
