import { adkAgent } from '@agent-criteria/agent-adk/pure';
import { contentText, isInvocationEvents, toolSteps } from '@agent-criteria/core';
import { message } from '@agent-criteria/core/testing';
import {
  BaseAgent,
  createEvent,
  type Event,
  FunctionTool,
  type InvocationContext,
  LlmAgent,
  SequentialAgent,
} from '@google/adk';
import { describe, expect, it } from 'vitest';
import { lastResponse, ScriptedModel } from './fixtures/scripted-model.ts';
import { converse, openWith } from './fixtures/sessions.ts';

const getTime = () =>
  new FunctionTool({ name: 'get_time', description: 'The time.', execute: () => ({ time: '12:00' }) });

describe('a turn of an ADK agent', () => {
  it('is recorded with steps, answer, usage, instructions and tool declarations', async () => {
    const model = new ScriptedModel([{ call: 'get_time' }, 'It is noon.']);
    const agent = adkAgent(new LlmAgent({ name: 'clock', model, instruction: 'Tell the time.', tools: [getTime()] }));
    const [turn] = await converse(agent, ['What time is it?']);
    const { invocation, error } = turn!;
    expect(error).toBeUndefined();
    expect(contentText(invocation.finalResponse)).toBe('It is noon.');
    const [step] = toolSteps(invocation);
    expect(step).toMatchObject({
      call: { id: expect.stringMatching(/^adk-/), name: 'get_time', args: {} },
      response: { id: step?.call.id, name: 'get_time', response: { time: '12:00' } },
    });
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };
    expect(invocation).toMatchObject({
      invocationId: expect.stringMatching(/^e-/),
      userContent: { role: 'user', parts: [{ text: 'What time is it?' }] },
      intermediateData: {
        invocationEvents: [
          { author: 'clock', content: { role: 'model' }, usageMetadata },
          { author: 'clock', content: { role: 'user' } },
          { author: 'clock', content: null, usageMetadata },
        ],
      },
      inferenceCallCount: 2,
      duration: expect.any(Number),
      appDetails: { agentDetails: { clock: { name: 'clock' } } },
    });
    const details = invocation.appDetails?.agentDetails?.clock;
    expect(details?.instructions).toContain('Tell the time.');
    expect(details?.toolDeclarations).toMatchObject([{ functionDeclarations: [{ name: 'get_time' }] }]);
  });

  it("has a span for each call below the agent's span", async () => {
    const model = new ScriptedModel([{ call: 'get_time' }, 'It is noon.']);
    const agent = adkAgent(new LlmAgent({ name: 'clock', model, tools: [getTime()] }));
    const [first, second] = await converse(agent, ['What time is it?', 'Thanks.']);
    const [whole, asking, tool, answering] = first?.trace ?? [];
    expect(first?.trace).toHaveLength(4);
    expect(whole).toMatchObject({ kind: 'agent', name: 'clock', author: 'clock', turn: 0 });
    const usage = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };
    expect(asking).toMatchObject({ kind: 'model', name: 'scripted', author: 'clock', parentId: whole?.id, usage });
    expect(asking).toMatchObject({ request: { contents: [{ parts: [{ text: 'What time is it?' }] }] } });
    expect(tool).toMatchObject({
      kind: 'tool',
      name: 'get_time',
      parentId: asking?.id,
      request: {},
      response: { time: '12:00' },
    });
    expect(answering).toMatchObject({ kind: 'model', response: { content: { parts: [{ text: 'It is noon.' }] } } });
    for (const { startedAt, endedAt } of first?.trace ?? []) expect(endedAt).toBeGreaterThanOrEqual(startedAt);
    expect(second?.trace?.map(({ turn, kind }) => [turn, kind])).toEqual([
      [1, 'agent'],
      [1, 'model'],
    ]);
    expect(new Set([...first!.trace!, ...second!.trace!].map(({ id }) => id)).size).toBe(6);
  });

  it("keeps thoughts as parts next to the answer's text", async () => {
    const parts = [{ text: 'Hm.', thought: true }, { text: 'Yes.' }];
    const model = new ScriptedModel([{ content: { role: 'model', parts } }]);
    const [turn] = await converse(adkAgent(new LlmAgent({ name: 'a', model })), ['?']);
    expect(turn?.invocation.finalResponse?.parts).toEqual(parts);
  });

  it('with a transfer includes authors, the argument name of ADK for Python, and the details of both agents', async () => {
    const model = new ScriptedModel(({ config }) => {
      const told = String(config?.systemInstruction);
      return told.includes('name is "desk"') ? { call: 'transfer_to_agent', args: { agentName: 'clock' } } : 'Noon.';
    });
    const clock = new LlmAgent({ name: 'clock', model, description: 'Knows the time.', instruction: 'Tell the time.' });
    const desk = new LlmAgent({ name: 'desk', model, instruction: 'Pass on.', subAgents: [clock] });
    const [turn] = await converse(adkAgent(desk), ['What time is it?']);
    const { invocation, trace } = turn!;
    expect(contentText(invocation.finalResponse)).toBe('Noon.');
    expect(toolSteps(invocation)[0]?.call).toMatchObject({ name: 'transfer_to_agent', args: { agent_name: 'clock' } });
    const { intermediateData: data } = invocation;
    expect(data && isInvocationEvents(data) && data.invocationEvents?.map(({ author }) => author)).toEqual([
      'desk',
      'desk',
      'clock',
    ]);
    expect(Object.keys(invocation.appDetails?.agentDetails ?? {})).toEqual(['desk', 'clock']);
    const agents = trace?.filter(({ kind }) => kind === 'agent');
    expect(agents).toMatchObject([{ name: 'desk' }, { name: 'clock', parentId: agents?.[0]?.id }]);
  });

  it('records the text of an earlier agent in a sequence as a step', async () => {
    const say = (name: string) => new LlmAgent({ name, model: new ScriptedModel([`I am ${name}.`]) });
    const [turn] = await converse(
      adkAgent(new SequentialAgent({ name: 'both', subAgents: [say('one'), say('two')] })),
      ['Hi'],
    );
    expect(contentText(turn?.invocation.finalResponse)).toBe('I am two.');
    expect(turn?.invocation.intermediateData).toMatchObject({
      invocationEvents: [
        { author: 'one', content: { parts: [{ text: 'I am one.' }] } },
        { author: 'two', content: null },
      ],
    });
  });

  it('keeps grounding, and accepts messages with null fields', async () => {
    const model = new ScriptedModel([
      { content: { role: 'model', parts: [{ text: 'Yes.' }] }, groundingMetadata: { webSearchQueries: ['q'] } },
    ]);
    const agent = adkAgent(new LlmAgent({ name: 'a', model }));
    const session = await openWith(agent);
    const { invocation } = await session.send({
      role: 'user',
      parts: [{ text: 'Hi', functionCall: null, inlineData: null }],
    });
    expect(invocation.intermediateData).toMatchObject({
      invocationEvents: [{ content: null, groundingMetadata: { webSearchQueries: ['q'] } }],
    });
    expect(model.requests[0]?.contents).toEqual([{ role: 'user', parts: [{ text: 'Hi' }] }]);
  });

  it('reports its events as JSON', async () => {
    const agent = adkAgent(
      new LlmAgent({ name: 'clock', model: new ScriptedModel([{ call: 'get_time' }, 'Noon.']), tools: [getTime()] }),
    );
    const session = await openWith(agent);
    const seen: unknown[] = [];
    await session.send(message('user', 'Hi'), { onEvent: (event) => seen.push(event) });
    expect(seen).toHaveLength(3);
    expect(JSON.parse(JSON.stringify(seen))).toEqual(seen);
  });

  it('works for an agent without a model', async () => {
    class Parrot extends BaseAgent {
      protected override async *runAsyncImpl(context: InvocationContext): AsyncGenerator<Event, void> {
        const { invocationId, userContent } = context;
        yield createEvent({
          invocationId,
          author: this.name,
          content: { role: 'model', parts: userContent?.parts ?? [] },
        });
      }
      protected override async *runLiveImpl(): AsyncGenerator<Event, void> {}
    }
    const [turn] = await converse(adkAgent(new Parrot({ name: 'parrot' })), ['Hello']);
    expect(contentText(turn?.invocation.finalResponse)).toBe('Hello');
    expect(turn?.invocation.inferenceCallCount).toBe(0);
    expect(turn?.trace).toEqual([]);
  });

  it('adds nothing to the state, and records the request as modified by a callback', async () => {
    const model = new ScriptedModel(['Yes.']);
    const agent = new LlmAgent({
      name: 'a',
      model,
      instruction: 'Before.',
      beforeModelCallback: ({ request }) => {
        request.config = { ...request.config, systemInstruction: 'Changed.' };
        return undefined;
      },
    });
    const session = await openWith(adkAgent(agent), { state: { a: 1 } });
    const { invocation } = await session.send(message('user', 'Hi'));
    expect(await session.state()).toEqual({ a: 1 });
    expect(invocation.appDetails?.agentDetails?.a?.instructions).toBe('Changed.');
  });

  it('does not count a model call that a callback answered', async () => {
    const model = new ScriptedModel(['never said']);
    const agent = new LlmAgent({
      name: 'a',
      model,
      beforeModelCallback: () => ({ content: { role: 'model', parts: [{ text: 'From the cache.' }] } }),
    });
    const [turn] = await converse(adkAgent(agent), ['Hi']);
    expect(contentText(turn?.invocation.finalResponse)).toBe('From the cache.');
    expect(turn?.invocation.inferenceCallCount).toBe(0);
    expect(turn?.trace?.filter(({ kind }) => kind === 'model')).toEqual([]);
    expect(model.requests).toEqual([]);
  });
});

