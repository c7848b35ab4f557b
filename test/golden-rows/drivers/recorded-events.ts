import { contentText, type Invocation, isInvocationEvents, type Part, toolSteps } from '@agent-criteria/core';
import { event, question } from '../../../packages/agent-adk/src/__fixtures__/events.ts';
import type { AdkEvent } from '../../../packages/agent-adk/src/adk-shapes.ts';
import { toInvocation } from '../../../packages/agent-adk/src/to-invocation.ts';
import { areaDriver, type Driver } from '../driver.ts';

// The recorded events of an agent's turn, and the matching of responses with calls.

interface GoldenEvent {
  readonly author: string;
  readonly text?: string;
  readonly call?: string;
  readonly response?: string;
}

function recorded(golden: readonly GoldenEvent[]): unknown {
  const events = golden.map((row): AdkEvent => {
    const part: Part = {
      ...(row.text === undefined ? {} : { text: row.text }),
      ...(row.call === undefined ? {} : { functionCall: { name: row.call } }),
      ...(row.response === undefined ? {} : { functionResponse: { name: row.response } }),
    };
    return { ...event([part]), author: row.author, usageMetadata: { promptTokenCount: 1 } };
  });
  const user = events.find(({ author }) => author === 'user')?.content ?? question;
  const invocation = toInvocation(user, events);
  const steps = stepsOf(invocation);
  if (events.length === 0) return invocation.finalResponse === null ? steps : invocation;
  return {
    user: contentText(invocation.userContent),
    final: contentText(invocation.finalResponse),
    intermediate: steps.map(shown),
  };
}

function stepsOf({ intermediateData }: Invocation) {
  return intermediateData && isInvocationEvents(intermediateData) ? (intermediateData.invocationEvents ?? []) : [];
}

function shown({ content }: { readonly content?: { readonly parts?: readonly Part[] | null } | null }): string {
  const [part] = content?.parts ?? [];
  if (part?.functionCall) return `call ${part.functionCall.name}`;
  if (part?.functionResponse) return `response ${part.functionResponse.name}`;
  return part?.text ?? '(final event kept without content)';
}

interface GoldenCall {
  readonly id: string | null;
  readonly name: string;
  readonly value?: number;
}

interface Steps {
  readonly steps: readonly { readonly call: string; readonly response: { readonly value: number } }[];
}

/** Returns each call with the content of its response. */
function paired(calls: readonly GoldenCall[], responses: readonly GoldenCall[]): readonly unknown[] {
  const named = ({ id, name }: GoldenCall) => (id === null ? { name } : { id, name });
  const parts: Part[] = [
    ...calls.map((one): Part => ({ functionCall: named(one) })),
    ...responses.map((one): Part => ({ functionResponse: { ...named(one), response: { value: one.value ?? null } } })),
  ];
  const steps = toolSteps(toInvocation(question, [event(parts)]));
  return steps.map(({ call, response }) => [call.name, response?.response?.value]);
}

export const recordedEventDrivers: readonly Driver[] = [
  areaDriver<{ events: readonly GoldenEvent[] }, unknown>('events.toInvocation', ({ input, expected }) => ({
    adk: expected,
    ours: recorded(input.events),
  })),
  areaDriver<{ calls: readonly GoldenCall[]; responses: readonly GoldenCall[] }, Steps | string>(
    'toolcalls.json',
    ({ input, expected }) => {
      const ours = paired(input.calls, input.responses);
      // A fixed sentence if there is none.
      if (typeof expected === 'string') return { adk: [], ours };
      const adk = expected.steps.map(({ call, response }) => [call, response.value]);
      const inOrder = input.calls.map(({ name }, index) => [name, input.responses[index]?.value]);
      return { adk, ours, lines: ['pairing-without-ids'], expected: inOrder };
    },
  ),
];
