import { onAbort, untilAborted, wideController } from '@agent-criteria/calls';
import { toJson } from '@agent-criteria/calls/json';
import {
  type AgentDetails,
  type AgentTurn,
  type Content,
  CriteriaError,
  type ErrorInfo,
  type Invocation,
  type Json,
  toErrorInfo,
} from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import {
  type AgentStep,
  type AiSdkResult,
  type AiSdkStep,
  invocationOf,
  isAiSdkResult,
  messageOf,
  readAiSdkSteps,
  responseOf,
} from '@agent-criteria/formats/messages';
import { eventsOf } from './step-events.ts';
import { type StepBegin, turnSpans } from './turn-spans.ts';
import type { ToolRun, ToolWatch } from './wrap-tools.ts';

/** Runs a turn, and reports while it does. */
export type TurnSource = (report: TurnReport) => unknown;

/** Receives what happens in a turn. */
export interface TurnReport extends ToolWatch {
  /** Called before each call to the model, by agents whose steps are seen. */
  stepBegan(request: unknown): void;
  /** Called with each step when it has ended, by agents whose steps are seen. */
  stepEnded(step: AiSdkStep): void;
  /** Called with the agent's instructions and tools, once they are known. */
  prepared(details: Pick<AgentDetails, 'instructions' | 'toolDeclarations'>): void;
}

export interface TurnOptions {
  readonly source: TurnSource;
  readonly message: Content;
  /** The agent's name. */
  readonly name: string;
  /** The zero-based index of the turn. */
  readonly index: number;
  readonly signal: AbortSignal;
  /** The details of the agent that are known before the turn. */
  readonly details: AgentDetails | null;
  /** Whether the real tool must not be called without asking the stubs. */
  readonly isStubbed: (tool: string) => boolean;
  readonly onEvent?: ((event: Json) => void) | undefined;
}

export interface TurnDone {
  readonly turn: AgentTurn;
  /** The messages of the agent as the AI SDK returns them for the next turn, or `null` if the turn was not completed. */
  readonly messages: readonly unknown[] | null;
}

/**
 * Runs one turn. A failure becomes the turn's `error`, beside all that was done before it. An abort ends the turn at
 * once, even if a tool ignores the signal.
 *
 * @throws The signal's reason, if it had already aborted.
 */
export async function runTurn(options: TurnOptions): Promise<TurnDone> {
  const { source, message, name, index, signal, isStubbed, onEvent } = options;
  signal.throwIfAborted();
  const stop = wideController();
  const forget = onAbort(signal, () => stop.abort(signal.reason));
  const startedAt = Date.now();
  const runs: ToolRun[] = [];
  const begins: StepBegin[] = [];
  const ends: number[] = [];
  let { details } = options;
  let steps: readonly AiSdkStep[] = [];
  let shown = 0;
  let isStream = false;
  let isOver = false;
  let failure: ErrorInfo | null = null;
  const show = (event: Json): void => {
    if (!isOver) onEvent?.(event);
  };
  /** Reports the steps that have ended, each once. */
  const showSteps = (): void => {
    for (; shown < steps.length; shown++) {
      for (const event of eventsOf(steps[shown] as AiSdkStep, name)) show(event);
    }
  };
  const report: TurnReport = {
    signal: stop.signal,
    started: (run) => void (isOver || runs.push(run)),
    fail(error) {
      failure ??= toErrorInfo(error, 'AGENT_FAILED');
      stop.abort(error);
    },
    stepBegan: (request) => void (isOver || begins.push({ at: Date.now(), request })),
    stepEnded(step) {
      if (isOver) return;
      ends.push(Date.now());
      steps = [...steps, step];
      // In a stream, the pieces of this step may not have been read yet.
      if (!isStream) showSteps();
    },
    prepared(known) {
      details = { name, ...known };
    },
  };
  let messages: readonly unknown[] | null = null;
  try {
    const result = await untilAborted(async () => checked(await source(report), name), stop.signal);
    // If the stream fails, this rejects, too, before anything awaits it.
    Promise.resolve(result.steps).catch(() => undefined);
    const stream = streamOf(result);
    if (stream !== undefined) {
      isStream = true;
      await untilAborted(() => readStream(stream, name, show, showSteps), stop.signal);
    }
    steps = [...(await untilAborted(() => result.steps, stop.signal))];
    messages = await untilAborted(() => responseMessages(result), stop.signal);
    showSteps();
  } catch (error) {
    if (!stop.signal.aborted) failure ??= toErrorInfo(error, 'AGENT_FAILED');
  } finally {
    forget();
    isOver = true;
  }
  if (signal.aborted) failure ??= toErrorInfo(signal.reason, 'ABORTED');
  const read = readAiSdkSteps(steps);
  if (read.problem !== undefined) failure ??= { code: 'AGENT_FAILED', message: read.problem };
  failure ??= unusedStub(steps, runs, isStubbed);
  const endedAt = Date.now();
  const invocation = invocationOf({
    userContent: message,
    answer: read.answer,
    steps: [...read.steps, ...unreported(runs, steps)],
    author: name,
    grounding: read.grounding,
  });
  const error = failure === null ? {} : { error: failure };
  const isCut = stop.signal.aborted;
  const trace = turnSpans({ turn: index, agent: name, startedAt, endedAt, steps, begins, ends, isCut, runs, ...error });
  const facts: Partial<Invocation> = {
    duration: (endedAt - startedAt) / 1000,
    inferenceCallCount: trace.filter(({ kind }) => kind === 'model').length,
    ...(details === null ? {} : { appDetails: { agentDetails: { [name]: details } } }),
  };
  const turn: AgentTurn = {
    // Tools may return anything, such as a class instance.
    invocation: toJson({ ...invocation, ...facts }) as unknown as Invocation,
    trace,
    ...(read.cutOff === undefined ? {} : { cutOff: read.cutOff }),
    ...error,
  };
  return { turn, messages: failure === null ? messages : null };
}

