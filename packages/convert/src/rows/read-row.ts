import type { FunctionCall, Invocation, Problem } from '@agent-criteria/core';
import { isInvocationEvents, isObject } from '@agent-criteria/formats';
import { type AgentStep, invocationOf, type ReadCall, readCall } from '@agent-criteria/formats/messages';
import { AGENT, type Conversation, type Expected } from '../conversation.ts';
import { jsonIn } from '../json-in.ts';
import { isMessageList, messagesOfAnswer, type ReadMessagesOptions, readMessages } from '../messages/read-messages.ts';
import { textIn } from '../messages/read-parts.ts';
import { toolAnswer } from '../messages/tool-answer.ts';
import { type ColumnName, type ColumnPaths, columnText } from './columns.ts';
import { readLabel } from './read-label.ts';
import { valueAt } from './value-at.ts';

export interface ReadRowOptions {
  readonly columns: ColumnPaths;
  /** Columns that were named by the user, whose values must be right. */
  readonly named: ReadonlySet<ColumnName>;
  /** The values of `label` that mean a pass. Default: the usual words. */
  readonly passes: readonly string[];
  /** The last message of the user that ends a conversation and is not a turn. Default: none. */
  readonly stop: string | undefined;
  /** Called for content that has no place in a conversation. */
  readonly onLoss: (what: string, where: string) => void;
}

/** A conversation, or one turn of it, read from a record. */
export interface ReadRow extends Conversation {
  /** The number of the turn, where each turn is a row. */
  readonly turn: number | null;
}

/** The place of a record. */
export interface RowPlace {
  readonly file: string;
  readonly line: number;
  readonly where: string;
  /** The key that replaces `[*]` in paths. */
  readonly key?: string | number | undefined;
}

