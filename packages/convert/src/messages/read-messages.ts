import type { FunctionResponse, Invocation, Part } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import {
  type AgentStep,
  appDetailsOf,
  invocationOf,
  readCall,
  toolDeclarations,
  usageMetadata,
} from '@agent-criteria/formats/messages';
import { AGENT } from '../conversation.ts';
import { type MessageItem, readParts, textIn } from './read-parts.ts';
import { toolAnswer } from './tool-answer.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A list of messages, read into turns. */
export interface ReadMessages {
  readonly turns: readonly Invocation[];
}

export interface ReadMessagesOptions {
  /** Called for content that has no place in a turn. */
  readonly onLoss: (what: string) => void;
  /** Tool declarations in the form of OpenAI or the AI SDK. Default: unknown. */
  readonly tools?: unknown;
  /** Instructions that are not among the messages. Default: none. */
  readonly instructions?: string | undefined;
  /** Token counts and the name of the model, for the last turn. Default: unknown. */
  readonly usage?: { readonly counts: unknown; readonly model: string | undefined } | undefined;
}

/** Whether a value is a list of messages: objects with a role, or items of OpenAI's Responses API. */
export function isMessageList(value: unknown): value is readonly Fields[] {
  return Array.isArray(value) && value.length > 0 && value.every(isMessage);
}

function isMessage(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { role, type } = value;
  if (typeof role === 'string') return 'content' in value || 'parts' in value || 'tool_calls' in value;
  return type === 'function_call' || type === 'function_call_output' || type === 'reasoning';
}

interface OpenTurn {
  readonly user: Part[];
  readonly steps: AgentStep[];
  /** The last message without calls that says something, and the number of steps before it. */
  answer: { readonly parts: readonly Part[]; readonly at: number } | null;
  /** Whether the agent has replied, so that the next message of the user begins another turn. */
  isReplied: boolean;
}

/**
 * Reads a list of messages as OpenAI's chat completions and Responses API, the AI SDK (its model and its UI messages)
 * and Anthropic write them. Messages of the user in a row are one turn. The last message of a turn that makes no call is
 * its answer.
 */