function checked(result: unknown, name: string): AiSdkResult {
  if (isAiSdkResult(result)) return result;
  const found = isObject(result)
    ? `an object with the keys ${Object.keys(result).slice(0, 8).join(', ')}`
    : typeof result;
  const message = `the agent "${name}" returned ${found}: return the result of generateText or streamText, or of an agent's generate or stream`;
  throw new CriteriaError({ code: 'AGENT_FAILED', message });
}

/** Returns the parts of a stream. Version 7 calls them `stream`, and still has the older name. */
function streamOf(result: AiSdkResult): AsyncIterable<unknown> | undefined {
  const { fullStream, stream } = result as AiSdkResult & { readonly stream?: AsyncIterable<unknown> };
  return fullStream ?? stream;
}

async function readStream(
  stream: AsyncIterable<unknown>,
  name: string,
  show: (event: Json) => void,
  showSteps: () => void,
): Promise<void> {
  for await (const part of stream) {
    if (!isObject(part)) continue;
    const { type, text, error } = part;
    if (type === 'error') throw error;
    if (type === 'abort') throw new CriteriaError({ code: 'AGENT_FAILED', message: 'the stream was aborted' });
    // All pieces of the steps before have been read.
    if (type === 'start-step') showSteps();
    if ((type !== 'text-delta' && type !== 'reasoning-delta') || typeof text !== 'string' || text === '') continue;
    const piece = type === 'text-delta' ? { text } : { text, thought: true };
    show({ author: name, partial: true, content: { role: 'model', parts: [piece] } });
  }
}

/** Version 6 has the messages of all steps in the response; version 7 has only those of the last one there. */
async function responseMessages(result: AiSdkResult): Promise<readonly unknown[] | null> {
  const { responseMessages: all, response } = result as AiSdkResult & {
    readonly responseMessages?: unknown;
    readonly response?: unknown;
  };
  const found: unknown = all === undefined ? Object(await response).messages : await all;
  return Array.isArray(found) ? found : null;
}

/** Lists the runs of tools in a step that did not end, of which no step has the calls. */
function unreported(runs: readonly ToolRun[], steps: readonly AiSdkStep[]): readonly AgentStep[] {
  const known = new Set(steps.flatMap(({ content }) => content.map((part) => Object(part).toolCallId as unknown)));
  return runs
    .filter(({ id }) => id === undefined || !known.has(id))
    .map(({ id, name, input, answer }): AgentStep => {
      const ids = id === undefined ? {} : { id };
      const args = isObject(input) ? input : { input };
      const response =
        answer === undefined
          ? null
          : {
              ...ids,
              name,
              response: 'error' in answer ? { error: messageOf(answer.error) } : responseOf(answer.output),
            };
      return { kind: 'call', call: { ...ids, name, args }, response, author: undefined };
    });
}

/** Stubs that were not asked would leave it to a real tool to answer. */
function unusedStub(
  steps: readonly AiSdkStep[],
  runs: readonly ToolRun[],
  isStubbed: (tool: string) => boolean,
): ErrorInfo | null {
  const ran = new Set(runs.map(({ id }) => id));
  for (const part of steps.flatMap(({ content }) => content)) {
    const { type, toolCallId, toolName, providerExecuted }: Readonly<Record<string, unknown>> = { ...part };
    if (type !== 'tool-result' || typeof toolName !== 'string' || !isStubbed(toolName)) continue;
    if (typeof toolCallId === 'string' && ran.has(toolCallId)) continue;
    const message =
      providerExecuted === true
        ? `the tool "${toolName}" is run by the model's own service, so no stub was asked`
        : `the real tool "${toolName}" was called without asking its stub: give the call the tools that it is passed, as in generateText({ ...call })`;
    return { code: 'NOT_SUPPORTED', message };
  }
  return null;
}
