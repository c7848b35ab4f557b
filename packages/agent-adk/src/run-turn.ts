import { onAbort, untilAborted, wideController } from '@agent-criteria/calls';
import { toJson } from '@agent-criteria/calls/json';
import { type AgentTurn, type Content, type ErrorInfo, type Json, toErrorInfo } from '@agent-criteria/core';
import type { AdkEvent, AdkRunner } from './adk-shapes.ts';
import type { CurrentTurn } from './plugins.ts';
import { recordSpans, type SpanRecorder } from './record-spans.ts';
import { cutOffOf, toInvocation } from './to-invocation.ts';
import { watchTurn } from './watch-turn.ts';

export interface TurnOptions {
  readonly runner: AdkRunner;
  readonly userId: string;
  readonly sessionId: string;
  readonly runConfig: object;
  readonly message: Content;
  /** The zero-based index of the turn. */
  readonly index: number;
  /** The name of the workflow that runs the turn, or `null` if an agent does. */
  readonly workflow: string | null;
  /** Aborts when the conversation does. */
  readonly signal: AbortSignal;
  /** Called with the turn that callbacks report to. */
  begin(turn: CurrentTurn): void;
  readonly on?: ((event: Json) => void) | undefined;
}

/**
 * Runs one turn. A failure becomes the turn's `error`, alongside everything done before it, and stops the turn at once.
 * An abort is handled the same way, because ADK itself ends an aborted turn as if it were complete, or does not end it
 * at all while a tool is running.
 *
 * @throws The signal's reason, if it had already aborted.
 */
export async function runTurn(options: TurnOptions): Promise<AgentTurn> {
  const { runner, userId, sessionId, runConfig, message, index, workflow, signal } = options;
  signal.throwIfAborted();
  const stop = wideController();
  const forget = onAbort(signal, () => stop.abort(signal.reason));
  let failure: ErrorInfo | null = null;
  const fail = (error: ErrorInfo | null): void => {
    if (error === null || failure !== null) return;
    failure = error;
    stop.abort(new Error(error.message));
  };
  const watch = watchTurn();
  const nested = watchTurn(false);
  const recorder = recordSpans(index, workflow);
  const events: AdkEvent[] = [];
  options.begin({
    invocationId: null,
    recorder,
    signal: stop.signal,
    fail,
    seeNested: (event) => fail(nested.see(event)),
  });
  const startedAt = performance.now();
  const newMessage = withoutNulls(message);
  const running = runner.runAsync({ userId, sessionId, newMessage, runConfig, abortSignal: stop.signal });
  try {
    while (!stop.signal.aborted) {
      const step = await untilAborted(() => running.next(), stop.signal);
      if (step.done) break;
      events.push(step.value);
      options.on?.(toJson(step.value));
      reportNode(recorder, step.value);
      fail(watch.see(step.value));
    }
  } catch (error) {
    if (!stop.signal.aborted) fail(toErrorInfo(error, 'AGENT_FAILED'));
  } finally {
    forget();
    // Not awaited, because it may take a while to end.
    running.return(undefined).catch(() => undefined);
  }
  if (signal.aborted && failure === null) failure = toErrorInfo(signal.reason, 'ABORTED');
  const { spans, modelCalls, agentDetails } = recorder.end(stop.signal.aborted);
  if (failure === null) fail(nested.end() ?? watch.end());
  const duration = Math.round(performance.now() - startedAt) / 1000;
  const invocation = toInvocation(message, events, { duration, inferenceCallCount: modelCalls, agentDetails });
  const cutOff = cutOffOf(events);
  const error = failure === null ? {} : { error: failure };
  return { invocation, trace: spans, ...(cutOff === null ? {} : { cutOff }), ...error };
}

/** Records the node of a workflow that an event comes from, if any. */
function reportNode(recorder: SpanRecorder, { nodeInfo, output, partial }: AdkEvent): void {
  const { path, outputFor = [] } = nodeInfo ?? {};
  if (path !== undefined && !partial) recorder.nodeReported(path, output !== undefined || outputFor.includes(path));
}

/**
 * Removes `null` fields: eval sets written by ADK for Python list every field that a part could have, and models reject
 * `null`.
 */
function withoutNulls({ role, parts }: Content): object {
  const present = (value: object): object =>
    Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null && item !== undefined));
  return { role: role ?? 'user', parts: (parts ?? []).map(present) };
}
