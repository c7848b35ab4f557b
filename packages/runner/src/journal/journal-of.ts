import { CriteriaError, type Score, toErrorInfo, type UnitKey } from '@agent-criteria/core';
import { endedInError, type UnitScores } from '@agent-criteria/core/host';
import { stringifyJson } from '@agent-criteria/formats';
import type { RunCall } from '@agent-criteria/results';
import { keyText } from '../unit-key.ts';
import {
  type CallRecord,
  type InferenceRecord,
  type InferredState,
  type Journal,
  type Outcome,
  type ScoredState,
  type ScoreRecord,
  statesByKey,
  type UnitState,
} from './journal.ts';

export type Awaitable<T> = T | Promise<T>;

/**
 * The storage behind a journal. It has no rules of its own: `journalOf` adds them. A put replaces the record with the
 * same key. Once the put has returned, or its promise has resolved, the record must survive this process.
 */
export interface JournalBackend {
  /** Yields the current state of every unit in one pass, in any order. */
  states(): Iterable<UnitState> | AsyncIterable<UnitState>;
  inference(key: UnitKey): Awaitable<InferenceRecord | null>;
  scores(key: UnitKey): Awaitable<ScoreRecord | null>;
  calls(key: UnitKey): Awaitable<readonly RunCall[]>;
  /** Whether a call with this id is stored. */
  hasCall(id: string): Awaitable<boolean>;
  /** @param inference The inference as JSON. */
  putInference(head: InferenceHead, inference: string): Awaitable<void>;
  /**
   * @param scores The scores as JSON.
   * @param result The case result as JSON, or `null` if these scores do not complete the case.
   */
  putScores(head: ScoreHead, scores: string, result: string | null): Awaitable<void>;
  /** @param call The call as JSON. */
  putCall(id: string, key: UnitKey, call: string, texts: Pick<CallRecord, 'request' | 'answer'>): Awaitable<void>;
  close(): Awaitable<void>;
}

/** An inference record without the inference itself. */
export type InferenceHead = Omit<InferenceRecord, 'inference'> & Pick<InferredState, 'failed'>;

/** A score record without the scores themselves. */
export type ScoreHead = { readonly key: UnitKey } & ScoredState & {
    /** The tickets of the inferences behind the case result, in repeat order. Empty if there is no result. */
    readonly inferences: readonly number[];
  };

/** Creates a journal from a backend by adding the rules. Reads the stored states. */
export async function journalOf(backend: JournalBackend): Promise<Journal> {
  return new RuledJournal(backend, await statesByKey(backend.states()));
}

/**
 * The stored tickets of a unit, or 0 if there are none. The rules remember nothing else, because a run may have a
 * million units.
 */
interface Tickets {
  inferred: number;
  scored: number;
}

/** Compares a ticket with the stored one. Returns `null` if it is newer. */
function compareTickets(ticket: number, kept: number): Outcome | null {
  if (ticket > kept) return null;
  return ticket === kept ? 'duplicate' : 'stale';
}

class RuledJournal implements Journal {
  readonly #backend: JournalBackend;
  readonly #tickets = new Map<string, Tickets>();
  /** The initial states, kept until a record is stored so that a remote store is read only once. */
  #first: ReadonlyMap<string, UnitState> | null;
  readonly #calls = new Set<string>();
  readonly #pending = new Set<Promise<void>>();
  /** The error that ended the journal, or `null` while it accepts records. */
  #over: CriteriaError | null = null;
  #closed: Promise<void> | null = null;

  constructor(backend: JournalBackend, states: ReadonlyMap<string, UnitState>) {
    this.#backend = backend;
    this.#first = states;
    for (const [text, { inferred, scored }] of states) {
      this.#tickets.set(text, { inferred: inferred?.ticket ?? 0, scored: scored?.ticket ?? 0 });
    }
  }

