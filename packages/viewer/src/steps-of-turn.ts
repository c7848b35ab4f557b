import type { Json, Span, State } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { isUntimed, type TraceStep } from './trace-step.ts';

/** An event that a step may have produced. */
export interface StepEvent {
  readonly id: string;
  readonly author: string;
  readonly content?: unknown;
  /** The event as recorded, which may hold the usage of a model call. */
  readonly value?: unknown;
  /** When it was reported, in milliseconds since the epoch. Default: unknown. */
  readonly at?: number | undefined;
}

export interface StepsOfTurn {
  /** The spans, followed by steps that no span recorded. */
  readonly steps: readonly TraceStep[];
  /** Ids of the events that steps produced, by step id. */
  readonly eventOfStep: ReadonlyMap<string, string>;
}

/** A turn, with the spans that were recorded. */
export interface RecordedSpans {
  readonly turn: number;
  readonly spans: readonly Span[];
  /** In order; those of the user are ignored. */
  readonly events: readonly StepEvent[];
  /** Ids of the events that spans produced, by span id. */
  readonly eventOfSpan: ReadonlyMap<string, string>;
  /** When the turn began and ended, in milliseconds since the epoch, or `null` if unknown. */
  readonly time: { readonly startedAt: number; readonly endedAt: number } | null;
  /** The agent that answers the user. Default: the author of the first event. */
  readonly agentName?: string | undefined;
}

/**
 * Adds the steps of a turn that its events show and no span recorded: agents, their tool calls and intermediate texts,
 * and the model calls whose usage was reported. A step is timed only if its call and its result were reported at
 * different times.
 */
export function stepsOfTurn({ turn, spans, events, eventOfSpan, time, agentName }: RecordedSpans): StepsOfTurn {
  const eventOfStep = new Map(eventOfSpan);
  const taken = new Set(eventOfSpan.values());
  const hasModels = spans.some(({ kind }) => kind === 'model');
  const spare = countByName(spans);
  const said = events.filter(({ author }) => author !== 'user');
  const results = resultsOf(said);
  const answer = said.findLast((event) => textOf(event) !== '');
  const agents = new Map<string, TraceStep>();
  for (const span of spans) if (span.kind === 'agent' && !agents.has(span.name)) agents.set(span.name, span);
  const made: TraceStep[] = [];
  let root: TraceStep | undefined = [...agents.values()][0];
  /** When the latest span ended whose event came before. */
  let at = Number.NEGATIVE_INFINITY;
  const endOf = new Map(
    spans.flatMap(({ id, startedAt, endedAt }) => {
      const event = eventOfSpan.get(id);
      return event === undefined ? [] : [[event, endedAt ?? startedAt] as const];
    }),
  );

  function agentOf(author: string): TraceStep {
    const found = agents.get(author);
    if (found !== undefined) return found;
    if (root === undefined && agentName !== undefined && agentName !== author) agentOf(agentName);
    const id = `step-${turn}-${made.length}`;
    const named = { id, kind: 'agent', name: author, turn } as const;
    const agent: TraceStep = root === undefined && time !== null ? { ...named, ...time } : draft(named, root, time, at);
    agents.set(author, agent);
    made.push(agent);
    root ??= agent;
    return agent;
  }
  function add(event: StepEvent, step: Pick<TraceStep, 'kind' | 'name'> & Partial<TraceStep>): void {
    const agent = agentOf(event.author);
    const id = `step-${turn}-${made.length}`;
    const { startedAt, endedAt } = step;
    const own = { author: event.author, turn, ...step, id };
    made.push(
      startedAt === undefined || endedAt === undefined
        ? draft(own, agent, time, at)
        : { ...own, parentId: agent.id, startedAt, endedAt },
    );
    eventOfStep.set(id, event.id);
  }

  for (const event of said) {
    const isTaken = taken.has(event.id);
    const text = textOf(event);
    const usage = hasModels || isTaken ? null : usageOf(event);
    if (usage !== null) add(event, { kind: 'model', response: (event.content ?? null) as Json, ...usage });
    else if (!hasModels && !isTaken && text !== '') {
      if (event !== answer) add(event, { kind: 'text', name: text.slice(0, LONGEST_NAME), response: text });
      else {
        const agent = agentOf(event.author);
        if (!eventOfStep.has(agent.id)) eventOfStep.set(agent.id, event.id);
      }
    }
    for (const call of callsOf(event)) {
      const left = spare.get(call.name) ?? 0;
      spare.set(call.name, left - 1);
      if (left > 0) continue;
      const result = results(call);
      const [began, ended] = [event.at, result?.event.at];
      const timed = began !== undefined && ended !== undefined && ended > began;
      add(result?.event ?? event, {
        kind: 'tool',
        name: call.name,
        author: event.author,
        request: call.args,
        ...(result === undefined ? {} : { response: result.response }),
        ...(timed ? { startedAt: began, endedAt: ended } : {}),
      });
    }
    at = Math.max(at, endOf.get(event.id) ?? at);
  }
  return { steps: [...spans, ...numbered(made)], eventOfStep };
}

