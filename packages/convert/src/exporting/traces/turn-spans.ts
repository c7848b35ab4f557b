import {
  type FunctionCall,
  type FunctionResponse,
  type Invocation,
  type InvocationEvent,
  isInvocationEvents,
  type Part,
} from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { AGENT } from '../../conversation.ts';
import { declarationsIn } from '../write-messages.ts';
import { type ConventionPart, conventionParts } from './convention-parts.ts';
import type { OtlpAttributes, SpanDraft } from './otlp.ts';

type OnLoss = (what: string) => void;

/** A call to a model, whose answer is still being collected. */
interface OpenChat {
  readonly agent: SpanDraft;
  readonly attributes: OtlpAttributes;
  readonly output: ConventionPart[];
  /** Whether a tool has answered since, so that what follows is another call to the model. */
  isOver: boolean;
}

/**
 * Makes the spans of a turn, in order, by OpenTelemetry's conventions for generative AI: `invoke_agent`, and below it
 * `chat` for each call to a model, `execute_tool` for each call to a tool that answered, and `invoke_agent` for each
 * other agent.
 *
 * @param about Attributes of the turn.
 * @param error Why the turn failed. Default: it did not.
 * @param onLoss Called for content that the conventions have no place for.
 */
export function turnSpans(
  turn: Invocation,
  about: OtlpAttributes,
  error: string | undefined,
  onLoss: OnLoss,
): readonly SpanDraft[] {
  const events = eventsOf(turn);
  const name = agentOf(turn, events);
  const asked = (turn.userContent.parts ?? []).flatMap((part) => conventionParts(part, onLoss));
  const answer = answerOf(turn, onLoss);
  const root: SpanDraft = {
    name: `invoke_agent ${name}`,
    parent: null,
    error,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': name,
      ...about,
      'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: asked }]),
      ...(answer.length === 0 ? {} : { 'gen_ai.output.messages': outputOf(answer) }),
    },
  };
  const spans: (SpanDraft | OpenChat)[] = [root];
  const details = detailsOf(turn, onLoss);
  let agent = root;
  let agentName = name;
  let chat: OpenChat | null = null;
  const under = (author: string): SpanDraft => {
    if (author === agentName) return agent;
    agentName = author;
    agent = author === name ? root : agentSpan(author, root);
    if (agent !== root) spans.push(agent);
    return agent;
  };
  const open = (author: string, attributes: OtlpAttributes): OpenChat => {
    const isFirst = !spans.some((one) => 'output' in one);
    const all = { 'gen_ai.operation.name': 'chat', ...attributes, ...(isFirst ? details : {}) };
    const opened: OpenChat = { agent: under(author), attributes: all, output: [], isOver: false };
    spans.push(opened);
    return opened;
  };
  const waiting: FunctionCall[] = [];
  for (const event of events) {
    const { content, usageMetadata, modelVersion, groundingMetadata } = event;
    const author = event.author || name;
    if (groundingMetadata !== undefined && groundingMetadata !== null) onLoss('grounding of answers, left out');
    const isModelCall = Boolean(usageMetadata || modelVersion);
    const parts = content?.parts ?? [];
    const said = parts.filter((part) => !part.functionResponse);
    if (isModelCall) chat = open(author, modelAttributes(event, onLoss));
    else if (said.length > 0 && (chat === null || chat.isOver || agentName !== author)) chat = open(author, {});
    for (const part of said) {
      if (part.functionCall) waiting.push(part.functionCall);
      chat?.output.push(...conventionParts(part, onLoss));
    }
    for (const { functionResponse: response } of parts) {
      if (!response) continue;
      if (chat !== null) chat.isOver = true;
      const call = takeCall(waiting, response);
      if (call === undefined) onLoss('results of tools without a call, left out');
      else spans.push(toolSpan(call, response, under(author)));
    }
  }
  if (answer.length > 0) {
    if (chat === null || chat.isOver || chat.output.length > 0 || agentName !== name) chat = open(name, {});
    chat.output.push(...answer);
  } else if (chat !== null && chat.output.at(-1)?.type === 'text') {
    onLoss('turns without an answer that end with a text, which becomes the answer');
  }
  return spans.map((one) => ('output' in one ? chatSpan(one) : one));
}

/** Returns the events of a turn, also where it lists calls, results and texts apart. */
function eventsOf({ intermediateData: data }: Invocation): readonly InvocationEvent[] {
  if (!data) return [];
  if (isInvocationEvents(data)) return data.invocationEvents ?? [];
  const of = (author: string | null | undefined, role: 'model' | 'user', parts: readonly Part[]) =>
    parts.length === 0 ? [] : [{ author: author ?? '', content: { role, parts } }];
  return [
    ...(data.intermediateResponses ?? []).flatMap(([author, parts]) => of(author, 'model', parts)),
    ...of(
      '',
      'model',
      (data.toolUses ?? []).map((functionCall) => ({ functionCall })),
    ),
    ...of(
      '',
      'user',
      (data.toolResponses ?? []).map((functionResponse) => ({ functionResponse })),
    ),
  ];
}