  async *states(): AsyncIterable<UnitState> {
    if (this.#first === null) {
      await Promise.all(this.#pending);
      yield* this.#backend.states();
    } else {
      yield* this.#first.values();
    }
  }

  async inference(key: UnitKey): Promise<InferenceRecord | null> {
    return this.#tickets.get(keyText(key))?.inferred ? this.#backend.inference(key) : null;
  }

  async scores(key: UnitKey): Promise<ScoreRecord | null> {
    return this.#tickets.get(keyText(key))?.scored ? this.#backend.scores(key) : null;
  }

  async calls(key: UnitKey): Promise<readonly RunCall[]> {
    return this.#backend.calls(key);
  }

  async keepInference(record: InferenceRecord): Promise<Outcome> {
    if (this.#over !== null) throw this.#over;
    const { ticket, seen, startedAt, endedAt, inference } = record;
    const text = keyText(record.key);
    const known = this.#tickets.get(text);
    const old = compareTickets(ticket, known?.inferred ?? 0);
    if (old !== null) return old;
    const key = { ...record.key };
    const failed = endedInError(inference.ending);
    const json = stringifyJson(inference);
    this.#first = null;
    if (known === undefined) this.#tickets.set(text, { inferred: ticket, scored: 0 });
    else known.inferred = ticket;
    return this.#put(() => this.#backend.putInference({ key, ticket, seen, failed, startedAt, endedAt }, json));
  }

  async keepScores(record: ScoreRecord): Promise<Outcome> {
    if (this.#over !== null) throw this.#over;
    const { ticket, of, scores } = record;
    const known = this.#tickets.get(keyText(record.key));
    if (!known?.inferred || known.inferred !== of) return 'stale';
    const old = compareTickets(ticket, known.scored);
    if (old !== null) return old;
    const key = { ...record.key };
    const completed = record.case ?? null;
    const ofCase = completed && { of: [...completed.of], verdict: completed.result.verdict };
    const json = stringifyJson(scores);
    const result = completed && stringifyJson(completed.result);
    this.#first = null;
    known.scored = ticket;
    const inferences = ofCase === null ? [] : ofCase.of.map((_, repeat) => this.#inferenceOf({ ...key, repeat }));
    const head = { key, ticket, of, unjudged: hasUnjudged(scores), case: ofCase, inferences };
    return this.#put(() => this.#backend.putScores(head, json, result));
  }

  /** Returns the ticket of the current inference, or 0 if there is none. */
  #inferenceOf(key: UnitKey): number {
    return this.#tickets.get(keyText(key))?.inferred ?? 0;
  }

  async keepCall(record: CallRecord): Promise<Outcome> {
    if (this.#over !== null) throw this.#over;
    const { id, request, answer } = record;
    const key = { ...record.call.key };
    const json = stringifyJson(record.call);
    if (this.#calls.has(id)) return 'duplicate';
    this.#calls.add(id);
    const put = () => this.#backend.putCall(id, key, json, { request, answer });
    const known = this.#backend.hasCall(id);
    if (typeof known === 'boolean') return known ? 'duplicate' : this.#put(put);
    let outcome: Outcome = 'kept';
    // Closing must wait for `hasCall` too.
    await this.#put(async () => {
      if (await known) outcome = 'duplicate';
      else await put();
    });
    return outcome;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#over ??= new CriteriaError({ code: 'WRITE_FAILED', message: 'the journal is closed: its run is over' });
    await Promise.all(this.#pending);
    await this.#backend.close();
  }

  #put(put: () => Awaitable<void>): Awaitable<Outcome> {
    try {
      const putting = put();
      return putting instanceof Promise ? this.#awaited(putting) : 'kept';
    } catch (error) {
      throw this.#failed(error);
    }
  }

  async #awaited(putting: Promise<void>): Promise<Outcome> {
    const settled = putting.catch(() => undefined).finally(() => this.#pending.delete(settled));
    this.#pending.add(settled);
    try {
      await putting;
      return 'kept';
    } catch (error) {
      throw this.#failed(error);
    }
  }

  /** Makes every later write fail after a failed one. Returns the error. */
  #failed(cause: unknown): CriteriaError {
    const message = `the journal could not save a record: ${toErrorInfo(cause).message}`;
    this.#over = CriteriaError.is(cause) ? cause : new CriteriaError({ code: 'WRITE_FAILED', message }, { cause });
    return this.#over;
  }
}

/**
 * Whether any of a unit's scores could not be judged, so that scoring it again may help. Criteria that every run
 * measures only read the inference, so scoring them again would not.
 */
export function hasUnjudged({ criteria }: Pick<UnitScores, 'criteria'>): boolean {
  return criteria.some(({ byDefault, scores }) => byDefault !== true && scores.some(isUnjudged));
}

function isUnjudged(score: Score): boolean {
  if ('parts' in score) return score.parts.some(isUnjudged);
  return score.value === null && score.missing === 'could-not-judge';
}
