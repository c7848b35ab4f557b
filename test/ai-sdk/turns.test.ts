import { aiSdkAgent } from '@agent-criteria/agent-ai-sdk/pure';
import { type AgentTurn, contentText, isInvocationEvents, type Json, toolSteps } from '@agent-criteria/core';
import { message } from '@agent-criteria/core/testing';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { type Major, majors } from './fixtures/majors.ts';
import { recordedUsage, type Said, scriptedModel, toolCall } from './fixtures/scripted-model.ts';
import { converse, openWith } from './fixtures/sessions.ts';

describe.each(majors)('a ToolLoopAgent of AI SDK $major', (major: Major) => {
  const { ai } = major;
  const roll = ai.tool({
    description: 'Rolls a die.',
    inputSchema: z.object({ sides: z.number() }),
    execute: async () => ({ value: 4 }),
  });
  const broken = ai.tool({
    inputSchema: z.object({}),
    execute: async (): Promise<string> => {
      throw new Error('out of order');
    },
  });
  const dice = (said: readonly Said[] | Parameters<typeof scriptedModel>[1]) =>
    new ai.ToolLoopAgent({
      id: 'dice',
      model: scriptedModel(major, said),
      instructions: 'Roll dice.',
      tools: { roll, broken },
    });
  const said: readonly Said[] = [
    [{ type: 'text', text: 'Rolling.' }, toolCall('roll', { sides: 6 }, 'a'), toolCall('broken', {}, 'b')],
    'A four.',
  ];
  const ask = async (agent: object, streaming: boolean): Promise<AgentTurn & { readonly events: readonly Json[] }> => {
    const events: Json[] = [];
    const session = await openWith(aiSdkAgent(agent as never));
    const turn = await session.send(message('user', 'Roll.'), {
      streaming,
      onEvent: (event) => void events.push(event),
    });
    return { ...turn, events };
  };

  it.each([
    ['generated', false],
    ['streamed', true],
  ])('records calls, failed calls, texts, tokens and instructions of a %s turn', async (_, streaming) => {
    const { invocation, error } = await ask(dice(said), streaming);
    expect(error).toBeUndefined();
    expect(contentText(invocation.finalResponse)).toBe('A four.');
    expect(toolSteps(invocation)).toEqual([
      {
        call: { id: 'a', name: 'roll', args: { sides: 6 } },
        response: { id: 'a', name: 'roll', response: { value: 4 } },
      },
      {
        call: { id: 'b', name: 'broken', args: {} },
        response: { id: 'b', name: 'broken', response: { error: 'out of order' } },
      },
    ]);
    const { intermediateData, appDetails, inferenceCallCount } = invocation;
    if (!intermediateData || !isInvocationEvents(intermediateData)) throw new Error('there are no events');
    const events = intermediateData.invocationEvents ?? [];
    expect(events.flatMap(({ usageMetadata }) => (usageMetadata ? [usageMetadata] : []))).toEqual([
      recordedUsage,
      recordedUsage,
    ]);
    expect(events[0]).toMatchObject({ author: 'dice', modelVersion: 'scripted-1' });
    expect(events[0]?.content?.parts?.[0]).toEqual({ text: 'Rolling.' });
    expect(inferenceCallCount).toBe(2);
    const details = appDetails?.agentDetails?.dice;
    expect(details).toMatchObject({ instructions: 'Roll dice.' });
    expect(details?.toolDeclarations).toMatchObject([
      { functionDeclarations: [{ name: 'roll', description: 'Rolls a die.', parameters: { type: 'object' } }, {}] },
    ]);
  });

  it.each([
    ['generated', false],
    ['streamed', true],
  ])('has spans of a %s turn with times, requests and tokens', async (_, streaming) => {
    const { trace = [], events: _events } = await ask(dice(said), streaming);
    const shown = trace.map(({ kind, name, parentId, error, endedAt, startedAt }) => [
      kind,
      name,
      parentId,
      error?.message,
      endedAt !== undefined && endedAt >= startedAt,
    ]);
    expect(shown).toEqual([
      ['agent', 'dice', undefined, undefined, true],
      ['model', 'scripted-1', '1.1', undefined, true],
      ['tool', 'roll', '1.2', undefined, true],
      ['tool', 'broken', '1.2', 'out of order', true],
      ['model', 'scripted-1', '1.1', undefined, true],
    ]);
    expect(trace[1]).toMatchObject({ usage: recordedUsage, request: { instructions: 'Roll dice.' } });
    expect(trace[2]).toMatchObject({ request: { sides: 6 }, response: { value: 4 } });
    expect(JSON.stringify(trace[4]?.request)).toContain('out of order');
  });

  it('shows pieces of an answer as they arrive, then each step as a whole', async () => {
    const { events } = await ask(dice(said), true);
    const texts = events.map((event) => {
      const { partial, content } = event as { partial?: boolean; content?: { parts: { text?: string }[] } };
      const part = content?.parts[0] ?? {};
      return `${partial === true ? '…' : ''}${part.text ?? Object.keys(part)[0]}`;
    });
    expect(texts).toEqual(['…Roll', '…ing.', 'Rolling.', 'functionResponse', '…A fo', '…ur.', 'A four.']);
  });

  it('remembers earlier turns, with their calls', async () => {
    const model = scriptedModel(major, [{ call: 'roll', args: { sides: 6 } }, 'Four.', 'You are welcome.']);
    const agent = new ai.ToolLoopAgent({ model, tools: { roll } });
    await converse(aiSdkAgent(agent), ['Roll.', 'Thanks.']);
    expect(model.doGenerateCalls.at(-1)?.prompt.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
  });

  it('continues a history without repeating its turns', async () => {
    const model = scriptedModel(major, ['Still four.']);
    const agent = new ai.ToolLoopAgent({ model, tools: { roll } });
    const invocation = {
      userContent: message('user', 'Roll.'),
      finalResponse: message('model', 'Four.'),
      intermediateData: {
        toolUses: [{ name: 'roll', args: { sides: 6 } }, { name: 'roll' }],
        toolResponses: [{ name: 'roll', response: { value: 4 } }],
      },
    };
    const [turn] = await converse(aiSdkAgent(agent), ['And now?'], { history: [{ invocation }] });
    expect(turn?.error).toBeUndefined();
    expect(model.doGenerateCalls).toHaveLength(1);
    expect(model.doGenerateCalls[0]?.prompt).toMatchObject([
      { role: 'user', content: [{ type: 'text', text: 'Roll.' }] },
      { role: 'assistant', content: [{ toolName: 'roll', input: { sides: 6 } }, { toolName: 'roll' }] },
      {
        role: 'tool',
        content: [{ output: { type: 'json', value: { value: 4 } } }, { output: { type: 'error-text' } }],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'Four.' }] },
      { role: 'user', content: [{ type: 'text', text: 'And now?' }] },
    ]);
  });

  it('passes files of the user on', async () => {
    const model = scriptedModel(major, ['A cat.']);
    const session = await openWith(aiSdkAgent(new ai.ToolLoopAgent({ model })));
    const { error } = await session.send({
      role: 'user',
      parts: [{ text: 'What is it?' }, { inlineData: { data: 'aGVsbG8=', mimeType: 'image/png' } }],
    });
    expect(error).toBeUndefined();
    expect(model.doGenerateCalls[0]?.prompt[0]?.content).toMatchObject([
      { type: 'text' },
      { type: 'file', mediaType: 'image/png' },
    ]);
  });

  it.each([
    ['generated', false],
    ['streamed', true],
  ])('reports an error of its model in a %s turn, with its stack and what was done before', async (_, streaming) => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const { invocation, error, trace } = await ask(
      dice([{ call: 'roll', args: { sides: 6 } }, new TypeError('no key')]),
      streaming,
    );
    expect(log).not.toHaveBeenCalled();
    log.mockRestore();
    expect(error).toMatchObject({
      code: 'AGENT_FAILED',
      message: 'no key',
      stack: expect.stringContaining('turns.test'),
    });
    expect(toolSteps(invocation)).toHaveLength(1);
    expect(invocation.finalResponse).toBeNull();
    expect(trace?.map(({ kind, error: of }) => [kind, of?.message])).toEqual([
      ['agent', 'no key'],
      ['model', undefined],
      ['tool', undefined],
      ['model', 'no key'],
    ]);
  });

  it('shows calls to unknown tools and invalid arguments as failed calls', async () => {
    const calls = [toolCall('nothing', { a: 1 }, 'x'), toolCall('roll', { sides: 'six' }, 'y')];
    const { invocation, trace } = await ask(dice([calls, 'Sorry.']), false);
    expect(toolSteps(invocation)).toMatchObject([
      {
        call: { name: 'nothing', args: { a: 1 } },
        response: { response: { error: expect.stringContaining('nothing') } },
      },
      { call: { name: 'roll' }, response: { response: { error: expect.stringContaining('sides') } } },
    ]);
    expect(trace?.filter(({ error }) => error !== undefined)).toHaveLength(2);
  });

  it('says so if a call waits for approval', async () => {
    const execute = vi.fn(async () => 'paid');
    const pay = ai.tool({ inputSchema: z.object({}), needsApproval: true, execute });
    const agent = new ai.ToolLoopAgent({ model: scriptedModel(major, [{ call: 'pay' }, 'Paid.']), tools: { pay } });
    const { error, invocation } = await ask(agent, false);
    expect(error?.message).toContain('the call of "pay" waits for approval');
    expect(toolSteps(invocation)).toMatchObject([{ call: { name: 'pay' }, response: null }]);
    expect(execute).not.toHaveBeenCalled();
  });

  it('records calls that the service of its model runs, and dynamic tools', async () => {
    const parts = [
      { type: 'tool-call' as const, toolCallId: 's', toolName: 'search', input: '{"q":"x"}', providerExecuted: true },
      { type: 'tool-result' as const, toolCallId: 's', toolName: 'search', result: { found: 1 } },
      { type: 'text' as const, text: 'Found.' },
    ];
    const search = {
      type: 'provider' as const,
      id: 'scripted.search' as const,
      args: {},
      isProviderExecuted: true as const,
      supportsDeferredResults: false,
      inputSchema: z.object({ q: z.string() }),
      outputSchema: z.any(),
    };
    const look = ai.dynamicTool({ description: 'Looks.', inputSchema: z.object({}), execute: async () => 'seen' });
    const model = scriptedModel(major, [{ call: 'look' }, parts]);
    const agent = aiSdkAgent(new ai.ToolLoopAgent({ model, tools: { look, search: search as never } }));
    const [turn] = await converse(agent, ['Search.']);
    expect(turn?.error).toBeUndefined();
    expect(contentText(turn?.invocation.finalResponse)).toBe('Found.');
    expect(toolSteps(turn!.invocation)).toMatchObject([
      { call: { name: 'look' }, response: { response: { result: 'seen' } } },
      { call: { name: 'search', args: { q: 'x' } }, response: { response: { found: 1 } } },
    ]);
    expect((await agent.describe?.())?.modelTools).toEqual(['search']);
  });

  it('reports an answer that the model could not finish as cut off', async () => {
    const parts = [{ type: 'text' as const, text: 'An' }];
    const [turn] = await converse(aiSdkAgent(dice([{ parts, finishReason: 'length' }])), ['Roll.']);
    expect(turn).toMatchObject({ cutOff: 'length' });
  });

  it('ends an aborted turn at once, even if a tool ignores the signal, and takes the next message', async () => {
    let begin = (): void => undefined;
    const started = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const wait = ai.tool({
      inputSchema: z.object({}),
      execute: () => {
        begin();
        return new Promise<string>(() => undefined);
      },
    });
    const model = scriptedModel(major, [{ call: 'wait' }, 'Next.']);
    const session = await openWith(aiSdkAgent(new ai.ToolLoopAgent({ model, tools: { wait } })));
    const stop = new AbortController();
    const sending = session.send(message('user', 'Wait.'), { signal: stop.signal });
    await started;
    stop.abort(new Error('enough'));
    const { error, trace, invocation } = await sending;
    expect(error).toMatchObject({ code: 'ABORTED', message: 'enough' });
    expect(trace?.at(-1)).toMatchObject({ kind: 'tool', name: 'wait' });
    expect(trace?.at(-1)?.endedAt).toBeUndefined();
    expect(toolSteps(invocation)).toMatchObject([{ call: { name: 'wait' }, response: null }]);
    const next = await session.send(message('user', 'Go on.'));
    expect(next.error).toBeUndefined();
    expect(contentText(next.invocation.finalResponse)).toBe('Next.');
  });

  it('hands the signal on to its model and its tools', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const look = ai.tool({
      inputSchema: z.object({}),
      execute: async (_input, { abortSignal }) => void signals.push(abortSignal),
    });
    const model = scriptedModel(major, ({ abortSignal }, call) => {
      signals.push(abortSignal);
      return call === 0 ? { call: 'look' } : 'Seen.';
    });
    const run = new AbortController();
    const session = await openWith(aiSdkAgent(new ai.ToolLoopAgent({ model, tools: { look } })), {}, run.signal);
    await session.send(message('user', 'Look.'));
    expect(signals.map((signal) => signal?.aborted)).toEqual([false, false, false]);
  });

  it("keeps the agent's own prepareCall and callbacks, and gets options from the session", async () => {
    const onStepFinish = vi.fn();
    const model = scriptedModel(major, ['Hello.']);
    const agent = new ai.ToolLoopAgent({
      model,
      callOptionsSchema: z.object({ plan: z.string() }),
      onStepFinish,
      prepareCall: ({ options, ...call }) => ({ ...call, instructions: `The plan is ${options.plan}.` }),
    });
    const tested = aiSdkAgent(agent, { callOptions: ({ state }) => ({ plan: state.plan }) });
    const [turn] = await converse(tested, ['Hi'], { state: { plan: 'pro' } });
    expect(turn?.error).toBeUndefined();
    expect(turn?.invocation.appDetails?.agentDetails?.agent?.instructions).toBe('The plan is pro.');
    expect(onStepFinish).toHaveBeenCalledOnce();
    await expect(converse(aiSdkAgent(agent), ['Hi'], { state: { plan: 'pro' } })).rejects.toThrow('callOptions');
  });
});