/** Returns the name of the agent that was asked. */
function agentOf({ appDetails }: Invocation, events: readonly InvocationEvent[]): string {
  const [known] = Object.keys(appDetails?.agentDetails ?? {});
  return known || events.find(({ author }) => author)?.author || AGENT;
}

function answerOf({ finalResponse }: Invocation, onLoss: OnLoss): readonly ConventionPart[] {
  const parts = (finalResponse?.parts ?? []).flatMap((part) => conventionParts(part, onLoss));
  const texts = parts.filter(({ type }) => type === 'text');
  if (parts.some(({ type }) => type !== 'text' && type !== 'reasoning')) onLoss('files in answers, left out');
  if (texts.length > 1) onLoss('answers of several parts, written as one text');
  const content = texts.map((part) => part.content).join('');
  return [...parts.filter(({ type }) => type === 'reasoning'), ...(content === '' ? [] : [{ type: 'text', content }])];
}

function agentSpan(name: string, parent: SpanDraft): SpanDraft {
  const attributes = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name };
  return { name: `invoke_agent ${name}`, parent, attributes };
}

function chatSpan({ agent, attributes, output }: OpenChat): SpanDraft {
  const model = attributes['gen_ai.response.model'];
  const said = output.length === 0 ? {} : { 'gen_ai.output.messages': outputOf(output) };
  return {
    name: model === undefined ? 'chat' : `chat ${model}`,
    parent: agent,
    attributes: { ...attributes, ...said },
  };
}

function outputOf(parts: readonly ConventionPart[]): string {
  return JSON.stringify([{ role: 'assistant', parts }]);
}

/** Takes the call that a result answers out of those that wait. */
function takeCall(waiting: FunctionCall[], { id, name }: FunctionResponse): FunctionCall | undefined {
  const byId = id ? waiting.findIndex((call) => call.id === id) : -1;
  const at = byId === -1 ? waiting.findIndex((call) => (!call.id || !id) && call.name === name) : byId;
  return at === -1 ? undefined : waiting.splice(at, 1)[0];
}

function toolSpan({ id, name, args }: FunctionCall, { response }: FunctionResponse, parent: SpanDraft): SpanDraft {
  const error = errorIn(response);
  return {
    name: `execute_tool ${name ?? ''}`,
    parent,
    error,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name ?? '',
      'gen_ai.tool.call.id': id || undefined,
      'gen_ai.tool.call.arguments': args ? JSON.stringify(args) : undefined,
      'gen_ai.tool.call.result': JSON.stringify(response ?? {}),
      ...(error === undefined ? {} : { 'error.type': '_OTHER' }),
    },
  };
}

/** Returns the message of a result that is an error and nothing else. */
function errorIn(response: FunctionResponse['response']): string | undefined {
  if (!isObject(response) || Object.keys(response).length !== 1) return undefined;
  const { error } = response;
  return typeof error === 'string' && error !== '' ? error : undefined;
}

const KNOWN_COUNTS = [
  ...['promptTokenCount', 'candidatesTokenCount', 'thoughtsTokenCount', 'cachedContentTokenCount', 'totalTokenCount'],
];

function modelAttributes({ usageMetadata, modelVersion }: InvocationEvent, onLoss: OnLoss): OtlpAttributes {
  const usage = isObject(usageMetadata) ? usageMetadata : {};
  const count = (name: string) => (typeof usage[name] === 'number' ? usage[name] : undefined);
  const [answer, thoughts] = [count('candidatesTokenCount'), count('thoughtsTokenCount')];
  const isOther = (name: string) => !KNOWN_COUNTS.includes(name) && usage[name] !== null && usage[name] !== undefined;
  if (Object.keys(usage).some(isOther)) {
    onLoss('token counts other than those of input, output, cached input and reasoning, left out');
  }
  return {
    'gen_ai.response.model': modelVersion || undefined,
    'gen_ai.usage.input_tokens': count('promptTokenCount'),
    'gen_ai.usage.output_tokens':
      answer === undefined && thoughts === undefined ? undefined : (answer ?? 0) + (thoughts ?? 0),
    'gen_ai.usage.cache_read.input_tokens': count('cachedContentTokenCount'),
    'gen_ai.usage.reasoning.output_tokens': thoughts,
  };
}

/** Returns the instructions and the tools of the agent that was asked, as attributes. */
function detailsOf(turn: Invocation, onLoss: OnLoss): OtlpAttributes {
  const [agent, ...others] = Object.values(turn.appDetails?.agentDetails ?? {});
  if (others.length > 0) onLoss('instructions and tools of further agents, left out');
  const { instructions, toolDeclarations } = agent ?? {};
  const tools = declarationsIn(toolDeclarations ?? []).map((tool) => ({ type: 'function', ...tool }));
  return {
    ...(instructions
      ? { 'gen_ai.system_instructions': JSON.stringify([{ type: 'text', content: instructions }]) }
      : {}),
    ...(tools.length === 0 ? {} : { 'gen_ai.tool.definitions': JSON.stringify(tools) }),
  };
}
