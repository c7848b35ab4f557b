import { aiSdkAgent } from '@agent-criteria/agent-ai-sdk/pure';
import { contentText, type ToolSimulationConfig, toolSteps } from '@agent-criteria/core';
import type { ToolCall } from '@agent-criteria/core/host';
import { message } from '@agent-criteria/core/testing';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { type Major, majors } from './fixtures/majors.ts';
import { type Request, type Said, scriptedModel } from './fixtures/scripted-model.ts';
import { converse, openWith } from './fixtures/sessions.ts';

const stub = (...injectionConfigs: NonNullable<ToolSimulationConfig['injectionConfigs']>): ToolSimulationConfig[] => [
  { toolName: 'get_weather', injectionConfigs },
];

describe.each(majors)('a stubbed tool of AI SDK $major', (major: Major) => {
  const { ai } = major;
  /** Calls the tool, and answers with its result. */
  const script = ({ prompt }: Request): Said => {
    const last = prompt.at(-1);
    const [part] = last?.role === 'tool' ? last.content : [];
    if (part?.type !== 'tool-result') return { call: 'get_weather', args: { city: 'Oslo' } };
    return 'value' in part.output ? JSON.stringify(part.output.value) : '';
  };
  const toolOf = (execute: () => unknown) =>
    ai.tool({ inputSchema: z.object({ city: z.string() }), execute: async () => execute() });
  const caller = (execute: () => unknown = () => ({ weather: 'real' })) => {
    const real = vi.fn(execute);
    const agent = new ai.ToolLoopAgent({ model: scriptedModel(major, script), tools: { get_weather: toolOf(real) } });
    return { agent: aiSdkAgent(agent), real };
  };

  it('is not called, and the stub is recorded as its result', async () => {
    const { agent, real } = caller();
    const [turn] = await converse(agent, ['Weather?'], { stubs: stub({ injectedResponse: { weather: 'snow' } }) });
    expect(contentText(turn?.invocation.finalResponse)).toBe('{"weather":"snow"}');
    expect(toolSteps(turn!.invocation)).toMatchObject([{ response: { response: { weather: 'snow' } } }]);
    expect(turn?.trace?.find(({ kind }) => kind === 'tool')).toMatchObject({ response: { weather: 'snow' } });
    expect(real).not.toHaveBeenCalled();
  });

  it('is marked as simulated in the trace', async () => {
    const { agent } = caller();
    const simulated = async (stubs: ToolSimulationConfig[]) => {
      const [turn] = await converse(agent, ['Weather?'], { stubs });
      return turn?.trace?.find(({ kind }) => kind === 'tool')?.simulated;
    };
    expect(await simulated(stub({ injectedResponse: {} }))).toBe('injection');
    expect(await simulated(stub({ injectedLatencySeconds: 0.01 }))).toBeUndefined();
    expect(await simulated([])).toBeUndefined();
  });

  it('is answered by the environment, and its failure ends the turn without the real tool', async () => {
    const { agent, real } = caller();
    const stubs = [{ toolName: 'get_weather', mockStrategyType: 'MOCK_STRATEGY_TOOL_SPEC' }];
    const answer = async ({ args }: ToolCall) => ({ weather: `simulated in ${args.city}` });
    const environment = { unlistedTools: 'real' as const, answer };
    const [turn] = await converse(agent, ['Weather?'], { stubs, environment });
    expect(contentText(turn?.invocation.finalResponse)).toBe('{"weather":"simulated in Oslo"}');
    const span = turn?.trace?.find(({ kind }) => kind === 'tool');
    expect(span).toMatchObject({ simulated: 'MOCK_STRATEGY_TOOL_SPEC' });
    const down = { ...environment, answer: () => Promise.reject(new Error('the budget is spent')) };
    const [failed] = await converse(agent, ['Weather?'], { stubs, environment: down });
    expect(failed?.error?.message).toBe('the budget is spent');
    expect(real).not.toHaveBeenCalled();
  });

  it('is an error if it is not listed and unlisted tools are errors', async () => {
    const { agent, real } = caller();
    const environment = { unlistedTools: 'error' as const, answer: async () => ({}) };
    const [turn] = await converse(agent, ['Weather?'], { environment });
    expect(turn?.error).toMatchObject({ code: 'STUB_UNMATCHED', message: expect.stringContaining('no stub lists') });
    expect(real).not.toHaveBeenCalled();
  });

  it('stays a real tool for sessions without stubs, at the same time', async () => {
    const { agent, real } = caller();
    const both = await Promise.all([
      converse(agent, ['Weather?'], { stubs: stub({ injectedResponse: { weather: 'snow' } }) }),
      converse(agent, ['Weather?']),
    ]);
    expect(both.map(([turn]) => contentText(turn?.invocation.finalResponse))).toEqual([
      '{"weather":"snow"}',
      '{"weather":"real"}',
    ]);
    expect(real).toHaveBeenCalledOnce();
  });

  it('can return an error', async () => {
    const { agent, real } = caller();
    const stubs = stub({ injectedError: { injectedHttpErrorCode: 503, errorMessage: 'down' } });
    const [turn] = await converse(agent, ['Weather?'], { stubs });
    expect(contentText(turn?.invocation.finalResponse)).toBe('{"error_code":503,"error_message":"down"}');
    expect(real).not.toHaveBeenCalled();
  });

  it('can be delayed and then run for real, also if it yields preliminary results', async () => {
    const { agent, real } = caller();
    const stubs = stub({ injectedLatencySeconds: 0.02 });
    const [turn] = await converse(agent, ['Weather?'], { stubs });
    expect(contentText(turn?.invocation.finalResponse)).toBe('{"weather":"real"}');
    expect(real).toHaveBeenCalledOnce();
    const streaming = ai.tool({
      inputSchema: z.object({ city: z.string() }),
      async *execute() {
        yield { weather: 'wait' };
        yield { weather: 'real' };
      },
    });
    const model = scriptedModel(major, script);
    const slow = aiSdkAgent(new ai.ToolLoopAgent({ model, tools: { get_weather: streaming } }));
    for (const more of [{ stubs }, {}]) {
      const [done] = await converse(slow, ['Weather?'], more);
      expect(contentText(done?.invocation.finalResponse)).toBe('{"weather":"real"}');
      expect(done?.trace?.find(({ kind }) => kind === 'tool')?.response).toEqual({ weather: 'real' });
    }
  });

  it('is not called if the run is aborted during its delay', async () => {
    const { agent, real } = caller();
    const abort = new AbortController();
    const session = await openWith(agent, { stubs: stub({ injectedLatencySeconds: 60 }) }, abort.signal);
    const sending = session.send(message('user', 'Weather?'));
    setTimeout(() => abort.abort(new Error('enough')), 20);
    await expect(sending).resolves.toMatchObject({ error: { message: 'enough' } });
    expect(real).not.toHaveBeenCalled();
  });

  it('ends the turn with an error if no stub matches the call', async () => {
    const { agent, real } = caller();
    const stubs = stub({ matchArgs: { city: 'Rome' }, injectedResponse: { weather: 'snow' } });
    const [turn] = await converse(agent, ['Weather?'], { stubs });
    expect(turn?.error).toMatchObject({ code: 'STUB_UNMATCHED', message: expect.stringContaining('"Oslo"') });
    expect(real).not.toHaveBeenCalled();
  });

  it('is also replaced if prepareCall adds it, or if it runs in a browser', async () => {
    const real = vi.fn(() => 'real');
    const stubs = stub({ injectedResponse: { weather: 'snow' } });
    const added = new ai.ToolLoopAgent({
      model: scriptedModel(major, script),
      prepareCall: (call) => ({ ...call, tools: { get_weather: toolOf(real) } as never }),
    });
    const inBrowser = ai.tool({ inputSchema: z.object({ city: z.string() }), outputSchema: z.any() });
    const elsewhere = new ai.ToolLoopAgent({
      model: scriptedModel(major, script),
      tools: { get_weather: inBrowser },
    });
    for (const agent of [aiSdkAgent(added), aiSdkAgent(elsewhere)]) {
      const [turn] = await converse(agent, ['Weather?'], { stubs });
      expect(contentText(turn?.invocation.finalResponse)).toBe('{"weather":"snow"}');
    }
    expect(real).not.toHaveBeenCalled();
    // Without a stub, nothing answers the call, and the next message must not fail because of it.
    const turns = await converse(aiSdkAgent(elsewhere), ['Weather?', 'And now?']);
    expect(turns[0]).toMatchObject({ cutOff: 'tool-calls' });
    expect(turns[1]?.error).toBeUndefined();
  });
});

