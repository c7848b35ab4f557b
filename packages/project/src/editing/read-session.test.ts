import { allToolSteps, contentText, type IntermediateData, toolCalls, toolResponses } from '@agent-criteria/core';
import { describe, expect, it } from 'vitest';
import { readSession } from './read-session.ts';
import { referenceTurn } from './reference-turns.ts';

const text = (author: string, said: string, more: object = {}) => ({
  author,
  content: { role: author === 'user' ? 'user' : 'model', parts: [{ text: said }] },
  ...more,
});
const call = (name: string, more: object = {}) => ({
  author: 'desk',
  content: { role: 'model', parts: [{ functionCall: { name, args: { door: 3 } } }] },
  ...more,
});
const response = (name: string, more: object = {}) => ({
  author: 'desk',
  content: { role: 'user', parts: [{ functionResponse: { name, response: { ok: true } } }] },
  ...more,
});
const session = (events: readonly object[], more: object = {}) => ({
  id: 's1',
  appName: 'hall',
  userId: 'me',
  events,
  ...more,
});
const read = (events: readonly object[], more: object = {}) =>
  readSession(session(events, more), 'a.session.json', 'app');
const inTurn = (invocationId: string, ...events: readonly object[]) =>
  events.map((event) => ({ invocationId, ...event }));

/** Converts keys to snake_case, as older versions of ADK for Python write them. */
function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  const spelt = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [spelt(key), inSnakeCase(item)]));
}

describe('readSession', () => {
  const opened = inTurn(
    'i1',
    text('user', 'Open door 3'),
    call('open_door'),
    response('open_door'),
    text('desk', 'Opened.'),
  );

  it("converts events to turns by ADK's rule, in both camelCase and snake_case", () => {
    for (const value of [session(opened), inSnakeCase(session(opened))]) {
      const { turns, id, sessionInput } = readSession(value, 'a.session.json', 'app');
      expect(id).toBe('s1');
      expect(sessionInput).toEqual({ appName: 'hall', userId: 'me', state: {} });
      expect(turns).toHaveLength(1);
      const [turn] = turns;
      expect(contentText(turn?.userContent)).toBe('Open door 3');
      expect(contentText(turn?.finalResponse)).toBe('Opened.');
      expect(toolCalls(turn!)).toEqual([{ name: 'open_door', args: { door: 3 } }]);
      expect(toolResponses(turn!)).toHaveLength(1);
      expect(turn?.intermediateData).toMatchObject({ invocationEvents: [{ author: 'desk' }, { author: 'desk' }] });
    }
  });

  it('groups events by invocation, ordered by the first event of each', () => {
    const events = [
      ...inTurn('i1', text('user', 'a')),
      ...inTurn('i2', text('user', 'b')),
      ...inTurn('i1', text('desk', 'A')),
      ...inTurn('i2', text('desk', 'B')),
    ];
    const said = read(events).turns.map((turn) => [contentText(turn.userContent), contentText(turn.finalResponse)]);
    expect(said).toEqual([
      ['a', 'A'],
      ['b', 'B'],
    ]);
    // Without ids, each user message starts a new invocation.
    const bare = [text('user', 'a'), text('desk', 'A'), text('User', 'b'), text('desk', 'B')];
    expect(read(bare).turns.map((turn) => contentText(turn.finalResponse))).toEqual(['A', 'B']);
  });

  it('takes the last final event as the answer, and earlier final events as steps', () => {
    const [turn] = read(
      inTurn(
        'i',
        text('user', 'a'),
        text('helper', 'I look.'),
        text('desk', 'half', { partial: true }),
        text('desk', 'Done.'),
      ),
    ).turns;
    expect(contentText(turn?.finalResponse)).toBe('Done.');
    expect(turn?.intermediateData).toMatchObject({ invocationEvents: [{ author: 'helper' }] });
    const [waiting] = read(inTurn('i', text('user', 'a'), call('ask_boss', { longRunningToolIds: ['1'] }))).turns;
    expect(waiting?.finalResponse?.parts?.[0]).toHaveProperty('functionCall');
    expect(toolCalls(waiting!)).toHaveLength(1);
    expect(read(inTurn('i', text('user', 'a'), call('x'))).turns[0]?.finalResponse).toBeNull();
  });

  it('keeps code that was run, its result, and the pages that the service of a model read', () => {
    const parts = (...own: object[]) => ({ author: 'desk', content: { role: 'model', parts: own } });
    const metadata = { url_metadata: [{ retrieved_url: 'https://a.example' }] };
    const [turn] = read(
      inTurn(
        'i',
        text('user', 'a'),
        parts({ executable_code: { language: 'PYTHON', code: 'print(1)' } }),
        parts({ code_execution_result: { outcome: 'OUTCOME_OK', output: '1' } }),
        text('desk', 'Done.', { url_context_metadata: metadata }),
      ),
    ).turns;
    expect(allToolSteps(turn!).map(({ call: { name }, response }) => [name, response?.response])).toEqual([
      ['code_execution', { outcome: 'OUTCOME_OK', output: '1' }],
      ['url_context', { urlMetadata: metadata.url_metadata }],
    ]);
    expect(contentText(turn?.finalResponse)).toBe('Done.');
  });

  it('drops invocations without a user message and counts them', () => {
    const { turns, withoutUser } = read([...inTurn('i0', text('desk', 'Welcome.')), ...opened]);
    expect([turns.length, withoutUser]).toEqual([1, 1]);
  });

  it('restores the initial state without the keys that the conversation changed', () => {
    const set = text('desk', 'Noted.', { actions: { stateDelta: { order: 'x', 'temp:note': 1 } } });
    const { sessionInput, changedState } = read(inTurn('i', text('user', 'a'), set), {
      state: { name: 'Ann', order: 'x', 'temp:y': 2 },
    });
    expect(sessionInput.state).toEqual({ name: 'Ann' });
    expect(changedState).toEqual(['order']);
    const bare = readSession({ events: opened }, 'a.session.json', 'app');
    expect(bare).toMatchObject({ id: null, sessionInput: { appName: 'app', userId: 'user', state: {} } });
  });

  it('reads timestamps from ADK for both Python and TypeScript', () => {
    const at = (timestamp: number) => read(inTurn('i', text('user', 'a', { timestamp }))).turns[0]?.creationTimestamp;
    expect(at(1733043686842)).toBe(1733043686.842);
    expect(at(1733043686.5)).toBe(1733043686.5);
  });

  it.each<[string, unknown, string]>([
    ['a value that is not an object', [], 'this is not an ADK session'],
    ['a value without events', { id: 'x' }, 'this is not an ADK session'],
    ['a session without a user message', session([text('desk', 'Hi')]), 'no user message'],
    ['an empty list of events', session([]), 'no user message'],
    ['invalid parts', session([{ author: 'user', content: { parts: 'Hi' } }]), '$.events[0].content.parts'],
    ['an invalid author', session([{ author: 5, content: null }]), '$.events[0].author'],
    ['an invalid state', session(opened, { state: 5 }), 'state'],
    [
      'a turn with an errorCode',
      session([...opened, { author: 'desk', errorCode: '429', errorMessage: 'Slow down.' }]),
      `$.events[${opened.length}]: the conversation broke here (429: Slow down.)`,
    ],
    [
      'a turn with an error_code',
      session([...opened, { author: 'desk', error_code: 'SAFETY' }]),
      'broke here (SAFETY)',
    ],
  ])('rejects %s', (_what, value, told) => {
    let said = '';
    try {
      readSession(value, 'a.session.json', 'app');
    } catch (error) {
      const { problems } = error as { problems: readonly { path?: string; message: string }[] };
      said = problems.map(({ path, message }) => `${path}: ${message}`).join('\n');
    }
    expect(said).toContain(told);
  });
});