/** Reads a record by its columns. @returns the mistakes in it if it is not a conversation. */
export function readRow(record: unknown, place: RowPlace, options: ReadRowOptions): ReadRow | readonly Problem[] {
  const { columns, onLoss } = options;
  const { where, file, line, key } = place;
  const problems: Problem[] = [];
  const wrong = (column: ColumnName, message: string): undefined => {
    const path = columns[column];
    const of = path === undefined ? '' : `, ${columnText(path)}`;
    problems.push({ code: 'INVALID_DATA', file, path: `line ${line}${of}`, message });
    return undefined;
  };
  const value = (column: ColumnName): unknown => {
    const path = columns[column];
    const found = path === undefined ? undefined : valueAt(record, path, key);
    return found === null ? undefined : found;
  };
  /** Returns the value of a column whose cells may hold JSON. */
  const parsed = (column: ColumnName): unknown => {
    const found = value(column);
    return typeof found === 'string' ? (jsonIn(found) ?? found) : found;
  };
  const text = (column: ColumnName): string | undefined => {
    const found = value(column);
    if (found === undefined || found === '') return undefined;
    return typeof found === 'string' ? found : typeof found === 'object' ? textIn(found) : String(found);
  };

  const lost = (what: string): void => onLoss(what, where);
  const turns = turnsOf();
  const number = wholeNumber('turn');
  const label = labelOf();
  const id = text('id') ?? null;
  const repeat = wholeNumber('repeat');
  const expected = expectedOf(turns.length);
  const group = text('group');
  const tags = tagsOf(value('tags'));
  const error = errorOf(value('error'));
  if (problems.length > 0) return problems;
  return {
    id,
    where,
    turn: number ?? null,
    turns,
    expected,
    ...(label === undefined ? {} : { label }),
    ...(group === undefined ? {} : { group }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(repeat === undefined ? {} : { repeat: Math.max(repeat - 1, 0) }),
    ...(error === undefined ? {} : { error: { code: 'AGENT_FAILED', message: error } }),
  };

  function turnsOf(): readonly Invocation[] {
    const common: ReadMessagesOptions = {
      onLoss: lost,
      tools: parsed('tools'),
      instructions: text('instructions'),
      usage: usageOf(),
    };
    const messages = parsed('messages');
    if (messages !== undefined) {
      if (!isMessageList(messages)) {
        wrong('messages', 'this is not a list of messages, each with a "role" and a "content"');
        return [];
      }
      return withoutStop(readMessages([...messages, ...messagesOfAnswer(parsed('answer'))], common).turns);
    }
    const listed = parsed('turns');
    if (listed !== undefined) {
      if (!Array.isArray(listed) || !listed.every(isObject)) {
        wrong('turns', 'this is not a list of turns, each with a "user" and an "answer"');
        return [];
      }
      return withoutStop(listed.map((turn, index) => turnOf(turn, `turn ${index + 1}`)));
    }
    const user = parsed('user');
    if (isMessageList(user)) {
      return withoutStop(readMessages([...user, ...messagesOfAnswer(parsed('answer'))], common).turns);
    }
    const message = text('user');
    if (message === undefined) {
      wrong('user', columns.user === undefined ? NO_USER : 'there is no message of the user here');
      return [];
    }
    const calls = callsOf('calls', parsed('calls'));
    const answer = messagesOfAnswer(plainAnswer());
    const { turns: read } = readMessages([{ role: 'user', content: message }, ...answer], common);
    if (calls.length === 0) return read;
    return read.map((turn) => withCalls(turn, calls));
  }

  /** Returns the answer, in which JSON is only a completion or a message, never an answer that happens to be JSON. */
  function plainAnswer(): unknown {
    const found = value('answer');
    return typeof found === 'object' || found === undefined ? found : String(found);
  }

  function withoutStop(all: readonly Invocation[]): readonly Invocation[] {
    const last = all.at(-1);
    const isStop =
      options.stop !== undefined &&
      last !== undefined &&
      !last.finalResponse &&
      (last.userContent.parts ?? []).some((part) => part.text?.includes(options.stop ?? ''));
    if (isStop) onLoss(`last messages of the user that end the conversation (${options.stop}), left out`, where);
    const kept = isStop ? all.slice(0, -1) : all;
    if (kept.length === 0 && problems.length === 0) wrong('messages', 'the conversation has no message of the user');
    return kept;
  }

  function turnOf(turn: Readonly<Record<string, unknown>>, which: string): Invocation {
    const { user, answer, calls, responses, ...others } = turn;
    if (typeof user !== 'string') wrong('turns', `${which} has no text "user"`);
    for (const name of Object.keys(others)) lost(`the key "${name.slice(0, 60)}" of turns, left out`);
    const read = callsOf('turns', calls);
    const steps = read.map((call): AgentStep => ({ kind: 'call', ...call }));
    for (const response of Array.isArray(responses) ? responses : []) {
      if (!isObject(response)) continue;
      const { id: of, name, text: said, response: given, result, output, content } = response;
      const named = typeof name === 'string' ? name : '';
      const answered = toolAnswer(said ?? given ?? result ?? output ?? content);
      const own = typeof of === 'string' ? { id: of } : {};
      steps.push({ kind: 'response', response: { ...own, name: named, response: answered } });
    }
    const said = typeof answer === 'string' && answer !== '' ? answer : null;
    return invocationOf({
      userContent: { role: 'user', parts: [{ text: String(user) }] },
      answer: said === null ? null : { role: 'model', parts: [{ text: said }] },
      steps,
      author: AGENT,
    });
  }

  function callsOf(column: ColumnName, calls: unknown): readonly ReadCall[] {
    if (calls === undefined || calls === null) return [];
    if (!Array.isArray(calls)) {
      wrong(column, 'this is not a list of tool calls');
      return [];
    }
    return calls.flatMap((call: unknown) => {
      const read = readCall(typeof call === 'string' ? { name: call } : call);
      if (!('problem' in read)) return [read];
      wrong(column, read.problem);
      return [];
    });
  }

  function expectedOf(count: number): ReadonlyMap<number, Expected> {
    const reference = value('reference');
    if (Array.isArray(reference) && reference.length > 1) lost('further accepted answers beside the first, left out');
    const first = Array.isArray(reference) ? reference[0] : reference;
    const answer =
      first === undefined || first === '' ? undefined : typeof first === 'object' ? textIn(first) : String(first);
    const calls = parsed('expected_calls');
    const read: readonly FunctionCall[] | undefined =
      calls === undefined ? undefined : callsOf('expected_calls', calls).map(({ call }) => call);
    if ((answer === undefined && read === undefined) || count === 0) return new Map();
    const one: Expected = {
      ...(answer === undefined ? {} : { answer }),
      ...(read === undefined ? {} : { calls: read }),
    };
    return new Map([[count - 1, one]]);
  }

  function labelOf(): Conversation['label'] {
    const found = readLabel(value('label'), options.passes);
    if (found === null) return undefined;
    if (found !== undefined) return { label: found, reason: text('reason') ?? null };
    const shown = JSON.stringify(value('label')).slice(0, 60);
    if (options.named.has('label')) {
      return wrong('label', `${shown} is neither a pass nor a failure: say with --pass VALUE which values pass`);
    }
    lost('labels that are neither a pass nor a failure (say with --pass VALUE which values pass), left out');
    return undefined;
  }

  function wholeNumber(column: ColumnName): number | undefined {
    const found = value(column);
    if (found === undefined || found === '') return undefined;
    const count = Number(found);
    if (Number.isSafeInteger(count) && count >= 0) return count;
    return wrong(column, `${JSON.stringify(found).slice(0, 60)} is not a whole number`);
  }

  function usageOf(): ReadMessagesOptions['usage'] {
    const counts = parsed('usage');
    const model = text('model');
    return isObject(counts) || model !== undefined
      ? { counts: isObject(counts) ? counts : undefined, model }
      : undefined;
  }
}

const NO_USER =
  'no column holds the messages of the user: name it with --column user=PATH, or the list of messages with --column messages=PATH';

/** Adds calls before everything else in the turn. */
function withCalls(turn: Invocation, calls: readonly ReadCall[]): Invocation {
  const { userContent, finalResponse, intermediateData } = turn;
  const steps = calls.map((call): AgentStep => ({ kind: 'call', ...call }));
  const made = invocationOf({ userContent, answer: finalResponse ?? null, steps, author: AGENT });
  const events = [made.intermediateData, intermediateData].flatMap((data) =>
    data && isInvocationEvents(data) ? (data.invocationEvents ?? []) : [],
  );
  return { ...turn, intermediateData: { invocationEvents: events } };
}

function tagsOf(tags: unknown): readonly string[] {
  const list = typeof tags === 'string' ? (jsonIn(tags) ?? tags.split(',')) : tags;
  return Array.isArray(list)
    ? list.flatMap((tag) => (typeof tag === 'string' && tag.trim() !== '' ? [tag.trim()] : []))
    : [];
}

function errorOf(error: unknown): string | undefined {
  if (typeof error === 'string') return error === '' ? undefined : error;
  return isObject(error) && typeof error.message === 'string' ? error.message : undefined;
}