describe('an ADK session', () => {
  it('keeps its state, user and id from turn to turn', async () => {
    const remember = new FunctionTool({
      name: 'remember',
      description: 'Keeps a name.',
      execute: (_args, context) => {
        context?.state.set('name', 'Ada');
        return { user: context?.userId, session: context?.invocationContext.session.id };
      },
    });
    const model = new ScriptedModel((request, call) => {
      if (call === 0) return { call: 'remember' };
      const { response } = lastResponse(request) ?? {};
      return response ? JSON.stringify(response) : `You are in turn ${request.contents.length}.`;
    });
    const agent = adkAgent(new LlmAgent({ name: 'a', model, instruction: 'The name is {name?}.', tools: [remember] }));
    const state = { seeded: { deep: [1] } };
    const session = await openWith(agent, { userId: 'grace', sessionId: 'pinned', state });
    expect(session.id).toBe('pinned');
    expect(await session.state()).toEqual({ seeded: { deep: [1] } });
    const first = await session.send(message('user', 'I am Ada.'));
    expect(contentText(first.invocation.finalResponse)).toBe('{"user":"grace","session":"pinned"}');
    const second = await session.send(message('user', 'Who am I?'));
    expect(contentText(second.invocation.finalResponse)).toBe('You are in turn 5.');
    expect(second.invocation.appDetails?.agentDetails?.a?.instructions).toContain('The name is Ada.');
    expect(await session.state()).toEqual({ seeded: { deep: [1] }, name: 'Ada' });
    expect(state).toEqual({ seeded: { deep: [1] } });
  });

  it('returns its state as JSON', async () => {
    const note = new FunctionTool({
      name: 'note',
      description: 'Notes the time.',
      execute: (_args, context) => context?.state.set('when', new Date(0)),
    });
    const model = new ScriptedModel([{ call: 'note' }, 'Done.']);
    const session = await openWith(adkAgent(new LlmAgent({ name: 'a', model, tools: [note] })));
    await session.send(message('user', 'Hi'));
    expect(await session.state()).toEqual({ when: '1970-01-01T00:00:00.000Z' });
  });
});
