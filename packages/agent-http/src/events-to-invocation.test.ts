import { allToolSteps, contentText, intermediateTexts, toolCalls } from '@agent-criteria/core';
import { parseInvocation } from '@agent-criteria/formats/parse';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEvents } from './events.ts';
import { eventsToInvocation, problemIn, toolSpans } from './events-to-invocation.ts';

const user = { role: 'user', parts: [{ text: 'Open door 3' }] };
const as = (text: string) => text;
const text = (said: string, more: object = {}) => ({
  author: 'desk',
  content: { role: 'model', parts: [{ text: said }] },
  ...more,
});
const call = (name: string, args: object = {}, more: object = {}) => ({
  author: 'desk',
  content: { role: 'model', parts: [{ functionCall: { id: `id-${name}`, name, args } }] },
  ...more,
});
const response = (name: string, given: object = {}) => ({
  author: 'desk',
  content: { role: 'user', parts: [{ functionResponse: { id: `id-${name}`, name, response: given } }] },
});
const invocationOf = (events: readonly object[]) => eventsToInvocation(user, readEvents(events));
const listOf = (events: readonly object[]) => {
  const data = invocationOf(events).intermediateData;
  return data && 'invocationEvents' in data ? (data.invocationEvents ?? []) : [];
};

describe("the invocation built from a turn's events", () => {
  // ADK's own test vector, events.toInvocation#1.
  it('takes the last final event as its answer, and records that event without its content', () => {
    const events = [
      { author: 'user', invocationId: 'i1', content: user },
      call('open_door', {}, { invocationId: 'i1' }),
      response('open_door'),
      text('Opened.'),
    ];
    const invocation = invocationOf(events);
    expect(invocation.invocationId).toBe('i1');
    expect(invocation.userContent).toBe(user);
    expect(contentText(invocation.finalResponse)).toBe('Opened.');
    expect(toolCalls(invocation).map(({ name }) => name)).toStrictEqual(['open_door']);
    expect(listOf(events).map(({ content }) => content?.parts?.[0] ?? null)).toMatchObject([
      { functionCall: { name: 'open_door' } },
      { functionResponse: { name: 'open_door' } },
      null,
    ]);
  });

  it('keeps the text of agents before the answer', () => {
    const invocation = invocationOf([text('First.', { author: 'one' }), text('Second.', { author: 'two' })]);
    expect(contentText(invocation.finalResponse)).toBe('Second.');
    expect(intermediateTexts(invocation)).toStrictEqual([{ author: 'one', text: 'First.' }]);
  });

  it('keeps events without content that report token usage', () => {
    expect(listOf([{ author: 'desk', usageMetadata: { totalTokenCount: 5 } }])).toEqual([
      { author: 'desk', content: null, usageMetadata: { totalTokenCount: 5 } },
    ]);
  });

  it('ends at an event that asks the user to sign in', () => {
    const asked = { ...response('open_door'), actions: { requestedAuthConfigs: { 'id-open_door': {} } } };
    expect(invocationOf([call('open_door'), asked]).finalResponse).not.toBeNull();
    const none = { ...response('open_door'), actions: { requestedAuthConfigs: {} } };
    expect(invocationOf([call('open_door'), none]).finalResponse).toBeNull();
  });

  it('prefers text to thoughts as the answer', () => {
    const thought = { author: 'desk', content: { parts: [{ text: 'Hm.', thought: true }] } };
    expect(contentText(invocationOf([text('Said.'), thought]).finalResponse)).toBe('Said.');
  });

  it('prefers text to a later event without text as the answer', () => {
    const audio = { author: 'desk', content: { role: 'model', parts: [{ inlineData: { mimeType: 'audio/pcm' } }] } };
    expect(contentText(invocationOf([text('Said.'), audio]).finalResponse)).toBe('Said.');
    expect(invocationOf([audio]).finalResponse?.parts?.[0]?.inlineData?.mimeType).toBe('audio/pcm');
    expect(contentText(invocationOf([audio, text('Said.')]).finalResponse)).toBe('Said.');
  });

  it('leaves out partial events and user events', () => {
    const events = [text('Op', { partial: true }), text('Opened.'), { author: 'User', content: user }];
    expect(contentText(invocationOf(events).finalResponse)).toBe('Opened.');
    expect(listOf(events)).toHaveLength(1);
  });

  it('leaves out events without content', () => {
    const grounding = { author: 'desk', groundingMetadata: { webSearchQueries: ['door'] } };
    const events = [{ author: 'desk', actions: { stateDelta: { a: 1 } } }, grounding, { author: 'desk', content: {} }];
    expect(listOf(events)).toEqual([
      { author: 'desk', content: null, groundingMetadata: { webSearchQueries: ['door'] } },
    ]);
    expect(invocationOf(events).finalResponse).toBeNull();
  });

  it("takes a tool's response as its answer if summarization is skipped", () => {
    const raw = { ...response('open_door', { door: 3 }), actions: { skip_summarization: true } };
    expect(invocationOf([call('open_door'), raw]).finalResponse?.parts?.[0]?.functionResponse?.response).toStrictEqual({
      door: 3,
    });
    expect(listOf([call('open_door'), raw])[1]?.content?.parts).toHaveLength(1);
  });

  it('has no answer if the last part is a code execution result', () => {
    const ran = { author: 'desk', content: { parts: [{ text: 'x' }, { codeExecutionResult: { output: '5' } }] } };
    expect(invocationOf([ran]).finalResponse).toBeNull();
  });

  it('lists code that was run, its result, and the pages that the service of the model read', () => {
    const events = [
      { author: 'desk', content: { parts: [{ executable_code: { code: 'print(5)' } }] } },
      { author: 'desk', content: { parts: [{ code_execution_result: { outcome: 'OUTCOME_OK', output: '5' } }] } },
      {
        author: 'desk',
        content: { parts: [{ text: 'It is 5.' }] },
        url_context_metadata: { url_metadata: [{ retrieved_url: 'https://a.example' }] },
      },
    ];
    expect(allToolSteps(invocationOf(events)).map(({ call, response }) => [call, response?.response])).toEqual([
      [
        { name: 'code_execution', args: { code: 'print(5)' } },
        { outcome: 'OUTCOME_OK', output: '5' },
      ],
      [
        { name: 'url_context', args: { urls: ['https://a.example'] } },
        { urlMetadata: [{ retrieved_url: 'https://a.example' }] },
      ],
    ]);
  });

  it('names the argument of a transfer as ADK for Python does', () => {
    const transfer = (args: object) => toolCalls(invocationOf([call('transfer_to_agent', args)]))[0]?.args;
    expect(transfer({ agentName: 'travel' })).toStrictEqual({ agent_name: 'travel' });
    expect(transfer({ agent_name: 'travel' })).toStrictEqual({ agent_name: 'travel' });
    expect(toolCalls(invocationOf([call('look', { agentName: 'x' })]))[0]?.args).toStrictEqual({ agentName: 'x' });
  });

  it('keeps argument names unchanged, and rejects __proto__', () => {
    const args = { cityName: 'Oslo', unit_name: 'C', constructor: 1 };
    expect(toolCalls(invocationOf([call('look', args)]))[0]?.args).toStrictEqual(args);
    const hostile = JSON.parse('{"author":"a","content":{"parts":[{"functionCall":{"args":{"__proto__":{"x":1}}}}]}}');
    expect(() => readEvents([hostile])).toThrow('"__proto__" is refused');
  });

  it('is the same for events in camelCase and in snake_case', () => {
    const snake = {
      author: 'desk',
      invocation_id: 'i1',
      usage_metadata: { a: 1 },
      model_version: 'm',
      timestamp: 1.5,
      long_running_tool_ids: ['id-wait'],
      actions: { skip_summarization: true },
      error_code: 'X',
      content: { role: 'model', parts: [{ function_call: { id: 'id-wait', name: 'wait', args: { a_b: 1 } } }] },
    };
    const camel = {
      author: 'desk',
      invocationId: 'i1',
      usageMetadata: { a: 1 },
      modelVersion: 'm',
      timestamp: 1500 + 1e12,
      longRunningToolIds: ['id-wait'],
      actions: { skipSummarization: true },
      errorCode: 'X',
      content: { role: 'model', parts: [{ functionCall: { id: 'id-wait', name: 'wait', args: { a_b: 1 } } }] },
    };
    const [one, other] = readEvents([snake, camel]);
    expect(one).toStrictEqual({ ...other, at: 1500 });
    expect(other?.at).toBe(1500 + 1e12);
  });

  it('can be parsed by core, whatever the events', () => {
    const part = fc.oneof(
      fc.record({ text: fc.string() }),
      fc.record({
        functionCall: fc.record({
          id: fc.string(),
          name: fc.string(),
          args: fc.dictionary(fc.string(), fc.jsonValue()),
        }),
      }),
      fc.record({
        functionResponse: fc.record({
          id: fc.string(),
          name: fc.string(),
          response: fc.object({ maxDepth: 1 }).map(() => ({})),
        }),
      }),
      fc.constant({}),
    );
    const event = fc.record(
      {
        author: fc.constantFrom('user', 'USER', 'one', 'two'),
        content: fc.option(fc.record({ role: fc.constantFrom('user', 'model'), parts: fc.array(part) })),
        partial: fc.boolean(),
        errorCode: fc.oneof(fc.string(), fc.constant(null)),
        longRunningToolIds: fc.array(fc.string()),
        timestamp: fc.double(),
        groundingMetadata: fc.option(fc.jsonValue()),
      },
      { requiredKeys: ['author'] },
    );
    const safe = (value: unknown) => !JSON.stringify(value).includes('__proto__');
    fc.assert(
      fc.property(fc.array(event).filter(safe), (events) => {
        const read = readEvents(events);
        const invocation = eventsToInvocation(user, read);
        const asJson: unknown = JSON.parse(JSON.stringify(invocation));
        expect(parseInvocation(asJson).value).toStrictEqual(asJson);
        const spoken = read.filter(({ author, partial }) => author.toLowerCase() !== 'user' && !partial);
        const made = spoken.flatMap(({ parts }) => parts.flatMap(({ functionCall }) => functionCall ?? []));
        expect(toolCalls(invocation)).toStrictEqual(made);
        expect(toolSpans(read, 0, 't').length).toBeLessThanOrEqual(made.length);
        expect(problemIn(read, as) === null || problemIn(read, as)?.code === 'AGENT_FAILED').toBe(true);
      }),
    );
  });
});

