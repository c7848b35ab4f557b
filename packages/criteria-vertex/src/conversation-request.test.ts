import type { Invocation, Json } from '@agent-criteria/core';
import { invocation } from '@agent-criteria/core/testing';
import { describe, expect, test } from 'vitest';
import { adkDifferences } from '../adk-differences.ts';
import { conversationRequest } from './conversation-request.ts';

const METRIC = 'multi_turn_task_success_v1';

function asked(happened: readonly Invocation[], compat: 'adk' | null = null) {
  const turns = happened.map((actual, index) => ({ index, actual, expected: null, rubrics: [] }));
  return conversationRequest(METRIC, turns, compat);
}

/** Returns the events of the turns, as sent to the service. */
function eventsOf(happened: readonly Invocation[], compat: 'adk' | null = null): Json {
  const { instance } = JSON.parse(JSON.stringify(asked(happened, compat).body));
  return instance.agentEvalData.turns.map(({ events }: { readonly events: Json }) => events);
}

/**
 * Normalises proto JSON, in which `null` counts as absent, and keys outside user-defined maps may be in either
 * spelling.
 */
function canonical(value: Json): Json {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value as Record<string, Json>).filter(([, inner]) => inner !== null);
  const camelCase = (key: string) => key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const own = ['args', 'response', 'tools'];
  return Object.fromEntries(
    entries.map(([key, inner]) => [camelCase(key), own.includes(key) ? inner : canonical(inner)]),
  );
}

const tools = [{ function_declarations: [{ name: 'roll_die', description: 'Rolls a die.' }] }];
const turns: readonly Invocation[] = [
  {
    invocationId: 'e-1',
    userContent: { role: 'user', parts: [{ text: 'Roll a die.' }] },
    intermediateData: {
      invocationEvents: [
        { author: 'root', content: { role: 'model', parts: [{ functionCall: { id: 'adk-9', name: 'transfer' } }] } },
        {
          author: 'roller',
          content: {
            role: 'model',
            parts: [{ functionCall: { id: 'adk-1', name: 'roll_die', args: { how_many: 1 } } }],
          },
        },
        {
          author: 'roller',
          content: {
            role: 'user',
            parts: [{ functionResponse: { id: 'adk-1', name: 'roll_die', response: { the_result: 4 } } }],
          },
        },
        { author: 'roller', content: null },
      ],
    },
    finalResponse: { role: 'model', parts: [{ text: 'A four.' }] },
    appDetails: { agentDetails: { roller: { name: 'roller', instructions: 'Roll.', toolDeclarations: tools } } },
  },
  {
    invocationId: 'e-2',
    userContent: { role: 'user', parts: [{ text: 'Thanks!' }] },
    finalResponse: { role: 'model', parts: [{ text: 'At your service.' }] },
    appDetails: { agentDetails: { roller: { name: 'roller', instructions: 'Another one.' }, root: { name: 'root' } } },
  },
];

test('conversationRequest() equals the request of Google’s Python SDK', () => {
  // AgentData, AgentConfig, ConversationTurn and AgentEvent, dumped without fields that are None; docs/decisions/0009
  // explains how it was obtained.
  const python: Json = {
    metrics: [{ predefined_metric_spec: { metric_spec_name: METRIC, metric_spec_parameters: null } }],
    instance: {
      prompt: { contents: { contents: [] } },
      agent_eval_data: {
        agents: {
          roller: { agent_id: 'roller', instruction: 'Roll.', tools },
          root: { agent_id: 'root', instruction: '', tools: [] },
        },
        turns: [
          {
            turn_index: 0,
            turn_id: 'e-1',
            events: [
              { author: 'user', content: { parts: [{ text: 'Roll a die.' }], role: 'user' } },
              {
                author: 'root',
                content: { parts: [{ function_call: { id: 'adk-9', name: 'transfer' } }], role: 'model' },
              },
              {
                author: 'roller',
                content: {
                  parts: [{ function_call: { id: 'adk-1', name: 'roll_die', args: { how_many: 1 } } }],
                  role: 'model',
                },
              },
              {
                author: 'roller',
                content: {
                  parts: [{ function_response: { id: 'adk-1', name: 'roll_die', response: { the_result: 4 } } }],
                  role: 'user',
                },
              },
              { author: 'agent', content: { parts: [{ text: 'A four.' }], role: 'model' } },
            ],
          },
          {
            turn_index: 1,
            turn_id: 'e-2',
            events: [
              { author: 'user', content: { parts: [{ text: 'Thanks!' }], role: 'user' } },
              { author: 'agent', content: { parts: [{ text: 'At your service.' }], role: 'model' } },
            ],
          },
        ],
      },
    },
  };
  for (const compat of [null, 'adk'] as const) expect(asked(turns, compat).body).toEqual(canonical(python));
});

test('conversationRequest() returns the same key in the next run, whatever the ids', () => {
  const again = JSON.parse(JSON.stringify(turns).replaceAll('adk-', 'call-').replaceAll('"e-', '"f-'));
  expect(asked(again).body).not.toEqual(asked(turns).body);
  expect(asked(again).request).toEqual(asked(turns).request);
  const text = JSON.stringify(asked(turns).request);
  expect(text).not.toMatch(/adk-|e-1/);
  // A call and its response still share an id.
  expect(text.match(/"id":"call_1"/g)).toHaveLength(2);
  const other = JSON.parse(
    JSON.stringify(turns).replace('"adk-1","name":"roll_die","response"', '"adk-9","name":"roll_die","response"'),
  );
  expect(asked(other).request).not.toEqual(asked(turns).request);
});

