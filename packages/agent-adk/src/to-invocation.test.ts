import {
  allToolSteps,
  contentText,
  type Invocation,
  isInvocationEvents,
  type Part,
  toolCalls,
  toolResponses,
} from '@agent-criteria/core';
import { parseInvocation } from '@agent-criteria/formats/parse';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { call, event, question, response } from './__fixtures__/events.ts';
import type { AdkEvent } from './adk-shapes.ts';
import { toInvocation } from './to-invocation.ts';

const usageMetadata = { promptTokenCount: 1 };

function stepsOf({ intermediateData }: Invocation) {
  return intermediateData && isInvocationEvents(intermediateData) ? (intermediateData.invocationEvents ?? []) : [];
}

describe('the answer of an invocation', () => {
  it('is the last final event with parts', () => {
    const events = [event([{ text: 'one' }]), event([{ text: 'two' }]), event([])];
    expect(contentText(toInvocation(question, events).finalResponse)).toBe('two');
  });

  it('is not replaced by a later event without text', () => {
    const sound = { inlineData: { mimeType: 'audio/wav', data: 'AA==' } };
    const invocation = toInvocation(question, [event([{ text: 'one' }]), event([sound])]);
    expect(contentText(invocation.finalResponse)).toBe('one');
    expect(stepsOf(invocation)).toMatchObject([{ content: { parts: [sound] } }]);
    expect(toInvocation(question, [event([sound])]).finalResponse?.parts).toEqual([sound]);
  });

  it.each([
    ['a call', event([{ text: 'Let me see.' }, call])],
    ['a response', event([response])],
    ['a trailing code execution result', event([{ text: 'x' }, { codeExecutionResult: { output: '1' } }])],
    ['a partial event', event([{ text: 'Op' }], { partial: true })],
    ['a user event', event([{ text: 'Open it' }], { author: 'user' })],
  ])('is null if there is only %s', (_, only) => {
    expect(toInvocation(question, [only]).finalResponse).toBeNull();
  });

  it.each([
    ['skips the summary', event([response], { actions: { skipSummarization: true } })],
    ['waits for a tool', event([call], { longRunningToolIds: ['1'] })],
    ['asks for credentials', event([call], { actions: { requestedAuthConfigs: { 1: {} } } })],
  ])('can be an event that %s, keeping its calls and responses', (_, only) => {
    const invocation = toInvocation(question, [only]);
    expect(invocation.finalResponse).toEqual(only.content);
    expect(toolCalls(invocation).length + toolResponses(invocation).length).toBe(1);
  });
});