describe("the problem found in a turn's events", () => {
  it('is the first model failure, even in an event with content', () => {
    const failed = text('Half an ans', { errorCode: 'MAX_TOKENS' });
    expect(problemIn(readEvents([failed, text('Fine.')]), as)?.message).toBe('agent "desk" failed: MAX_TOKENS');
    expect(problemIn(readEvents([text('Fine.', { errorCode: null, errorMessage: '' })]), as)).toBeNull();
    expect(problemIn(readEvents([{ author: 'a', errorCode: { code: 5 } }]), as)?.message).toContain('{"code":5}');
  });

  it('is not the failure of a workflow node that was retried', () => {
    const failed = { author: 'a', errorCode: '500', nodeInfo: { path: 'flow.a' } };
    const problem = (...events: object[]) => problemIn(readEvents(events), as)?.message ?? null;
    expect(problem(failed, text('Better.', { node_info: { path: 'flow.a' } }))).toBeNull();
    expect(problem(failed, text('Better.', { nodeInfo: { path: 'flow.b' } }))).toBe('agent "a" failed: 500');
    expect(problem({ ...failed, nodeInfo: undefined }, text('Better.'))).toBe('agent "a" failed: 500');
    const noted = { author: 'a', nodeInfo: { path: 'flow.a' }, actions: { stateDelta: { done: true } } };
    expect(problem(failed, noted)).toBe('agent "a" failed: 500');
    expect(problem(failed, { ...noted, output: 0 })).toBeNull();
    for (const errorMessage of [
      'Function x is not found in the toolsDict.',
      'Max number of llm calls limit of 5 exceeded',
    ])
      expect(problem({ ...failed, errorMessage }, text('Fine.', { nodeInfo: failed.nodeInfo }))).toContain(
        errorMessage,
      );
    expect(problem({ author: 'a', errorCode: 'UNKNOWN_ERROR', errorMessage: 'fetch failed' })).toBe(
      'agent "a" failed: fetch failed',
    );
  });

  it('is an answer that arrived only in partial events', () => {
    const problem = (...events: object[]) => problemIn(readEvents(events), as)?.message ?? null;
    const piece = text('Ope', { partial: true });
    const told = 'the answer of agent "desk" was cut off: only parts of it arrived';
    expect(problem(call('open'), response('open'), piece)).toBe(told);
    expect(problem(piece, text('Closed.', { author: 'other' }))).toBe(told);
    expect(problem(piece, text('Opened.'))).toBeNull();
    expect(problem(piece, text('Opened.'), text('', { partial: true }))).toBeNull();
  });

  it('is truncated to a readable length', () => {
    const long = problemIn(readEvents([{ author: 'a', errorMessage: 'x'.repeat(100_000) }]), as);
    expect(long?.message.length).toBeLessThan(1100);
  });
});

describe('toolSpans()', () => {
  it('starts a span at the call and ends it at the response', () => {
    const events = readEvents([
      { ...call('one', { a: 1 }), timestamp: 10 },
      { ...call('two'), timestamp: 11 },
      { ...response('one', { ok: true }), timestamp: 12.5 },
    ]);
    expect(toolSpans(events, 3, 'turn-4')).toEqual([
      {
        id: 'turn-4.1',
        parentId: 'turn-4',
        kind: 'tool',
        name: 'one',
        author: 'desk',
        turn: 3,
        startedAt: 10_000,
        endedAt: 12_500,
        request: { a: 1 },
        response: { ok: true },
      },
      {
        id: 'turn-4.2',
        parentId: 'turn-4',
        kind: 'tool',
        name: 'two',
        author: 'desk',
        turn: 3,
        startedAt: 11_000,
        request: {},
      },
    ]);
  });

  it('creates no spans for events without a timestamp', () => {
    expect(toolSpans(readEvents([call('one'), response('one')]), 0, 't')).toStrictEqual([]);
  });
});
