import { untilAborted } from '@agent-criteria/calls';
import {
  type Agent,
  type AgentFunction,
  type AgentReply,
  type Content,
  CriteriaError,
  contentText,
  type FunctionCall,
  type FunctionReply,
  type FunctionResponse,
  type FunctionSession,
  type Invocation,
  type Json,
} from '@agent-criteria/core';
import { copyJson } from './copy-json.ts';

/**
 * Creates an agent from a function. Each session gets its own copy of the initial state, which the function may modify.
 */
export function agentFromFunction(run: AgentFunction, name: string = run.name || 'agent'): Agent {
  return {
    name,
    supportsHistory: true,
    async open(start, signal) {
      const state = copyJson(start.state) as Record<string, Json>;
      const id = start.sessionId ?? `${start.key.caseId}-${start.key.repeat}`;
      // Drop turns that were stopped, as a live session does. Turns from a case's history have no events, and are kept.
      const earlier = (start.history ?? []).filter(
        ({ invocation, events }) => invocation.finalResponse || events === undefined,
      );
      const history: Invocation[] = earlier.map(({ invocation }) => copyJson(invocation));
      return {
        id,
        async send(content, { signal: stop } = {}) {
          const whole = stop === undefined ? signal : AbortSignal.any([signal, stop]);
          const session: FunctionSession = {
            id,
            userId: start.userId,
            key: start.key,
            state,
            signal: whole,
            history: [...history],
            content: copyJson(content),
          };
          const running = async () => run(contentText(content), session);
          // A function that ignores the signal keeps running during the next turn, and its result is discarded.
          const reply = await (stop === undefined ? running() : untilAborted(running, stop));
          const invocation = toInvocation(reply, content, name);
          history.push(invocation);
          return { invocation };
        },
        async state() {
          return { ...state };
        },
        async changeState(delta) {
          Object.assign(state, copyJson(delta));
        },
        async close() {},
      };
    },
  };
}

function toInvocation(reply: AgentReply, content: Content, name: string): Invocation {
  if (typeof reply === 'string') return { userContent: content, finalResponse: answer(reply) };
  if (typeof reply === 'object' && reply !== null) {
    if ('userContent' in reply) return reply;
    if ('text' in reply && typeof reply.text === 'string') return fromReply(reply, content);
    if ('parts' in reply && Array.isArray(reply.parts)) return { userContent: content, finalResponse: reply };
  }
  throw new CriteriaError({
    code: 'AGENT_FAILED',
    message:
      `the agent function "${name}" returned ${describe(reply)}. ` +
      'Return a text, { text, toolCalls }, a message { role, parts }, or a whole invocation { userContent, finalResponse, ... }',
  });
}

/** Only known keys are accepted: a misspelt key would silently drop a call, and the case could pass. */
const REPLY_KEYS = ['text', 'toolCalls', 'toolResponses'];
const CALL_KEYS = ['id', 'name', 'args'];
const RESPONSE_KEYS = ['id', 'name', 'response'];

function fromReply(reply: FunctionReply, content: Content): Invocation {
  checkKeys(reply, REPLY_KEYS, 'the answer');
  for (const call of reply.toolCalls ?? []) checkNamed(call, CALL_KEYS, 'a tool call');
  for (const response of reply.toolResponses ?? []) checkNamed(response, RESPONSE_KEYS, 'a tool response');
  return {
    userContent: content,
    finalResponse: answer(reply.text),
    intermediateData: {
      toolUses: (reply.toolCalls ?? []) as FunctionCall[],
      toolResponses: (reply.toolResponses ?? []) as FunctionResponse[],
    },
  };
}

function checkNamed(value: unknown, known: readonly string[], what: string): void {
  if (
    typeof value !== 'object' ||
    value === null ||
    !('name' in value) ||
    typeof value.name !== 'string' ||
    value.name === ''
  ) {
    throw failed(
      `${what} must be an object with a name, as { name: 'search', args: { q: 'x' } }; found ${describe(value)}`,
    );
  }
  checkKeys(value, known, `${what} "${value.name}"`);
}

function checkKeys(value: object, known: readonly string[], what: string): void {
  const unknown = Object.keys(value).filter((key) => !known.includes(key));
  if (unknown.length > 0) throw failed(`${what} has the unknown key "${unknown[0]}"; it may have ${known.join(', ')}`);
}

function failed(message: string): CriteriaError {
  return new CriteriaError({ code: 'AGENT_FAILED', message });
}

function answer(text: string): Content {
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
