import type { Span } from '@agent-criteria/core';
import { describe, expect, it } from 'vitest';
import { adkSpans } from './adk-span.ts';

const spans: readonly Span[] = [
  { id: 'a', kind: 'agent', name: 'root', author: 'root', turn: 0, startedAt: 1000, endedAt: 1500 },
  {
    id: 'm1',
    parentId: 'a',
    kind: 'model',
    name: 'gemini',
    author: 'root',
    turn: 0,
    startedAt: 1001,
    endedAt: 1100,
    request: { contents: [] },
    response: { content: null },
    usage: { promptTokenCount: 3, candidatesTokenCount: null },
  },
  { id: 't', parentId: 'm1', kind: 'tool', name: 'look_up', author: 'root', turn: 0, startedAt: 1101, endedAt: 1200 },
  { id: 'm2', parentId: 'a', kind: 'model', name: 'gemini', author: 'root', turn: 0, startedAt: 1201 },
];
const said = (id: string, part: object, author = 'root') => ({
  id,
  author,
  invocationId: 'i1',
  content: { parts: [part as never] },
});
const events = [
  said('u', { text: 'Hi' }, 'user'),
  said('e1', { functionCall: { name: 'look_up' } }),
  said('e2', { functionResponse: { name: 'look_up' } }),
  said('e3', { text: 'Sunny' }),
];

describe('adkSpans()', () => {
  const made = adkSpans('s1', spans, { events, agentName: 'root', startedAt: 999 });

  it('builds a tree below the invocation and links spans to the events they produced', () => {
    const [root, agent, first, tool, second] = made;
    expect(made.map(({ name }) => name)).toEqual([
      'invocation',
      'invoke_agent root',
      'generate_content gemini',
      'execute_tool look_up',
      'generate_content gemini',
    ]);
    expect([root, agent, first, tool, second].map((span) => span?.parent_span_id)).toEqual([
      null,
      root?.span_id,
      agent?.span_id,
      first?.span_id,
      agent?.span_id,
    ]);
    expect([first, tool, second].map((span) => span?.attributes['gcp.vertex.agent.event_id'])).toEqual([
      'e1',
      'e2',
      'e3',
    ]);
    expect(first).toMatchObject({ start_time: 1_001_000_000, end_time: 1_100_000_000 });
  });

  it("sets the attributes that ADK's client checks, and never to null", () => {
    for (const { attributes, trace_id, span_id } of made) {
      expect(trace_id).toMatch(/^[0-9a-f]{32}$/);
      expect(span_id).toMatch(/^[0-9a-f]{16}$/);
      for (const value of Object.values(attributes)) expect(['string', 'number', 'boolean']).toContain(typeof value);
      expect(attributes).toMatchObject({ 'gcp.vertex.agent.session_id': 's1', 'gcp.vertex.agent.invocation_id': 'i1' });
    }
    expect(made[1]?.attributes).toMatchObject({ 'gen_ai.conversation.id': 's1' });
    expect(made[2]?.attributes).toMatchObject({
      'gcp.vertex.agent.llm_request': '{"contents":[]}',
      'gen_ai.usage.input_tokens': 3,
    });
  });
});