export function readMessages(messages: readonly unknown[], options: ReadMessagesOptions): ReadMessages {
  const { onLoss, tools, usage } = options;
  const turns: OpenTurn[] = [];
  const names = new Map<string, string>();
  const systems = options.instructions === undefined ? [] : [options.instructions];
  const last = () => turns.at(-1);
  const open = (): OpenTurn => {
    const turn: OpenTurn = { user: [], steps: [], answer: null, isReplied: false };
    turns.push(turn);
    return turn;
  };
  for (const message of messages) {
    if (!isObject(message)) {
      onLoss('items of a message list that are not messages, left out');
      continue;
    }
    const { role, author, isSystem, isUser, content } = roleOf(message);
    if (isSystem) {
      if (turns.length === 0) systems.push(textIn(content));
      else onLoss('system messages after the first message of the user, left out');
      continue;
    }
    const items = readParts(content, onLoss);
    if (isUser) {
      const turn = last();
      // Anthropic's results of tools are messages of the user.
      const responses = responsesIn(items);
      for (const response of responses) respond(turn, response);
      const parts = partsIn(items);
      if (parts.length === 0 && responses.length > 0) continue;
      const current = turn === undefined || turn.isReplied ? open() : turn;
      current.user.push(...parts);
      if (typeof message.name === 'string') onLoss('names of users, left out');
      continue;
    }
    const turn = last();
    if (turn === undefined) {
      onLoss(`messages of the ${role} before the first message of the user, left out`);
      continue;
    }
    if (role === 'tool') {
      for (const response of responsesOf(message, items, names)) respond(turn, response);
      continue;
    }
    turn.isReplied = true;
    addReply(turn, message, items, author);
  }

  function respond(turn: OpenTurn | undefined, response: FunctionResponse): void {
    if (turn === undefined) {
      onLoss('results of tools before the first message of the user, left out');
      return;
    }
    turn.isReplied = true;
    const id = response.id ?? undefined;
    const name = response.name || (id === undefined ? '' : (names.get(id) ?? ''));
    const named = { ...(id === undefined ? {} : { id }), name, response: response.response ?? {} };
    turn.steps.push({ kind: 'response', response: named });
  }

  function addReply(turn: OpenTurn, message: Fields, items: readonly MessageItem[], author: string | undefined): void {
    const by = author === undefined ? {} : { author };
    const calls = callsOf(message, onLoss);
    const thought = thoughtOf(message);
    const thoughts =
      thought === '' ? [] : [{ part: null, step: { kind: 'text', text: thought, thought: true } as const }];
    const all: readonly MessageItem[] = [...thoughts, ...items];
    // A message of the AI SDK can hold calls, their results and then the answer.
    const cut = calls.length > 0 ? all.length : all.findLastIndex(({ step }) => isOfTool(step)) + 1;
    const steps = [...all.slice(0, cut).flatMap(({ step }) => step ?? []), ...calls];
    const answer = partsIn(all.slice(cut));
    if (turn.answer !== null && all.length + calls.length > 0) stepOfAnswer(turn);
    if (all.slice(0, cut).some(({ step }) => step === null)) {
      onLoss('files in messages that also make calls, left out');
    }
    for (const step of steps) {
      if (step.kind === 'call' && typeof step.call.id === 'string') names.set(step.call.id, step.call.name ?? '');
    }
    const later = all.slice(cut).flatMap(({ part, step }) => (part === null && step !== null ? [step] : []));
    turn.steps.push(...[...steps, ...later].map((step) => ({ ...step, ...by })));
    if (answer.length === 0) return;
    turn.answer = { parts: answer, at: turn.steps.length };
    if (author !== undefined) onLoss('names of the author of an answer, left out');
  }

  /** Turns what seemed to be the answer into a step, because another message followed. */
  function stepOfAnswer(turn: OpenTurn): void {
    const { parts, at } = turn.answer ?? { parts: [], at: 0 };
    const texts = parts.flatMap(({ text }): AgentStep[] => (text ? [{ kind: 'text', text }] : []));
    if (texts.length < parts.length) onLoss('files in messages before the answer, left out');
    turn.steps.splice(at, 0, ...texts);
    turn.answer = null;
  }

  const instructions = systems.filter((text) => text !== '').join('\n\n');
  const declared = isTools(tools) ? toolDeclarations(tools) : [];
  const appDetails = appDetailsOf([
    { name: AGENT, instructions: instructions || undefined, tools: declared.length === 0 ? undefined : declared },
  ]);
  return {
    turns: turns.map(({ user, steps, answer }, index) => {
      const isLast = index === turns.length - 1;
      const model: AgentStep[] = isLast && usage !== undefined ? [modelStep(usage)] : [];
      const invocation = invocationOf({
        userContent: { role: 'user', parts: user },
        answer: answer === null ? null : { role: 'model', parts: answer.parts },
        steps: [...steps, ...model],
        author: AGENT,
      });
      return appDetails === null ? invocation : { ...invocation, appDetails };
    }),
  };
}

function roleOf(message: Fields) {
  const { role: written, type } = message;
  const role = typeof written === 'string' ? written : '';
  const isItem = role === '';
  const content = message.parts ?? message.content;
  return {
    role: isItem ? (type === 'function_call_output' ? 'tool' : 'assistant') : role === 'function' ? 'tool' : role,
    author: typeof message.name === 'string' && role === 'assistant' ? message.name : undefined,
    isSystem: role === 'system' || role === 'developer',
    isUser: role === 'user' || role === 'human',
    content: isItem ? [] : content,
  };
}

/** Returns the reasoning that servers of OpenAI's format write beside the content. */
function thoughtOf(message: Fields): string {
  const { reasoning_content: content, reasoning, type, summary } = message;
  if (type === 'reasoning' && Array.isArray(summary)) return textIn(summary);
  return [content, reasoning].find((text) => typeof text === 'string') ?? '';
}