test('conversationRequest() uses only fields that the service knows', () => {
  const [event] = eventsOf([
    {
      userContent: { parts: [{ text: 'Look', partMetadata: { mine: 1 }, toolCall: {}, mediaProcessing: 1 }] },
      finalResponse: {
        parts: [
          { functionCall: { name: 'f', willContinue: true, partialArgs: [] } },
          { functionResponse: { name: 'f', scheduling: 'SILENT', parts: [] } },
          { inlineData: { mimeType: 'image/png', data: 'iVBORw0=', displayName: 'me' } },
          { fileData: { mimeType: 'image/png', fileUri: 'gs://b/o' } },
          { executableCode: { id: '1', language: 'PYTHON', code: '1' } },
          { codeExecutionResult: { id: '1', outcome: 'OUTCOME_OK', output: '1' } },
          { toolResponse: {} },
          { text: '' },
        ],
      },
    },
  ]) as Json[];
  expect(event).toEqual([
    { author: 'user', content: { parts: [{ text: 'Look' }] } },
    {
      author: 'agent',
      content: {
        parts: [
          { functionCall: { name: 'f' } },
          { functionResponse: { name: 'f' } },
          { inlineData: { mimeType: 'image/png', data: 'iVBORw0=' } },
          { fileData: { mimeType: 'image/png', fileUri: 'gs://b/o' } },
          { executableCode: { language: 'PYTHON', code: '1' } },
          { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
        ],
      },
    },
  ]);
});

test("conversationRequest() drops null in tool declarations, except in the user's own JSON", () => {
  // The tools are written as ADK writes them: with every field that a tool could have, some of them unknown to the
  // service.
  const schema = { type: 'object', properties: { day: { default: null } } };
  const declaration = {
    name: 'look',
    behavior: null,
    parameters: { type: 'OBJECT', any_of: null, properties: { at_it: {} } },
    parameters_json_schema: schema,
  };
  const details = { name: 'a', toolDeclarations: [{ function_declarations: [declaration], file_search: null }] };
  const { body } = asked([{ ...invocation({ user: 'How?' }), appDetails: { agentDetails: { a: details } } }]);
  const sent = {
    name: 'look',
    parameters: { type: 'OBJECT', properties: { at_it: {} } },
    parameters_json_schema: schema,
  };
  expect(JSON.parse(JSON.stringify(body)).instance.agentEvalData.agents.a.tools).toEqual([
    { function_declarations: [sent] },
  ]);
});

test('conversationRequest() omits an empty text, except in compat mode', () => {
  const turn: Invocation = {
    userContent: { parts: [{ text: 'How?' }, { text: '' }] },
    finalResponse: { parts: [{ text: '' }] },
  };
  const [question, nothing] = [{ text: 'How?' }, { text: '' }];
  expect(eventsOf([turn])).toEqual([[{ author: 'user', content: { parts: [question] } }]]);
  expect(eventsOf([turn], 'adk')).toEqual([
    [
      { author: 'user', content: { parts: [question, nothing] } },
      { author: 'agent', content: { parts: [nothing] } },
    ],
  ]);
});

describe('list A', () => {
  type Difference = (typeof adkDifferences)[number]['id'];
  const thinking: Invocation = {
    ...invocation({ user: 'How?' }),
    finalResponse: { parts: [{ text: 'Hm.', thought: true, thoughtSignature: 'abc' }, { text: 'So.' }] },
  };
  const handWritten: Invocation = {
    ...invocation({ user: 'How?' }),
    intermediateData: {
      toolUses: [{ name: 'look', args: { at: 'it' } }],
      toolResponses: [{ name: 'look', response: { seen: true } }],
      intermediateResponses: [['desk', [{ text: 'One moment.' }]]],
    },
    finalResponse: { parts: [{ text: 'So.' }] },
  };
  const question = { author: 'user', content: { parts: [{ text: 'How?' }], role: 'user' } };
  const answer = { author: 'agent', content: { parts: [{ text: 'So.' }] } };
  const shown: Readonly<Record<Difference, { turn: Invocation; ours: Json; adk: Json }>> = {
    'conversation-thoughts': {
      turn: thinking,
      ours: [[question, answer]],
      adk: [
        [
          question,
          {
            author: 'agent',
            content: { parts: [{ text: 'Hm.', thought: true, thoughtSignature: 'abc' }, { text: 'So.' }] },
          },
        ],
      ],
    },
    'conversation-hand-written-steps': {
      turn: handWritten,
      ours: [
        [
          question,
          {
            author: 'agent',
            content: { role: 'model', parts: [{ functionCall: { name: 'look', args: { at: 'it' } } }] },
          },
          {
            author: 'agent',
            content: { role: 'user', parts: [{ functionResponse: { name: 'look', response: { seen: true } } }] },
          },
          { author: 'desk', content: { role: 'model', parts: [{ text: 'One moment.' }] } },
          answer,
        ],
      ],
      adk: [[question, answer]],
    },
    'conversation-nothing-said': {
      turn: invocation({ user: 'How?' }),
      ours: [[question]],
      adk: [[question, { author: 'agent' }]],
    },
  };
  test.each(adkDifferences)('entry $id changes the request that it describes', ({ id }) => {
    const { turn, ours, adk } = shown[id];
    expect({ ours: eventsOf([turn]), adk: eventsOf([turn], 'adk') }).toEqual({ ours, adk });
  });
});
