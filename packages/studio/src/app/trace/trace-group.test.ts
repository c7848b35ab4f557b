import type { Span } from '@agent-criteria/core';
import { expect, it } from 'vitest';
import { agentLines, pathOf } from './agent-path.ts';
import { groupsOfSession } from './session-trace.ts';
import { groupsOfRun, producedBy } from './trace-group.ts';

const span = (id: string, kind: Span['kind'], name: string, more: Partial<Span> = {}): Span => ({
  id,
  kind,
  name,
  turn: 0,
  startedAt: Number(id),
  endedAt: Number(id) + 1,
  ...more,
});
const call = { role: 'model', parts: [{ functionCall: { name: 'look_up', args: {} } }] };
const answer = { role: 'model', parts: [{ text: 'Done' }] };

it('groupsOfSession() groups spans and their events by message', () => {
  const attributes = { 'gcp.vertex.agent.invocation_id': 'i1' };
  const [group, ...others] = groupsOfSession(
    [
      { id: 'u', invocationId: 'i1', author: 'user', content: { parts: [{ text: 'Hi' }] } },
      { id: 'e1', invocationId: 'i1', author: 'desk', content: answer },
    ],
    [
      { name: 'invocation', span_id: 'r', parent_span_id: null, start_time: 0, end_time: 9e6, attributes },
      {
        name: 'generate_content m',
        span_id: 'm',
        parent_span_id: 'r',
        start_time: 1e6,
        end_time: 2e6,
        attributes: {
          ...attributes,
          'gcp.vertex.agent.event_id': 'e1',
          'gcp.vertex.agent.llm_request': '{"a":1}',
          'gen_ai.usage.input_tokens': 3,
          'error.type': 'X',
          'error.message': 'broke',
        },
      },
    ],
  );
  expect(others).toEqual([]);
  expect(group).toMatchObject({ id: 'i1', title: 'Hi', eventOfSpan: new Map([['m', 'e1']]) });
  expect(group?.spans).toEqual([
    {
      id: 'm',
      parentId: 'r',
      kind: 'model',
      name: 'm',
      turn: 0,
      startedAt: 1,
      endedAt: 2,
      request: { a: 1 },
      usage: { promptTokenCount: 3 },
      error: { code: 'X', message: 'broke' },
    },
  ]);
});

it('groupsOfRun() groups spans by turn, and producedBy() falls back to the events of descendants', () => {
  const spans = [
    span('1', 'agent', 'desk', { author: 'desk' }),
    span('2', 'model', 'm', { author: 'desk', parentId: '1' }),
    span('3', 'tool', 'look_up', { author: 'desk', parentId: '1' }),
    span('4', 'model', 'm', { author: 'desk', turn: 1 }),
  ];
  const [first, second] = groupsOfRun(spans, [
    {
      userContent: { parts: [{ text: 'Hi' }] },
      finalResponse: answer,
      intermediateData: { invocationEvents: [{ author: 'desk', content: call }] },
    },
    { userContent: { parts: [{ text: 'Bye' }] } },
  ]);
  expect(first).toMatchObject({ title: 'Hi', eventOfSpan: new Map([['2', '0-0']]) });
  expect(second?.spans.map(({ id }) => id)).toEqual(['4']);
  expect([...producedBy(first!, '1')]).toEqual(['0-0']);
});

it('groupsOfRun() links repeated calls to a tool in order and keeps the spans of a failed turn', () => {
  const responded = { role: 'user', parts: [{ functionResponse: { name: 'look_up', response: {} } }] };
  const steps = [call, responded, call, responded].map((content) => ({ author: 'desk', content }));
  const [first, second] = groupsOfRun(
    [span('1', 'tool', 'look_up'), span('2', 'tool', 'look_up'), span('3', 'model', 'm', { turn: 1 })],
    [{ userContent: { parts: [{ text: 'Hi' }] }, intermediateData: { invocationEvents: steps } }],
    ['Hi', 'Bye'],
  );
  expect([...(first?.eventOfSpan ?? [])]).toEqual([
    ['1', '0-1'],
    ['2', '0-3'],
  ]);
  expect(second).toMatchObject({ title: 'Bye', spans: [{ id: '3' }], events: [] });
});