describe.each(majors)('a function that calls AI SDK $major', (major: Major) => {
  const { ai } = major;
  const real = vi.fn(async () => ({ weather: 'real' }));
  const tools = { get_weather: ai.tool({ inputSchema: z.object({ city: z.string() }), execute: real }) };
  const said: readonly Said[] = [{ call: 'get_weather', args: { city: 'Oslo' } }, 'Cold.', 'Warm.'];
  const stopWhen = ai.stepCountIs(5);

  it.each([['generateText'], ['streamText']])(
    'reports the calls, tokens and spans of %s, remembers turns and takes stubs',
    async (name) => {
      const model = scriptedModel(major, said);
      const options = { name: 'desk', instructions: 'Be brief.', tools };
      const agent =
        name === 'generateText'
          ? aiSdkAgent((call) => ai.generateText({ model, stopWhen, ...call }), options)
          : aiSdkAgent((call) => ai.streamText({ model, stopWhen, ...call }), options);
      const stubs = stub({ injectedResponse: { weather: 'snow' } });
      const [first, second] = await converse(agent, ['Weather?', 'And in Rome?'], { stubs });
      expect(first?.error).toBeUndefined();
      expect(contentText(first?.invocation.finalResponse)).toBe('Cold.');
      expect(toolSteps(first!.invocation)).toMatchObject([{ response: { response: { weather: 'snow' } } }]);
      expect(first?.trace?.map(({ kind, endedAt }) => [kind, endedAt !== undefined])).toEqual([
        ['agent', true],
        ['model', true],
        ['tool', true],
        ['model', true],
      ]);
      expect(first?.invocation.appDetails?.agentDetails?.desk?.instructions).toBe('Be brief.');
      expect(contentText(second?.invocation.finalResponse)).toBe('Warm.');
      const calls = [...model.doGenerateCalls, ...model.doStreamCalls];
      expect(calls.at(-1)?.prompt).toHaveLength(5);
      expect(real).not.toHaveBeenCalled();
    },
  );

  it('is rejected if it calls a real tool in place of its stub', async () => {
    const model = scriptedModel(major, said);
    const agent = aiSdkAgent(({ messages }) => ai.generateText({ model, stopWhen, messages, tools }), { tools });
    const [turn] = await converse(agent, ['Weather?'], { stubs: stub({ injectedResponse: { weather: 'snow' } }) });
    expect(turn?.error).toMatchObject({ code: 'NOT_SUPPORTED', message: expect.stringContaining('{ ...call }') });
  });

  it('keeps the calls that were made before it failed', async () => {
    const model = scriptedModel(major, [{ call: 'get_weather', args: { city: 'Oslo' } }, new Error('no key')]);
    const agent = aiSdkAgent((call) => ai.generateText({ model, stopWhen, maxRetries: 0, ...call }), { tools });
    const [turn] = await converse(agent, ['Weather?']);
    expect(turn?.error).toMatchObject({ message: 'no key' });
    expect(toolSteps(turn!.invocation)).toMatchObject([
      { call: { name: 'get_weather', args: { city: 'Oslo' } }, response: { response: { weather: 'real' } } },
    ]);
  });

  it('must return a result of the AI SDK', async () => {
    const agent = aiSdkAgent((async () => ({ answer: 'x' })) as never);
    const [turn] = await converse(agent, ['Hi']);
    expect(turn?.error?.message).toContain('return the result of generateText');
  });
});
