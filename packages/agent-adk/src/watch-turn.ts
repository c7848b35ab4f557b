import { type ErrorInfo, hasContent } from '@agent-criteria/core';
import type { AdkEvent } from './adk-shapes.ts';
import { MODEL_CALL_LIMIT } from './record-spans.ts';

/** Detects from its events whether a turn failed, because ADK hardly ever throws. */
export interface TurnWatch {
  /** Processes the next event. Returns the failure if the event shows one. */
  see(event: AdkEvent): ErrorInfo | null;
  /** Returns a failure that only becomes apparent at the end of the turn. */
  end(): ErrorInfo | null;
}

/** Matches the names of calls with which ADK asks a human. */
const ASKS_HUMAN = /^adk_request_(\w+)$/;

/** @param isOuter Whether this is a turn of the agent under test, which must answer. */
export function watchTurn(isOuter = true): TurnWatch {
  let events = 0;
  /** Whether an agent has answered in text. */
  let hasAnswer = false;
  let isLastEmpty = false;
  /** Failures by node, because a workflow may rerun a node that failed. */
  const failedNodes = new Map<string, ErrorInfo>();
  /** Agents whose last text arrived only in partial events. */
  const unfinished = new Set<string>();
  const asked = new Map<string, string>();
  return {
    see(event) {
      const parts = event.content?.parts ?? [];
      const { author = 'agent' } = event;
      if (author !== 'user') events += 1;
      if (!event.partial) unfinished.delete(author);
      else if (author !== 'user' && parts.some(hasContent)) unfinished.add(author);
      if (author !== 'user' && !event.partial && (parts.length > 0 || event.usageMetadata)) {
        isLastEmpty = !parts.some(hasContent);
        hasAnswer ||= !isLastEmpty && !parts.some((part) => part.functionCall || part.functionResponse);
      }
      for (const { functionCall, functionResponse } of parts) {
        if (functionCall?.name && ASKS_HUMAN.test(functionCall.name)) {
          asked.set(functionCall.id ?? functionCall.name, describeRequest(functionCall.name, functionCall.args ?? {}));
        }
        if (functionResponse?.id) asked.delete(functionResponse.id);
      }
      const node = event.nodeInfo?.path;
      if (!event.errorCode) {
        // State changes made by a callback are not a retry.
        const isWork = !event.partial && (parts.length > 0 || event.output !== undefined);
        if (node !== undefined && isWork) failedNodes.delete(node);
        return null;
      }
      const failure = describeError(event);
      if (node === undefined || isLasting(event)) return failure;
      failedNodes.set(node, failure);
      return null;
    },
    end() {
      const [failure] = failedNodes.values();
      if (failure) return failure;
      if (asked.size > 0) return failed(`${[...asked.values()].join('; ')}. ${NOBODY_ANSWERS}`);
      const [cutOff] = unfinished;
      if (cutOff !== undefined) return failed(`the answer of "${cutOff}" was cut off: only parts of it arrived`);
      if (isOuter && (events === 0 || (isLastEmpty && !hasAnswer)))
        return failed('the agent ended the turn without an answer: its model returned nothing');
      return null;
    },
  };
}

const NOBODY_ANSWERS = 'No one can answer in an evaluation: stub the tool, or evaluate the agent without this request';

function describeRequest(name: string, args: Readonly<Record<string, unknown>>): string {
  const kind = ASKS_HUMAN.exec(name)?.[1];
  const { originalFunctionCall: call, toolConfirmation: confirmation } = args;
  if (kind === 'confirmation') {
    return `the agent waits for a human to confirm the call of "${text(call, 'name')}"${quoted(text(confirmation, 'hint'))}`;
  }
  if (kind === 'credential') return 'the agent waits for a human to sign in for one of its tools';
  return `the agent waits for a human to answer${quoted(text(args, 'message'))}`;
}

function quoted(words: string): string {
  return words === '' ? '' : `: "${words}"`;
}

function text(value: unknown, key: string): string {
  const found = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  return typeof found === 'string' ? found : '';
}

const UNKNOWN_TOOL = /^Function (.*) is not found in the toolsDict\.$/;

/**
 * Whether the error is one that retrying the workflow node cannot undo: ADK continues after such errors as if nothing
 * had happened.
 */
function isLasting({ errorMessage = '' }: AdkEvent): boolean {
  return UNKNOWN_TOOL.test(errorMessage) || MODEL_CALL_LIMIT.test(errorMessage);
}

function describeError({ author = 'agent', errorCode = '', errorMessage = '' }: AdkEvent): ErrorInfo {
  const unknownTool = UNKNOWN_TOOL.exec(errorMessage)?.[1];
  if (unknownTool !== undefined) return failed(`"${author}" called the tool "${unknownTool}", which it does not have`);
  if (MODEL_CALL_LIMIT.test(errorMessage)) {
    const message = `"${author}" was stopped: one turn took more model calls than maxLlmCalls allows (${errorMessage})`;
    return failed(message);
  }
  const code = errorCode === 'UNKNOWN_ERROR' ? '' : errorCode;
  const told = [code, errorMessage].filter((part) => part !== '' && part !== undefined).join(': ') || errorCode;
  return failed(`"${author}" failed: ${told}`);
}

function failed(message: string): ErrorInfo {
  return { code: 'AGENT_FAILED', message };
}
