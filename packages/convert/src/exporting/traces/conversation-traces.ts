import { sha256 } from '@agent-criteria/calls';
import type { Invocation } from '@agent-criteria/core';
import type { CaseResult } from '@agent-criteria/core/host';
import { evaluationAttributes, type RunInference, type RunInfo } from '@agent-criteria/results';
import { nanoseconds, otlpAttributes, type SpanDraft } from './otlp.ts';
import { resultsOfRepeat } from './results-of-repeat.ts';
import { turnSpans } from './turn-spans.ts';

/** A conversation of a run with what the criteria said about it. */
export interface TracedConversation {
  /** Unique in the file. */
  readonly id: string;
  readonly info: Pick<RunInfo, 'id' | 'agent' | 'startedAt' | 'endedAt'>;
  readonly recorded: RunInference;
  readonly turns: readonly Invocation[];
  readonly result: CaseResult;
  /** Why the conversation broke, or `undefined` if it did not. */
  readonly error: string | undefined;
}

/** The time between two spans whose times are not known, in milliseconds. */
const STEP = 0.001;

/**
 * Writes a conversation as OTLP's JSON: its spans, a trace for each turn, and then an event `gen_ai.evaluation.result`
 * for each criterion, which belongs to the span of the last turn. Only the times of turns are known: within a turn, the
 * spans follow each other by a microsecond.
 *
 * @param onLoss Called for content that OpenTelemetry's conventions have no place for.
 */
export function conversationTraces(one: TracedConversation, onLoss: (what: string) => void): readonly object[] {
  const { id, info, recorded, turns, error, result } = one;
  const { setId, caseId, repeat, variant } = recorded.key;
  const about = {
    'gen_ai.conversation.id': id,
    'agent_criteria.eval_set.id': setId,
    'agent_criteria.eval_case.id': caseId,
    'agent_criteria.repeat': repeat,
    'agent_criteria.variant': variant,
  };
  const { initial, final } = recorded.inference.state;
  if (initial !== null || final !== null) onLoss('states of sessions, left out');
  if (turns.length === 0) {
    onLoss('conversations without a turn, left out');
    return [];
  }
  const starts = startsOf(one, onLoss);
  const written = turns.map((turn, index) => {
    const isLast = index === turns.length - 1;
    const spans = turnSpans(turn, about, isLast ? error : undefined, onLoss);
    const from = starts[index] ?? 0;
    const to = isLast ? (recorded.endedAt ?? 0) : (starts[index + 1] ?? 0);
    return traceOf(spans, sha256(`${info.id} ${info.startedAt} ${id} ${index}`).slice(0, 32), from, to);
  });
  const resource = {
    attributes: otlpAttributes({ 'service.name': info.agent, 'agent_criteria.run.id': info.id }, 'intValue'),
  };
  const scope = { name: '@agent-criteria/convert' };
  const lines: object[] = [{ resourceSpans: [{ resource, scopeSpans: [{ scope, spans: written.flat() }] }] }];
  const last = written.at(-1)?.[0];
  const logRecords = resultsOfRepeat(result, repeat).map((own) => ({
    timeUnixNano: nanoseconds(info.endedAt ?? recorded.endedAt ?? info.startedAt),
    severityNumber: 9,
    eventName: 'gen_ai.evaluation.result',
    attributes: [...otlpAttributes(evaluationAttributes(own), 'doubleValue'), ...otlpAttributes(about, 'intValue')],
    traceId: last?.traceId,
    spanId: last?.spanId,
  }));
  if (logRecords.length > 0) lines.push({ resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords }] }] });
  return lines;
}

/** Returns when each turn began, each later than the one before. */
function startsOf({ info, recorded, turns }: TracedConversation, onLoss: (what: string) => void): readonly number[] {
  const starts: number[] = [];
  // An import records 0 for an unknown time.
  const begun = recorded.startedAt || info.startedAt;
  if (!recorded.startedAt) onLoss('times that are not known, written as the time of the run');
  for (const { creationTimestamp } of turns) {
    const own = typeof creationTimestamp === 'number' && creationTimestamp > 0 ? creationTimestamp * 1000 : begun;
    const before = starts.at(-1);
    starts.push(before === undefined ? own : Math.max(own, before + 1));
  }
  return starts;
}

interface WrittenSpan {
  readonly traceId: string;
  readonly spanId: string;
}

/** Writes the spans of a turn. The first of them is the root. */
function traceOf(drafts: readonly SpanDraft[], traceId: string, from: number, to: number): readonly WrittenSpan[] {
  const ids = new Map(drafts.map((draft, index) => [draft, sha256(`${traceId} ${index}`).slice(0, 16)]));
  const end = Math.max(to, from + drafts.length * STEP);
  return drafts.map((draft, index) => {
    const { name, parent, attributes, error } = draft;
    const lastOfAgent = Math.max(
      drafts.findLastIndex((one) => one.parent === draft),
      index,
    );
    return {
      traceId,
      spanId: ids.get(draft) ?? '',
      ...(parent === null ? {} : { parentSpanId: ids.get(parent) }),
      name,
      kind: 1,
      startTimeUnixNano: nanoseconds(from + index * STEP),
      endTimeUnixNano: nanoseconds(parent === null ? end : from + (lastOfAgent + 1) * STEP),
      attributes: otlpAttributes(attributes, 'intValue'),
      status: error === undefined ? {} : { code: 2, message: error },
    };
  });
}
