import { limitedCopies, toJson } from '@agent-criteria/calls/json';
import { type ErrorInfo, type Json, type Span, type State, toErrorInfo } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { type AiSdkStep, usageMetadata } from '@agent-criteria/formats/messages';
import type { ToolRun } from './wrap-tools.ts';

/** The record of a turn after its end. Times are in milliseconds since the epoch. */
export interface TurnRecord {
  /** The index of the turn, from 0. */
  readonly turn: number;
  readonly agent: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly steps: readonly AiSdkStep[];
  /** When each step began and ended, as far as that was seen. One more begin than steps is a call that did not end. */
  readonly begins: readonly StepBegin[];
  readonly ends: readonly number[];
  /** Whether the turn was stopped: what is in flight then stays open. */
  readonly isCut: boolean;
  readonly runs: readonly ToolRun[];
  readonly error?: ErrorInfo | undefined;
}

export interface StepBegin {
  readonly at: number;
  /** The request that the model received. */
  readonly request: unknown;
}

/**
 * Builds the spans of a turn: the agent, its calls to the model, and inside these the calls to tools that the model asked
 * for. Version 7 of the AI SDK measures how long a model took; otherwise a call to a model ends where its first tool begins.
 */
export function turnSpans(record: TurnRecord): readonly Span[] {
  const { turn, agent, steps, begins, ends, runs, error, isCut } = record;
  const copy = limitedCopies();
  const spans: Span[] = [];
  const add = (span: Omit<Span, 'id' | 'turn' | 'author'>): Span => {
    const added = { id: `${turn + 1}.${spans.length + 1}`, turn, author: agent, ...span };
    spans.push(added);
    return added;
  };
  const root = add({
    kind: 'agent',
    name: agent,
    startedAt: record.startedAt,
    endedAt: record.endedAt,
    ...(error === undefined ? {} : { error }),
  });
  const matched = new Set<ToolRun>();
  let earliest = record.startedAt;
  for (const [index, step] of steps.entries()) {
    const calls = step.content.filter(isCall);
    const ran = calls.map((call) => runs.find((run) => run.id === call.toolCallId && !matched.has(run)));
    for (const run of ran) if (run !== undefined) matched.add(run);
    const begin = begins[index];
    const startedAt = begin?.at ?? earliest;
    const firstRun = Math.min(...ran.flatMap((run) => (run === undefined ? [] : [run.startedAt])));
    const latest = ends[index] ?? (step === steps.at(-1) ? record.endedAt : Number.POSITIVE_INFINITY);
    const measured = responseTime(step);
    const endedAt = Math.max(
      startedAt,
      Math.min(measured === undefined ? Math.min(firstRun, latest) : startedAt + measured, latest),
    );
    const usage = usageMetadata(step.usage);
    const model = add({
      kind: 'model',
      name: step.response?.modelId ?? 'model',
      parentId: root.id,
      startedAt,
      ...(Number.isFinite(endedAt) ? { endedAt } : {}),
      ...(begin === undefined ? {} : { request: copy(begin.request) }),
      response: copy({ content: step.content, finishReason: step.finishReason }),
      ...(usage === undefined ? {} : { usage: toJson(usage) as State }),
    });
    earliest = Number.isFinite(endedAt) ? endedAt : startedAt;
    for (const [place, call] of calls.entries()) {
      const span = toolSpan(step, call, ran[place], earliest, copy);
      add({ ...span, parentId: model.id });
    }
    earliest = Math.max(earliest, ends[index] ?? 0, ...ran.map((run) => run?.endedAt ?? 0));
  }
  const begun = begins[steps.length];
  const rest = runs.filter((run) => !matched.has(run));
  const parent =
    begun === undefined
      ? root
      : add({
          kind: 'model',
          name: 'model',
          parentId: root.id,
          startedAt: begun.at,
          request: copy(begun.request),
          ...(isCut ? {} : { endedAt: record.endedAt }),
          ...(error === undefined || isCut ? {} : { error }),
        });
  // Runs of a step that did not end.
  for (const run of rest) add({ ...spanOfRun(run, copy), parentId: parent.id });
  return spans;
}

interface CallPart {
  readonly type: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input?: unknown;
}

function isCall(part: { readonly type: string }): part is CallPart {
  const { toolCallId, toolName } = part as Partial<CallPart>;
  return part.type === 'tool-call' && typeof toolCallId === 'string' && typeof toolName === 'string';
}

type ToolSpan = Omit<Span, 'id' | 'turn' | 'author' | 'parentId'>;

function toolSpan(
  step: AiSdkStep,
  call: CallPart,
  run: ToolRun | undefined,
  modelEnd: number,
  copy: (value: unknown) => Json,
): ToolSpan {
  if (run !== undefined) return spanOfRun(run, copy);
  const { toolCallId, toolName: name, input } = call;
  const base = { kind: 'tool', name, startedAt: modelEnd, request: copy(input) } as const;
  const parts: readonly Readonly<Record<string, unknown>>[] = step.content.map((part) => ({ ...part }));
  const answer = parts.find(
    (part) => part.toolCallId === toolCallId && (part.type === 'tool-result' || part.type === 'tool-error'),
  );
  // A call that waits for approval, or for a tool that runs elsewhere.
  if (answer === undefined) return base;
  const endedAt = modelEnd + (toolTime(step, toolCallId) ?? 0);
  return answer.type === 'tool-result'
    ? { ...base, endedAt, response: copy(answer.output) }
    : { ...base, endedAt, error: toErrorInfo(answer.error, 'AGENT_FAILED') };
}

function spanOfRun(
  { name, input, startedAt, endedAt, answer, simulated }: ToolRun,
  copy: (value: unknown) => Json,
): ToolSpan {
  return {
    kind: 'tool',
    name,
    startedAt,
    request: copy(input),
    ...(simulated === undefined ? {} : { simulated }),
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(answer === undefined
      ? {}
      : 'error' in answer
        ? { error: toErrorInfo(answer.error, 'AGENT_FAILED') }
        : { response: copy(answer.output) }),
  };
}

/** Version 7 reports in milliseconds how long the model and each tool took. */
function performanceOf(step: AiSdkStep): Readonly<Record<string, unknown>> {
  const { performance } = step as { readonly performance?: unknown };
  return isObject(performance) ? performance : {};
}

function responseTime(step: AiSdkStep): number | undefined {
  const { responseTimeMs } = performanceOf(step);
  return typeof responseTimeMs === 'number' && responseTimeMs >= 0 ? Math.round(responseTimeMs) : undefined;
}

function toolTime(step: AiSdkStep, id: string): number | undefined {
  const { toolExecutionMs } = performanceOf(step);
  const time = isObject(toolExecutionMs) && Object.hasOwn(toolExecutionMs, id) ? toolExecutionMs[id] : undefined;
  return typeof time === 'number' && time >= 0 ? Math.round(time) : undefined;
}