/** Returns the calls that a message makes beside its content. */
function callsOf(message: Fields, onLoss: (what: string) => void): readonly AgentStep[] {
  const { tool_calls: calls, function_call: call, type } = message;
  const written = [...(Array.isArray(calls) ? calls : []), ...(isObject(call) ? [{ function: call }] : [])];
  if (type === 'function_call') written.push({ id: message.call_id ?? message.id, function: message });
  return written.flatMap((one) => callStep(one, onLoss));
}

function callStep(written: unknown, onLoss: (what: string) => void): readonly AgentStep[] {
  if (!isObject(written)) {
    onLoss('tool calls that are not objects, left out');
    return [];
  }
  const inner = isObject(written.function) ? written.function : isObject(written.custom) ? written.custom : written;
  const { name } = inner;
  const args = inner.arguments ?? inner.input ?? inner.args;
  const own = { id: written.id as string | undefined, name: name as string | undefined };
  const read = readCall({ ...own, arguments: args });
  if (!('problem' in read)) return [{ kind: 'call', ...read }];
  if (typeof name !== 'string' || name === '') {
    onLoss('tool calls without a name, left out');
    return [];
  }
  onLoss('arguments of tool calls that are not a JSON object, kept as the text "input"');
  const input = typeof args === 'string' ? args : JSON.stringify(args);
  const asText = readCall({ ...own, args: { input } });
  return 'problem' in asText ? [] : [{ kind: 'call', ...asText }];
}

function isOfTool(step: AgentStep | null): boolean {
  return step?.kind === 'call' || step?.kind === 'response';
}

function partsIn(items: readonly MessageItem[]): readonly Part[] {
  return items.flatMap(({ part }) => part ?? []);
}

function responsesIn(items: readonly MessageItem[]): readonly FunctionResponse[] {
  return items.flatMap(({ step }) => (step?.kind === 'response' ? [step.response] : []));
}

/** Returns the results in a message of a tool. */
function responsesOf(
  message: Fields,
  items: readonly MessageItem[],
  names: ReadonlyMap<string, string>,
): readonly FunctionResponse[] {
  const ofParts = responsesIn(items);
  if (ofParts.length > 0) return ofParts;
  const id = [message.tool_call_id, message.call_id].find((one): one is string => typeof one === 'string');
  const name = typeof message.name === 'string' ? message.name : id === undefined ? '' : (names.get(id) ?? '');
  const content = message.content ?? message.output;
  const response = toolAnswer(typeof content === 'string' || isObject(content) ? content : textIn(content));
  return [{ ...(id === undefined ? {} : { id }), name, response }];
}

function modelStep({ counts, model }: NonNullable<ReadMessagesOptions['usage']>): AgentStep {
  return { kind: 'model', model, usage: usageMetadata(counts) };
}

function isTools(value: unknown): value is readonly object[] | Readonly<Record<string, object>> {
  return Array.isArray(value) ? value.every(isObject) : isObject(value) && Object.values(value).every(isObject);
}

/** Returns the answer that a record has beside its messages: a text, a message, several, or a completion of OpenAI. */
export function messagesOfAnswer(answer: unknown): readonly unknown[] {
  if (typeof answer === 'string') return answer === '' ? [] : [{ role: 'assistant', content: answer }];
  if (Array.isArray(answer)) {
    return isMessageList(answer) ? answer : [{ role: 'assistant', content: answer }];
  }
  if (!isObject(answer)) return answer === null || answer === undefined ? [] : [assistant(String(answer))];
  const { choices, output, message, body } = answer;
  if (Array.isArray(choices)) return choices.slice(0, 1).flatMap((choice) => messagesOfAnswer(choice));
  if (isObject(message)) return [message];
  if (isObject(body)) return messagesOfAnswer(body);
  if (Array.isArray(output)) return messagesOfAnswer(output);
  if (typeof answer.role === 'string') return [answer];
  const text = [answer.text, answer.output_text, answer.content].find((one) => typeof one === 'string');
  return [assistant(typeof text === 'string' ? text : JSON.stringify(answer))];
}

function assistant(content: string): Fields {
  return { role: 'assistant', content };
}