describe('referenceTurn', () => {
  it('drops thoughts, signatures, usage and other metadata from a recording', () => {
    const thought = { text: 'hm', thought: true };
    const parts = [thought, { functionCall: { name: 'a', args: {} }, thoughtSignature: 'c2ln' }];
    const usage = { usageMetadata: { promptTokenCount: 5 }, groundingMetadata: {}, modelVersion: 'x' };
    const turn = {
      userContent: { parts: [{ text: 'Hi' }] },
      finalResponse: { parts: [thought, { text: 'Hello', thought: false }] },
      intermediateData: {
        invocationEvents: [
          { author: 'a', content: { parts }, ...usage },
          { author: 'a', content: null, ...usage },
        ],
      },
      duration: 2,
      inferenceCallCount: 1,
      appDetails: {},
    };
    expect(referenceTurn(turn)).toEqual({
      userContent: { parts: [{ text: 'Hi' }] },
      finalResponse: { parts: [{ text: 'Hello' }] },
      intermediateData: {
        invocationEvents: [{ author: 'a', content: { parts: [{ functionCall: { name: 'a', args: {} } }] } }],
      },
    });
  });

  it('expects no calls if there were none in the turn', () => {
    const bare = referenceTurn({
      userContent: { parts: [] },
      finalResponse: { parts: [{ text: 'x', thought: true }] },
    });
    expect(bare).toEqual({ userContent: { parts: [] }, intermediateData: { toolUses: [] } });
    const written: IntermediateData = {
      toolUses: [{ name: 'a' }],
      toolResponses: [],
      intermediateResponses: [['b', [{ text: 'x' }]]],
    };
    const kept = referenceTurn({ userContent: { parts: [] }, intermediateData: written });
    expect(kept.intermediateData).toEqual({
      toolUses: [{ name: 'a' }],
      intermediateResponses: [['b', [{ text: 'x' }]]],
    });
  });
});
