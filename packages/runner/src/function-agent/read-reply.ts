import {
  type AgentReply,
  type AgentTurn,
  type Content,
  CriteriaError,
  type FunctionCall,
  type FunctionReply,
  type FunctionResponse,
} from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import {
  type AgentStep,
  invocationOf,
  isAiSdkResult,
  type ReadCall,
  readAiSdkSteps,
  readCall,
  usageMetadata,
} from '@agent-criteria/formats/messages';

/** The turn of a function agent: what it was asked, and the name under which it is recorded. */
export interface AskedTurn {
  readonly content: Content;
  readonly name: string;
}

/**
 * Converts the answer of a function agent to a turn.
 * @param before Steps that the agent has reported before, in a stream. Default: none.
 * @throws CriteriaError AGENT_FAILED if the answer cannot be read.
 */
export async function readReply(
  reply: AgentReply,
  { content, name }: AskedTurn,
  before: readonly AgentStep[] = [],
): Promise<AgentTurn> {
  const turn = (answer: Content | null, steps: readonly AgentStep[], grounding?: unknown) =>
    invocationOf({ userContent: content, answer, steps: [...before, ...steps], author: name, grounding });
  if (typeof reply === 'string') {
    const finalResponse = answerOf(reply);
    return { invocation: before.length === 0 ? { userContent: content, finalResponse } : turn(finalResponse, []) };
  }
  if (typeof reply === 'object' && reply !== null) {
    if ('userContent' in reply) return { invocation: reply };
    if (isAiSdkResult(reply)) {
      const { steps, answer, grounding, cutOff, problem } = readAiSdkSteps(await reply.steps);
      if (problem !== undefined) throw failed(problem);
      return { invocation: turn(answer, steps, grounding), ...(cutOff === undefined ? {} : { cutOff }) };
    }
    if ('text' in reply && typeof reply.text === 'string') {
      const { grounding, cutOff } = checkedReply(reply);
      const plain = before.length === 0 ? plainInvocation(reply, content) : null;
      const invocation = plain ?? turn(answerOf(reply.text), stepsOf(reply, name), grounding);
      return { invocation, ...(cutOff === undefined ? {} : { cutOff }) };
    }
    if ('parts' in reply && Array.isArray(reply.parts)) {
      const finalResponse = reply as Content;
      return { invocation: before.length === 0 ? { userContent: content, finalResponse } : turn(finalResponse, []) };
    }
  }
  throw failed(
    `the agent function "${name}" returned ${describe(reply)}. ` +
      'Return a text, { text, toolCalls }, a message { role, parts }, a result of the AI SDK, ' +
      'or a whole invocation { userContent, finalResponse, ... }',
  );
}

/** Only known keys are accepted: a misspelt key would silently drop a call, and the case could pass. */
const REPLY_KEYS = ['text', 'toolCalls', 'toolResponses', 'steps', 'usage', 'grounding', 'cutOff'];
const RESPONSE_KEYS = ['id', 'name', 'response'];

function checkedReply(reply: FunctionReply): FunctionReply {
  checkKeys(reply, REPLY_KEYS, 'the answer');
  if (reply.steps !== undefined && (reply.toolCalls !== undefined || reply.toolResponses !== undefined)) {
    throw failed('the answer has both "steps" and "toolCalls": put all calls into "steps", in order');
  }
  for (const response of reply.toolResponses ?? []) {
    if (!isObject(response) || typeof response.name !== 'string' || response.name === '') {
      throw failed(
        `a tool response must be an object with a name, as { name: 'search', response: { found: 3 } }; found ${describe(response)}`,
      );
    }
    checkKeys(response, RESPONSE_KEYS, `a tool response "${response.name}"`);
  }
  return reply;
}

/** Builds the short form of an invocation, as people write it, or `null` if the reply has more than it can hold. */
function plainInvocation(reply: FunctionReply, content: Content) {
  const { text, toolCalls, toolResponses = [], steps, usage, grounding } = reply;
  const calls = (toolCalls ?? []).map(checkedCall);
  const isPlain = calls.every(({ response, author }) => response === null && author === undefined);
  if (steps !== undefined || usage !== undefined || grounding !== undefined || !isPlain) return null;
  const toolUses: FunctionCall[] = calls.map(({ call }) => call);
  const responses: FunctionResponse[] = [...toolResponses];
  return {
    userContent: content,
    finalResponse: answerOf(text),
    intermediateData: { toolUses, toolResponses: responses },
  };
}

function stepsOf({ toolCalls = [], toolResponses = [], steps, usage }: FunctionReply, name: string): AgentStep[] {
  const ofModel =
    usage === undefined ? [] : (Array.isArray(usage) ? usage : [usage]).map((one) => modelStep(one, name));
  if (steps !== undefined) return [...steps.map((step) => readStep(step, name)), ...ofModel];
  const calls = toolCalls.map((call): AgentStep => ({ kind: 'call', ...checkedCall(call) }));
  const responses = toolResponses.map((response): AgentStep => ({ kind: 'response', response }));
  // The first model call leads to the tool calls; the last one writes the answer.
  return [...ofModel.slice(0, -1), ...calls, ...responses, ...ofModel.slice(-1)];
}

/** Reads a step of a reply or of a stream. @throws CriteriaError AGENT_FAILED. */
export function readStep(step: unknown, name: string): AgentStep {
  if (isObject(step) && typeof step.text === 'string') {
    checkKeys(step, ['text', 'author'], 'a text of the agent');
    return { kind: 'text', text: step.text, author: authorOf(step) };
  }
  if (isObject(step) && 'usage' in step) {
    checkKeys(step, ['usage', 'model', 'author'], 'a model call');
    return {
      ...modelStep({ ...(isObject(step.usage) ? step.usage : {}), model: step.model }, name),
      author: authorOf(step),
    };
  }
  return { kind: 'call', ...checkedCall(step) };
}

function modelStep(usage: unknown, name: string): AgentStep & { readonly kind: 'model' } {
  if (!isObject(usage)) throw failed(`the usage reported by "${name}" must be an object; found ${describe(usage)}`);
  const { model, modelId, ...counts } = usage;
  const id = [model, modelId].find((one) => typeof one === 'string');
  return { kind: 'model', model: id as string | undefined, usage: usageMetadata(counts) };
}

function checkedCall(call: unknown): ReadCall {
  const read = readCall(call);
  if ('problem' in read) throw failed(read.problem);
  return read;
}

function authorOf({ author }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof author === 'string' && author !== '' ? author : undefined;
}

function checkKeys(value: object, known: readonly string[], what: string): void {
  const unknown = Object.keys(value).filter((key) => !known.includes(key));
  if (unknown.length > 0) throw failed(`${what} has the unknown key "${unknown[0]}"; it may have ${known.join(', ')}`);
}

function failed(message: string): CriteriaError {
  return new CriteriaError({ code: 'AGENT_FAILED', message });
}

function answerOf(text: string): Content {
  return { role: 'model', parts: [{ text }] };
}

function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  return typeof value === 'object' ? `an object with the keys ${keysOf(value)}` : `a ${typeof value}`;
}

const MOST_KEYS = 8;

function keysOf(value: object): string {
  const keys = Object.keys(value);
  const more = keys.length > MOST_KEYS ? `, and ${keys.length - MOST_KEYS} more` : '';
  return keys.slice(0, MOST_KEYS).join(', ') + more || '(none)';
}