describe('the steps of an invocation', () => {
  it('are the earlier texts, calls and responses, in order, with their authors', () => {
    const events = [
      event([{ text: 'Looking.' }, call], { usageMetadata, modelVersion: 'm-1' }),
      event([response]),
      event([{ text: 'Opened.' }], { author: 'other', groundingMetadata: { q: 1 } }),
    ];
    expect(stepsOf(toInvocation(question, events))).toEqual([
      { author: 'desk', content: events[0]?.content, usageMetadata, modelVersion: 'm-1' },
      { author: 'desk', content: events[1]?.content },
      { author: 'other', content: null, groundingMetadata: { q: 1 } },
    ]);
  });

  it('leave out events without content, unless they report token usage', () => {
    const silent = event([{ thoughtSignature: 'x' }], { content: null });
    expect(stepsOf(toInvocation(question, [silent]))).toEqual([]);
    expect(stepsOf(toInvocation(question, [{ ...silent, usageMetadata }]))).toEqual([
      { author: 'desk', content: null, usageMetadata },
    ]);
  });

  it('include code that was run and its result, also where an event has nothing else', () => {
    const code = { executableCode: { language: 'PYTHON', code: 'print(1)' } };
    const result = { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } };
    const invocation = toInvocation(question, [event([code]), event([result]), event([{ text: 'It is 1.' }])]);
    expect(stepsOf(invocation)).toMatchObject([{ content: { parts: [code] } }, { content: { parts: [result] } }]);
    expect(allToolSteps(invocation)).toEqual([
      {
        call: { name: 'code_execution', args: { language: 'PYTHON', code: 'print(1)' } },
        response: { name: 'code_execution', response: { outcome: 'OUTCOME_OK', output: '1' } },
        isServerSide: true,
      },
    ]);
  });

  it('have the pages that the service of the model read as a call before the answer', () => {
    const urlContextMetadata = { urlMetadata: [{ retrievedUrl: 'https://a.example' }] };
    const invocation = toInvocation(question, [event([{ text: 'Done.' }], { urlContextMetadata, usageMetadata })]);
    expect(allToolSteps(invocation)).toMatchObject([
      {
        call: { name: 'url_context', args: { urls: ['https://a.example'] } },
        response: { response: urlContextMetadata },
      },
    ]);
    expect(stepsOf(invocation)).toMatchObject([{ author: 'desk' }, { author: 'desk', content: null, usageMetadata }]);
    expect(contentText(invocation.finalResponse)).toBe('Done.');
  });

  it('name the argument of a transfer as ADK for Python does', () => {
    const transfer = (args: Record<string, unknown>) =>
      toolCalls(toInvocation(question, [event([{ functionCall: { name: 'transfer_to_agent', args } }])]))[0]?.args;
    expect(transfer({ agentName: 'clerk' })).toEqual({ agent_name: 'clerk' });
    expect(transfer({ agent_name: 'clerk' })).toEqual({ agent_name: 'clerk' });
    expect(transfer({ agentName: 'a', agent_name: 'b' })).toEqual({ agentName: 'a', agent_name: 'b' });
    const other = event([{ functionCall: { name: 'find', args: { agentName: 'clerk' } } }]);
    expect(toolCalls(toInvocation(question, [other]))[0]?.args).toEqual({ agentName: 'clerk' });
  });
});

const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ text: fc.string(), thought: fc.boolean() }),
  fc.record({
    functionCall: fc.record({
      name: fc.string(),
      args: fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), fc.jsonValue()),
    }),
  }),
  fc.record({ functionResponse: fc.record({ name: fc.string(), response: fc.record({ x: fc.jsonValue() }) }) }),
  fc.record({ inlineData: fc.record({ data: fc.string(), mimeType: fc.string() }) }),
);
const anyEvent: fc.Arbitrary<AdkEvent> = fc.record(
  {
    author: fc.constantFrom('desk', 'clerk', 'user'),
    partial: fc.boolean(),
    content: fc.option(fc.record({ role: fc.constant('model'), parts: fc.array(part, { maxLength: 3 }) })),
    longRunningToolIds: fc.array(fc.string(), { maxLength: 1 }),
    usageMetadata: fc.constant(usageMetadata),
  },
  { requiredKeys: ['author'] },
);

describe('toInvocation(), for arbitrary events,', () => {
  const ours = ({ partial, author }: AdkEvent) => !partial && author !== 'user';

  it('keeps all calls and responses in order and adds none', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 8 }), (events) => {
        const invocation = toInvocation(question, events);
        const parts = events.filter(ours).flatMap(({ content }) => content?.parts ?? []);
        const names = (list: readonly { name?: string | null }[]) => list.map(({ name }) => name);
        expect(names(toolCalls(invocation))).toEqual(names(parts.flatMap(({ functionCall }) => functionCall ?? [])));
        expect(names(toolResponses(invocation))).toEqual(
          names(parts.flatMap(({ functionResponse }) => functionResponse ?? [])),
        );
      }),
    );
  });

  it('returns valid JSON and does not modify the events', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 8 }), (events) => {
        const before = structuredClone(events);
        const invocation = toInvocation(question, events);
        expect(JSON.parse(JSON.stringify(invocation))).toEqual(invocation);
        expect(() => parseInvocation(invocation)).not.toThrow();
        expect(events).toEqual(before);
      }),
    );
  });
});
