import { CriteriaError } from '@agent-criteria/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { parsePayload } from './payloads.ts';

const messageOf = (part: object) => ({ kind: 'message', messageId: 'm', role: 'agent', parts: [part] });
const partOf = (part: object) => {
  const payload = parsePayload(messageOf(part));
  return payload.kind === 'message' ? payload.message.parts[0] : undefined;
};

describe('parsePayload()', () => {
  it.each([
    ['submitted', 'submitted'],
    ['input-required', 'input-required'],
    ['TASK_STATE_INPUT_REQUIRED', 'input-required'],
    ['TASK_STATE_COMPLETED', 'completed'],
    ['TASK_STATE_UNSPECIFIED', 'unknown'],
  ])('reads the state %s', (state, expected) => {
    expect(parsePayload({ kind: 'task', id: 't', status: { state } })).toMatchObject({
      kind: 'task',
      task: { taskId: 't', status: { state: expected } },
    });
  });

  it.each([
    [{ kind: 'text', text: 'a' }, { text: 'a' }],
    [
      { text: 'a', metadata: { adk_thought: true } },
      { text: 'a', thought: true },
    ],
    [{ kind: 'data', data: { a: 1 } }, { text: '{"a":1}' }],
    [{ data: 7 }, { text: '7' }],
    [
      { kind: 'file', file: { bytes: 'YQ==', mimeType: 'image/png', name: 'a.png' } },
      { inlineData: { data: 'YQ==', mimeType: 'image/png', displayName: 'a.png' } },
    ],
    [{ raw: 'YQ==', mediaType: 'image/png' }, { inlineData: { data: 'YQ==', mimeType: 'image/png' } }],
    [{ url: 'https://a.example', filename: '' }, { fileData: { fileUri: 'https://a.example' } }],
    [
      { data: { id: '1', name: 'roll', args: { sides: 6 } }, metadata: { adk_type: 'function_call' } },
      { functionCall: { id: '1', name: 'roll', args: { sides: 6 } } },
    ],
    [
      { data: { name: 'transfer_to_agent', args: { agentName: 'b' } }, metadata: { adk_type: 'function_call' } },
      { functionCall: { name: 'transfer_to_agent', args: { agent_name: 'b' } } },
    ],
    [
      { data: { name: 'roll', response: 4 }, metadata: { adk_type: 'function_response' } },
      { functionResponse: { name: 'roll', response: { result: 4 } } },
    ],
  ])('reads the part %j', (part, expected) => {
    expect(partOf(part)?.part).toEqual(expected);
  });

  it.each([
    [{}, 'result is neither a task, a message nor an event of a task'],
    [null, 'result must be an object'],
    [{ kind: 'task', id: 't', status: { state: 'asleep' } }, 'result.status.state is not a state of a task: "asleep"'],
    [{ kind: 'task', id: '', status: { state: 'working' } }, 'result.id must be a text'],
    [{ statusUpdate: { taskId: 't' } }, 'result.statusUpdate.status must be an object'],
    [{ artifactUpdate: { taskId: 't', artifact: { parts: [] } } }, 'result.artifactUpdate.artifact.artifactId'],
    [messageOf({ kind: 'text' }), 'result.parts[0] has neither text, a file nor data'],
    [messageOf({ file: {} }), 'result.parts[0] is a file without content or address'],
    [messageOf({ data: {}, metadata: { adk_type: 'function_call' } }), 'result.parts[0].data.name must be a text'],
    [{ kind: 'message', messageId: 'm', parts: 'no' }, 'result.parts must be a list'],
  ])('rejects %j with its place', (value, message) => {
    expect(() => parsePayload(value)).toThrow(message);
  });

  it('takes no prototype from arguments', () => {
    const args = JSON.parse('{"__proto__":{"polluted":true},"a":1}');
    const found = partOf({ data: { name: 'x', args }, metadata: { adk_type: 'function_call' } })?.part.functionCall
      ?.args;
    expect(Object(found).polluted).toBeUndefined();
    expect(found).toMatchObject({ a: 1 });
  });

  it('reads any JSON, or throws a CriteriaError', () => {
    const part = fc.oneof(
      fc.record({ text: fc.jsonValue(), data: fc.jsonValue(), metadata: fc.jsonValue() }, { requiredKeys: [] }),
      fc.record({
        data: fc.jsonValue(),
        metadata: fc.record({ adk_type: fc.constantFrom('function_call', 'function_response', 'executable_code') }),
      }),
      fc.record({ file: fc.jsonValue() }),
      fc.jsonValue(),
    );
    const message = fc.record({ messageId: fc.jsonValue(), parts: fc.oneof(fc.array(part), fc.jsonValue()) });
    const status = fc.record({ state: fc.constantFrom('working', 'TASK_STATE_FAILED', 1), message });
    const artifact = fc.record({ artifactId: fc.constantFrom('a', 1), parts: fc.array(part) });
    const value = fc.oneof(
      fc.jsonValue(),
      fc.record({ message }),
      fc.record({ task: fc.record({ id: fc.constant('t'), status, artifacts: fc.array(artifact) }) }),
      fc.record({ statusUpdate: fc.record({ taskId: fc.constant('t'), status, metadata: fc.jsonValue() }) }),
      fc.record({ artifactUpdate: fc.record({ taskId: fc.constant('t'), artifact, append: fc.jsonValue() }) }),
    );
    fc.assert(
      fc.property(value, (payload) => {
        try {
          expect(parsePayload(payload).kind).toMatch(/./);
        } catch (error) {
          if (!CriteriaError.is(error)) throw error;
        }
      }),
      { numRuns: runs(2000) },
    );
  });
});
