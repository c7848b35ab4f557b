import {
  type Content,
  CriteriaError,
  contentText,
  type Invocation,
  type InvocationEvent,
  type Part,
  type Problem,
  type SessionInput,
  type State,
} from '@agent-criteria/core';
import { isObject, isStepPart, urlContextCall } from '@agent-criteria/formats';
import { parseInvocation, parseSessionInput } from '@agent-criteria/formats/parse';
import { fieldOf } from '@agent-criteria/formats/schema';

/** An ADK session as a conversation. */
export interface ReadSession {
  readonly id: string | null;
  readonly turns: readonly Invocation[];
  readonly sessionInput: SessionInput;
  /** State keys that the conversation itself has set, so that their initial values are unknown. */
  readonly changedState: readonly string[];
  /** The number of invocations without a user message, which are left out. */
  readonly withoutUser: number;
  /** The state at the end, or `null` if it is not recorded. */
  readonly finalState: State | null;
  /** Why the conversation broke, or `null` if it did not. */
  readonly broken: string | null;
}

export interface ReadSessionOptions {
  /** Whether to read a session with errors instead of rejecting it. Default `false`. */
  readonly keepBroken?: boolean | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads an ADK session file, as written by `adk run --save_session` and ADK's web page, in camelCase or snake_case.
 * Converts its events to turns by the rule of ADK's own evaluation (`convert_events_to_eval_invocations`).
 *
 * @param appName The app name for sessions that have none.
 * @throws CriteriaError with every mistake in it.
 */
export function readSession(
  value: unknown,
  file: string,
  appName: string,
  { keepBroken = false }: ReadSessionOptions = {},
): ReadSession {
  const events = isObject(value) ? fieldOf(value, 'events') : undefined;
  if (!isObject(value) || !Array.isArray(events)) {
    const message = 'this is not an ADK session: it has no list of "events"; adk run --save_session writes such a file';
    throw new CriteriaError({ code: 'UNKNOWN_FORMAT', file, path: '$', message });
  }
  const broken = brokenEvents(events);
  if (broken.length > 0 && !keepBroken) throw new CriteriaError(broken.map((one) => refusal(one, file)));
  const groups = grouped(readEvents(events, file));
  const turns = groups.flatMap((group) => toTurn(group));
  if (turns.length === 0) {
    const message = 'the session has no user message, so it holds no conversation';
    throw new CriteriaError({ code: 'EMPTY', file, path: '$.events', message });
  }
  const changed = new Set(events.flatMap((event) => (isObject(event) ? Object.keys(stateDelta(event)) : [])));
  const id = fieldOf(value, 'id');
  return {
    id: typeof id === 'string' && id !== '' ? id : null,
    turns,
    sessionInput: readInput(value, changed, file, appName),
    changedState: [...changed].filter((key) => !isPassing(key)).toSorted(),
    withoutUser: groups.length - turns.length,
    finalState: stateOf(value),
    broken: broken[0]?.what ?? null,
  };
}

interface SessionEvent {
  readonly author: string;
  readonly content: InvocationEvent['content'];
  readonly invocationId: string | null;
  /** The time in Unix seconds. */
  readonly at: number | null;
  readonly isFinal: boolean;
  /** The grounding and the token counts that the event reports. */
  readonly reported: Pick<InvocationEvent, 'groundingMetadata' | 'usageMetadata' | 'modelVersion'>;
  /** The call by which the service of the model read pages, if it reports one. */
  readonly pages: Content | null;
}

function readEvents(events: readonly unknown[], file: string): readonly SessionEvent[] {
  // Parsed as if they were the steps of one turn, so that contents are checked and respelt like those of eval sets.
  const steps = events.map((event) => {
    const { author = 'agent', content = null } = isObject(event) ? event : {};
    return { author, content };
  });
  const whole = { user_content: { parts: [] }, intermediate_data: { invocation_events: steps } };
  const { intermediateData } = parsed(whole, file);
  const contents = intermediateData as { readonly invocationEvents: readonly InvocationEvent[] };
  return events.flatMap((event, index) => {
    const step = contents.invocationEvents[index];
    // Partial events are skipped, because a complete event follows.
    if (!isObject(event) || step === undefined || fieldOf(event, 'partial') === true) return [];
    const invocationId = fieldOf(event, 'invocation_id');
    const time = fieldOf(event, 'timestamp');
    return [
      {
        author: step.author,
        content: step.content,
        invocationId: typeof invocationId === 'string' && invocationId !== '' ? invocationId : null,
        at: typeof time === 'number' ? inSeconds(time) : null,
        isFinal: isFinal(event, step.content?.parts ?? []),
        reported: reportedIn(event),
        pages: urlContextCall(fieldOf(event, 'url_context_metadata'), step.content?.parts ?? []),
      },
    ];
  });
}

function reportedIn(event: Fields): SessionEvent['reported'] {
  const model = fieldOf(event, 'model_version');
  const found: readonly (readonly [string, unknown])[] = [
    ['groundingMetadata', fieldOf(event, 'grounding_metadata')],
    ['usageMetadata', fieldOf(event, 'usage_metadata')],
    ['modelVersion', typeof model === 'string' ? model : undefined],
  ];
  return Object.fromEntries(found.filter(([, value]) => value !== undefined && value !== null));
}

/** An event that reports an error. */
interface BrokenEvent {
  readonly index: number;
  readonly what: string;
}

function brokenEvents(events: readonly unknown[]): readonly BrokenEvent[] {
  return events.flatMap((event, index) => {
    const code = isObject(event) ? fieldOf(event, 'error_code') : undefined;
    if (!isObject(event) || code === undefined || code === null || code === '') return [];
    const message = fieldOf(event, 'error_message');
    const what = typeof message === 'string' && message !== '' ? `${String(code)}: ${message}` : String(code);
    return [{ index, what }];
  });
}

function refusal({ index, what }: BrokenEvent, file: string): Problem {
  const message = `the conversation broke here (${what}); a broken conversation cannot be used as an expectation: record the conversation again, or remove the events of this turn from the file`;
  return { code: 'INVALID_DATA', file, path: `$.events[${index}]`, message };
}

function stateOf(session: Fields): State | null {
  const state = fieldOf(session, 'state');
  return isObject(state) ? (state as State) : null;
}

function parsed(turn: unknown, file: string): Invocation {
  try {
    return parseInvocation(turn, { file }).value;
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    const events = /^\$\.intermediate_data\.invocation_events/;
    throw new CriteriaError(
      error.problems.map((problem) => ({ ...problem, path: (problem.path ?? '$').replace(events, '$.events') })),
      { cause: error },
    );
  }
}

/** Converts a timestamp to seconds. ADK for TypeScript writes milliseconds; ADK for Python writes seconds. */
function inSeconds(time: number): number {
  return time > 1e11 ? time / 1000 : time;
}

/** Whether an event is the final response of its agent, by ADK's rule. */
function isFinal(event: Fields, parts: readonly Part[]): boolean {
  const actions = fieldOf(event, 'actions');
  const long = fieldOf(event, 'long_running_tool_ids');
  if (isObject(actions) && fieldOf(actions, 'skip_summarization') === true) return true;
  if (Array.isArray(long) && long.length > 0) return true;
  return !parts.some(isToolPart) && !parts.at(-1)?.codeExecutionResult;
}

/**
 * Groups events by invocation, ordered by the first event of each. Without ids, each user message starts a new
 * invocation.
 */
function grouped(events: readonly SessionEvent[]): readonly (readonly SessionEvent[])[] {
  const groups = new Map<string, SessionEvent[]>();
  let current = '';
  for (const [index, event] of events.entries()) {
    if (event.invocationId !== null) current = event.invocationId;
    else if (isUser(event) || index === 0) current = `event ${index}`;
    const group = groups.get(current) ?? [];
    group.push(event);
    groups.set(current, group);
  }
  return [...groups.values()];
}

function toTurn(group: readonly SessionEvent[]): readonly Invocation[] {
  let user: SessionEvent | undefined;
  let answer: SessionEvent | undefined;
  for (const event of group) {
    if (isUser(event)) {
      // The response of a client-side tool is not a user message.
      if (user === undefined || contentText(event.content) !== '' || contentText(user.content) === '') user = event;
    } else if (partsOf(event).length > 0 && event.isFinal) {
      const isText = contentText(event.content) !== '';
      if (answer === undefined || isText || contentText(answer.content) === '') answer = event;
    }
  }
  if (!user?.content) return [];
  const events = group.flatMap((event): InvocationEvent[] => {
    const parts = partsOf(event);
    const isStep = parts.some(event === answer ? isToolPart : isStepPart);
    const { author, reported, pages } = event;
    const isReport = reported.usageMetadata !== undefined || reported.groundingMetadata !== undefined;
    if (isUser(event)) return [];
    const before = pages === null ? [] : [{ author, content: pages }];
    if (!isStep && !isReport) return before;
    return [...before, { author, content: isStep ? (event.content ?? null) : null, ...reported }];
  });
  return [
    {
      ...(user.invocationId === null ? {} : { invocationId: user.invocationId }),
      userContent: user.content,
      finalResponse: answer?.content ?? null,
      intermediateData: { invocationEvents: events },
      ...(user.at === null ? {} : { creationTimestamp: user.at }),
    },
  ];
}

/** Restores the session before the conversation, with the part of its state that is known. */
function readInput(session: Fields, changed: ReadonlySet<string>, file: string, appName: string): SessionInput {
  const state = fieldOf(session, 'state') ?? {};
  const before = isObject(state)
    ? Object.fromEntries(Object.entries(state).filter(([key]) => !changed.has(key) && !isPassing(key)))
    : state;
  const own = { app_name: fieldOf(session, 'app_name') || appName, user_id: fieldOf(session, 'user_id') || 'user' };
  return parseSessionInput({ ...own, state: before }, { file }).value;
}

/** Whether a state key is temporary. ADK drops such keys after one invocation. */
function isPassing(key: string): boolean {
  return key.startsWith('temp:');
}

function stateDelta(event: Fields): Fields {
  const actions = fieldOf(event, 'actions');
  const delta = isObject(actions) ? fieldOf(actions, 'state_delta') : undefined;
  return isObject(delta) ? delta : {};
}

function isUser({ author }: SessionEvent): boolean {
  return author.toLowerCase() === 'user';
}

function partsOf({ content }: SessionEvent): readonly Part[] {
  return content?.parts ?? [];
}

function isToolPart({ functionCall, functionResponse }: Part): boolean {
  return Boolean(functionCall || functionResponse);
}