it('groupsOfRun() links only unambiguous spans if no events were recorded', () => {
  const intermediateData = {
    toolUses: [{ name: 'look_up', args: {} }],
    toolResponses: [{ name: 'look_up', response: {} }],
  };
  const turn = { userContent: { parts: [{ text: 'Hi' }] }, finalResponse: answer, intermediateData };
  const models = ['1', '3'].map((id) => span(id, 'model', 'm', { author: 'desk' }));
  const tool = span('2', 'tool', 'look_up', { author: 'desk' });
  const tied = (spans: readonly Span[]) => [...(groupsOfRun(spans, [turn])[0]?.eventOfSpan ?? [])];
  expect(tied([...models, tool])).toEqual([
    ['1', '0-0'],
    ['2', '0-1'],
    ['3', '0-2'],
  ]);
  expect(tied([tool, ...models, span('4', 'model', 'm')])).toEqual([['2', '0-1']]);
});

it('agentLines() marks used agents and tools in order, as well as those missing from the description', () => {
  const spans = [
    span('1', 'agent', 'desk'),
    span('2', 'model', 'm', { parentId: '1' }),
    span('3', 'tool', 'look_up', { parentId: '1' }),
    span('4', 'agent', 'billing', { parentId: '1' }),
    span('5', 'tool', 'secret', { parentId: '4' }),
  ];
  const path = pathOf({ spans });
  expect(path.map(({ name, agent }) => [name, agent])).toEqual([
    ['desk', null],
    ['look_up', 'desk'],
    ['billing', null],
    ['secret', 'billing'],
  ]);
  const billing = { name: 'billing', type: 'Agent', tools: [], sub_agents: [] };
  const root = { name: 'desk', type: 'Agent', tools: [{ name: 'look_up' }, { name: 'cancel' }], sub_agents: [billing] };
  const shown = (lines: ReturnType<typeof agentLines>) =>
    lines.map(
      ({ name, depth, used, isExtra }) => `${' '.repeat(depth)}${name} ${used.join()}${isExtra ? ' extra' : ''}`,
    );
  expect(shown(agentLines(root, path))).toEqual(['desk 1', ' look_up 2', ' cancel ', ' billing 3', '  secret 4 extra']);
  expect(shown(agentLines(null, path))).toEqual(['desk 1', ' look_up 2', 'billing 3', ' secret 4']);
});

it('pathOf() names the agent that took over, instead of the tool with which it did', () => {
  const spans = [
    span('1', 'agent', 'desk'),
    span('2', 'tool', 'transfer_to_agent', { parentId: '1' }),
    span('3', 'agent', 'parts', { parentId: '1' }),
    span('4', 'tool', 'transfer_to_agent', { parentId: '3' }),
  ];
  expect(pathOf({ spans }).map(({ name, inside }) => [name, inside])).toEqual([
    ['desk', null],
    ['parts', 'desk'],
    // Nobody took over.
    ['transfer_to_agent', null],
  ]);
});

it('groupsOfRun() adds the agent, its calls and texts of others if no spans were recorded', () => {
  const [group] = groupsOfRun(
    [],
    [
      {
        userContent: { parts: [{ text: 'Hi' }] },
        finalResponse: answer,
        creationTimestamp: 10,
        duration: 0.008,
        intermediateData: {
          intermediateResponses: [['helper', [{ text: 'One moment' }]]],
          toolUses: [
            { name: 'look_up', args: { day: 1 } },
            { name: 'book', args: {} },
          ],
          toolResponses: [{ name: 'book', response: { ok: true } }],
        },
      },
    ],
    [],
    'desk',
  );
  expect(
    group?.spans.map(({ kind, name, author, request, response, untimed }) => ({
      kind,
      name,
      author,
      request,
      response,
      untimed,
    })),
  ).toMatchObject([
    { kind: 'agent', name: 'desk', untimed: undefined },
    { kind: 'agent', name: 'helper', untimed: { place: 1, of: 4 } },
    { kind: 'text', name: 'One moment', author: 'helper', untimed: { place: 2, of: 4 } },
    { kind: 'tool', name: 'look_up', author: 'desk', request: { day: 1 }, untimed: { place: 3, of: 4 } },
    { kind: 'tool', name: 'book', author: 'desk', response: { ok: true }, untimed: { place: 4, of: 4 } },
  ]);
  expect(group?.spans[0]).toMatchObject({ startedAt: 10_000, endedAt: 10_008 });
});