const LONGEST_NAME = 200;

/** Makes a step without times, which happened after `at` and within the step that it is part of. */
function draft(
  step: Omit<TraceStep, 'startedAt' | 'endedAt' | 'untimed'>,
  within: TraceStep | undefined,
  time: RecordedSpans['time'],
  at: number,
): TraceStep {
  const startedAt = Math.max(within?.startedAt ?? time?.startedAt ?? 0, at);
  const endedAt = Math.max(within?.endedAt ?? time?.endedAt ?? startedAt, startedAt);
  return {
    ...step,
    ...(within === undefined ? {} : { parentId: within.id }),
    startedAt,
    endedAt,
    untimed: { place: 1, of: 1 },
  };
}

/** Numbers the steps without times. */
function numbered(steps: readonly TraceStep[]): readonly TraceStep[] {
  const of = steps.filter(isUntimed).length;
  let place = 0;
  return steps.map((step) => (isUntimed(step) ? { ...step, untimed: { place: ++place, of } } : step));
}

function countByName(spans: readonly Span[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { kind, name } of spans) if (kind === 'tool') counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

interface Call {
  readonly id: unknown;
  readonly name: string;
  readonly args: Json;
}

interface Result {
  readonly event: StepEvent;
  readonly response: Json;
}

/** Returns a function that finds the result of each call: by id, or in order by name if the call has none. */
function resultsOf(events: readonly StepEvent[]): (call: Call) => Result | undefined {
  const byId = new Map<unknown, Result>();
  const byName = new Map<string, Result[]>();
  for (const event of events) {
    for (const part of partsOf(event)) {
      const { functionResponse: given } = part;
      if (!isObject(given)) continue;
      const result = { event, response: (given.response ?? null) as Json };
      if (hasId(given.id)) byId.set(given.id, result);
      else byName.set(nameOf(given), [...(byName.get(nameOf(given)) ?? []), result]);
    }
  }
  return ({ id, name }) => (hasId(id) ? byId.get(id) : byName.get(name)?.shift());
}

function callsOf(event: StepEvent): readonly Call[] {
  return partsOf(event).flatMap(({ functionCall: call }) =>
    isObject(call) ? [{ id: call.id, name: nameOf(call), args: (call.args ?? {}) as Json }] : [],
  );
}

function hasId(id: unknown): id is string {
  return typeof id === 'string' && id !== '';
}

function nameOf({ name }: Readonly<Record<string, unknown>>): string {
  return typeof name === 'string' && name !== '' ? name : '(no name)';
}

/** Returns the text of an event, without thoughts. */
function textOf(event: StepEvent): string {
  return partsOf(event)
    .flatMap(({ text, thought }) => (typeof text === 'string' && thought !== true ? [text] : []))
    .join('\n')
    .trim();
}

/** Returns the model and the usage of the call that an event reports, or `null` if it reports none. */
function usageOf({ value }: StepEvent): Pick<TraceStep, 'name' | 'usage'> | null {
  if (!isObject(value) || !isObject(value.usageMetadata)) return null;
  const { modelVersion } = value;
  const name = typeof modelVersion === 'string' && modelVersion !== '' ? modelVersion : 'model';
  return { name, usage: value.usageMetadata as State };
}

function partsOf({ content }: StepEvent): readonly Readonly<Record<string, unknown>>[] {
  return isObject(content) && Array.isArray(content.parts) ? content.parts.filter(isObject) : [];
}
