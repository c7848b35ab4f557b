import { type AdkAgentOptions, adkAgent } from '@agent-criteria/agent-adk/pure';
import { contentText, toolSteps } from '@agent-criteria/core';
import { message } from '@agent-criteria/core/testing';
import { geminiFaults, googleError } from '@agent-criteria/test-servers';
import {
  App,
  BasePlugin,
  FunctionTool,
  LlmAgent,
  LongRunningFunctionTool,
  ParallelAgent,
  RequestInput,
  StreamingMode,
  Workflow,
} from '@google/adk';
import { describe, expect, it } from 'vitest';
import { gemini } from './fixtures/gemini.ts';
import { type Said, ScriptedModel } from './fixtures/scripted-model.ts';
import { converse, openWith } from './fixtures/sessions.ts';

const greeter = () => new LlmAgent({ name: 'greeter', model: 'gemini-2.5-flash', instruction: 'Greet.' });
const once: AdkAgentOptions = { retryOptions: { attempts: 1 } };
const quick: AdkAgentOptions = { retryOptions: { attempts: 3, initialDelay: 0.01, maxDelay: 0.01 } };
const tool = (name: string, execute: () => unknown) => new FunctionTool({ name, description: name, execute });
const scripted = (said: readonly Said[], more: object = {}) =>
  new LlmAgent({ name: 'a', model: new ScriptedModel(said), ...more });

describe('a turn of an ADK agent is an error, and keeps its earlier steps, if', () => {
  it.each([
    ['429', geminiFaults.rateLimit(), '"greeter" failed: 429: You exceeded your current quota'],
    ['500', geminiFaults.internal, '"greeter" failed: 500: An internal error has occurred'],
    ['503', geminiFaults.overloaded, '"greeter" failed: 503: The model is overloaded'],
    ['403', geminiFaults.forbidden, '"greeter" failed: 403: Your project has been denied access'],
    ['an error page of a proxy', geminiFaults.badGateway, '"greeter" failed: '],
    ['a closed connection', geminiFaults.cutSocket, '"greeter" failed: '],
    ['truncated JSON', geminiFaults.brokenJson, '"greeter" failed: '],
  ])('the model answers with %s', async (_, fault, told) => {
    await gemini({ answer: () => fault });
    const [turn] = await converse(adkAgent(greeter(), once), ['Hi']);
    expect(turn?.error).toMatchObject({ code: 'AGENT_FAILED', message: expect.stringContaining(told) });
    expect(turn?.invocation.finalResponse).toBeNull();
    expect(turn?.trace?.find(({ kind }) => kind === 'model')?.error?.code).toBe('AGENT_FAILED');
  });

  it('the model cannot be reached', async () => {
    await gemini({});
    // No server listens on port 1.
    process.env.GOOGLE_GEMINI_BASE_URL = 'http://127.0.0.1:1';
    const [turn] = await converse(adkAgent(greeter(), once), ['Hi']);
    expect(turn?.error?.message).toMatch(/^"greeter" failed: .*fetch failed/);
    expect(turn?.invocation.finalResponse).toBeNull();
  });

  it.each([
    ['the prompt is blocked', { blockReason: 'SAFETY' }, '"greeter" failed: SAFETY'],
    ['the answer is blocked', { finish: 'blocked' }, '"greeter" failed: SAFETY'],
    ['the model returns nothing', { empty: true }, '"greeter" failed: Unknown error.'],
  ])('%s', async (_, said, told) => {
    await gemini({ answer: () => said });
    const [turn] = await converse(adkAgent(greeter(), once), ['Hi']);
    expect(turn?.error?.message).toBe(told);
    expect(turn?.invocation.finalResponse).toBeNull();
  });

  it.each([
    ['an empty text', [{ text: '' }]],
    ['thoughts', [{ text: 'hm', thought: true }]],
  ])('the model ends it with %s after a tool call', async (_, parts) => {
    const said: Said[] = [{ call: 'get_time' }, { content: { role: 'model', parts } }];
    const agent = scripted(said, { tools: [tool('get_time', () => ({ time: '12:00' }))] });
    const [turn] = await converse(adkAgent(agent), ['Hi']);
    expect(turn?.error?.message).toBe('the agent ended the turn without an answer: its model returned nothing');
    expect(toolSteps(turn!.invocation)).toHaveLength(1);
  });

  it('the model repeatedly calls an unknown tool', async () => {
    const model = new ScriptedModel([{ call: 'get_time' }, { call: 'nope' }]);
    const agent = new LlmAgent({ name: 'a', model, tools: [tool('get_time', () => ({ time: '12:00' }))] });
    const [turn] = await converse(adkAgent(agent), ['Hi']);
    expect(turn?.error?.message).toBe('"a" called the tool "nope", which it does not have');
    expect(toolSteps(turn!.invocation).map(({ call }) => call.name)).toEqual(['get_time', 'nope']);
    expect(model.requests).toHaveLength(2);
    expect(turn?.trace?.filter(({ error }) => error)).toEqual([]);
  });

  it.each([
    [undefined, 50],
    [{ maxLlmCalls: 3 }, 3],
    [{ runConfig: { maxLlmCalls: 4 } }, 4],
    [{ maxLlmCalls: 3, runConfig: { maxLlmCalls: 4 } }, 3],
  ])('it exceeds the limit of model calls: %j', async (options, most) => {
    const model = new ScriptedModel([{ call: 'again' }]);
    const agent = new LlmAgent({ name: 'a', model, tools: [tool('again', () => 'and again')] });
    const [turn] = await converse(adkAgent(agent, options), ['Hi']);
    expect(turn?.error?.message).toContain('one turn took more model calls than maxLlmCalls allows');
    expect(model.requests).toHaveLength(most);
    expect(turn?.invocation.inferenceCallCount).toBe(most);
    expect(toolSteps(turn!.invocation)).toHaveLength(most);
    expect(turn?.trace?.filter(({ kind }) => kind === 'model')).toHaveLength(most);
  });

  it('the session no longer exists', async () => {
    const forget = new FunctionTool({
      name: 'forget',
      description: 'Deletes the session.',
      execute: async (_args, context) => {
        const { session, sessionService } = context!.invocationContext;
        const { appName, userId, id: sessionId } = session;
        await sessionService?.deleteSession({ appName, userId, sessionId });
      },
    });
    const session = await openWith(adkAgent(scripted([{ call: 'forget' }, 'Done.'], { tools: [forget] })));
    await session.send(message('user', 'Hi'));
    expect(await session.state()).toBeNull();
    const turn = await session.send(message('user', 'Still there?'));
    expect(turn.error).toMatchObject({ code: 'AGENT_FAILED', message: expect.stringContaining('Session not found') });
  });

  it('a callback throws', async () => {
    const beforeModelCallback = () => {
      throw new Error('the callback broke');
    };
    const [turn] = await converse(adkAgent(scripted(['Hi'], { beforeModelCallback })), ['Hi']);
    expect(turn?.error?.message).toBe('"a" failed: the callback broke');
  });

  it('a callback throws a value that is not an Error', async () => {
    const beforeModelCallback = () => {
      throw 'a text';
    };
    const [turn] = await converse(adkAgent(scripted(['Hi'], { beforeModelCallback }), { logLevel: 'silent' }), ['Hi']);
    expect(turn?.error).toEqual({ code: 'AGENT_FAILED', message: 'a text' });
  });

  it("a plugin of the user's App throws", async () => {
    class Broken extends BasePlugin {
      override async beforeRunCallback(): Promise<undefined> {
        throw new Error('the plugin broke');
      }
    }
    const app = new App({ name: 'app', rootAgent: scripted(['Hi']), plugins: [new Broken('broken')] });
    const [turn] = await converse(adkAgent(app, { logLevel: 'silent' }), ['Hi']);
    expect(turn?.error?.message).toContain('the plugin broke');
  });

  it('one of several parallel agents fails, even if another one answers', async () => {
    const fails = new LlmAgent({ name: 'fails', model: new ScriptedModel([new Error('broken')]) });
    const answers = new LlmAgent({ name: 'answers', model: new ScriptedModel(['All is well.']) });
    for (const subAgents of [
      [fails.clone(), answers.clone()],
      [answers.clone(), fails.clone()],
    ]) {
      const [turn] = await converse(adkAgent(new ParallelAgent({ name: 'both', subAgents })), ['Hi']);
      expect(turn?.error?.message).toBe('"fails" failed: broken');
    }
  });

  it.each([
    [
      'a tool requires confirmation of its call',
      new FunctionTool({ name: 'pay', description: 'Pays.', execute: () => 'paid', requireConfirmation: true }),
      'confirm the call of "pay"',
    ],
    [
      'a tool requests confirmation with a hint',
      new FunctionTool({
        name: 'pay',
        description: 'Pays.',
        execute: (_args, context) => {
          context?.requestConfirmation({ hint: 'Really 100 euros?' });
          return {};
        },
      }),
      'confirm the call of "pay": "Really 100 euros?"',
    ],
  ])('%s', async (_, pay, told) => {
    const [turn] = await converse(adkAgent(scripted([{ call: 'pay' }, 'Paid.'], { tools: [pay] })), ['Pay!']);
    expect(turn?.error).toMatchObject({ code: 'AGENT_FAILED', message: expect.stringContaining(told) });
    expect(turn?.error?.message).toContain('No one can answer in an evaluation');
    expect(toolSteps(turn!.invocation)[0]?.call.name).toBe('pay');
  });

  it('a workflow asks a human', async () => {
    const ask = async () => new RequestInput({ message: 'How many?', interruptId: 'ask' });
    const [turn] = await converse(adkAgent(new Workflow({ name: 'flow', edges: [['START', ask]] })), ['Hi']);
    expect(turn?.error?.message).toContain('the agent waits for a human to answer: "How many?"');
  });

  it('the agent returns no parts', async () => {
    const [turn] = await converse(adkAgent(scripted([{ content: { role: 'model', parts: [] } }])), ['Hi']);
    expect(turn?.error?.message).toBe('the agent ended the turn without an answer: its model returned nothing');
  });

  it('its message is empty', async () => {
    const session = await openWith(adkAgent(scripted(['Hi'])));
    const turn = await session.send({ role: 'user', parts: [] });
    expect(turn.error?.message).toContain('No parts in the newMessage');
  });

  it('an agent in a workflow calls an unknown tool, even if it then answers', async () => {
    const guesses = new LlmAgent({ name: 'guesses', model: new ScriptedModel([{ call: 'nope' }, 'Fine.']) });
    const [turn] = await converse(adkAgent(new Workflow({ name: 'flow', edges: [['START', guesses]] })), ['Hi']);
    expect(turn?.error?.message).toBe('"guesses" called the tool "nope", which it does not have');
    expect(turn?.invocation.finalResponse).toBeNull();
  });

  it('a stream ends after partial events', async () => {
    const piece = { content: { role: 'model', parts: [{ text: 'The ans' }] }, partial: true };
    const agent = adkAgent(scripted([piece]), { runConfig: { streamingMode: StreamingMode.SSE } });
    const [turn] = await converse(agent, ['Hi']);
    expect(turn?.error?.message).toBe('the answer of "a" was cut off: only parts of it arrived');
  });

  it('a workflow node fails, unless a retry succeeds', async () => {
    const agent = (attempts: number) =>
      new LlmAgent({
        name: 'flaky',
        model: new ScriptedModel([new Error('broken'), 'Better.']),
        ...(attempts > 1 ? { retryConfig: { maxAttempts: attempts, initialDelay: 0.001 } } : {}),
      });
    const flow = (attempts: number) => adkAgent(new Workflow({ name: 'flow', edges: [['START', agent(attempts)]] }));
    const [failed] = await converse(flow(1), ['Hi']);
    expect(failed?.error?.message).toContain('broken');
    const [recovered] = await converse(flow(3), ['Hi']);
    expect(recovered?.error).toBeUndefined();
    expect(contentText(recovered?.invocation.finalResponse)).toBe('Better.');
  });
});

describe('a turn of an ADK agent continues', () => {
  it('if a tool throws, with the error as its response', async () => {
    const boom = tool('boom', () => {
      throw new Error('tool exploded');
    });
    const [turn] = await converse(adkAgent(scripted([{ call: 'boom' }, 'Sorry.'], { tools: [boom] })), ['Hi']);
    expect(turn?.error).toBeUndefined();
    expect(contentText(turn?.invocation.finalResponse)).toBe('Sorry.');
    expect(toolSteps(turn!.invocation)[0]?.response?.response).toEqual({
      error: "Error in tool 'boom': tool exploded",
    });
    const span = turn?.trace?.find(({ kind }) => kind === 'tool');
    expect(span?.error).toMatchObject({ code: 'AGENT_FAILED', message: expect.stringContaining('tool exploded') });
  });

  it('if a tool is long-running', async () => {
    const slow = new LongRunningFunctionTool({ name: 'order', description: 'Orders.', execute: () => ({ id: 7 }) });
    const agent = adkAgent(scripted([{ call: 'order' }, 'It is on its way.'], { tools: [slow] }));
    const [turn] = await converse(agent, ['Hi']);
    expect(turn?.error).toBeUndefined();
    expect(contentText(turn?.invocation.finalResponse)).toBe('It is on its way.');
  });

  it('if the model is overloaded for fewer attempts than retryOptions allows', async () => {
    const overloaded = googleError(503, 'UNAVAILABLE', 'Try again.');
    const server = await gemini({ answer: () => 'Hello.', faults: [overloaded, geminiFaults.rateLimit()] });
    const [turn] = await converse(adkAgent(greeter(), quick), ['Hi']);
    expect(turn?.error).toBeUndefined();
    expect(contentText(turn?.invocation.finalResponse)).toBe('Hello.');
    expect(server.requests).toHaveLength(3);
    expect(turn?.invocation.inferenceCallCount).toBe(1);
  });

  it("until the attempts allowed by retryOptions or by the agent's own config are used up", async () => {
    const server = await gemini({ answer: () => geminiFaults.overloaded });
    const [turn] = await converse(adkAgent(greeter(), quick), ['Hi']);
    expect(turn?.error?.message).toContain('503');
    expect(server.requests).toHaveLength(3);
    const generateContentConfig = { httpOptions: { retryOptions: { attempts: 1 } } };
    const own = new LlmAgent({ name: 'own', model: 'gemini-2.5-flash', generateContentConfig });
    await converse(adkAgent(own, quick), ['Hi']);
    expect(server.requests).toHaveLength(4);
    expect(generateContentConfig).toEqual({ httpOptions: { retryOptions: { attempts: 1 } } });
    await converse(adkAgent(greeter(), { retryOptions: null }), ['Hi']);
    expect(server.requests).toHaveLength(5);
  });
});

describe('a model request of an ADK agent', () => {
  it('has default retryOptions', async () => {
    const model = new ScriptedModel(['Hi']);
    await converse(adkAgent(new LlmAgent({ name: 'a', model })), ['Hi']);
    expect(model.requests[0]?.config?.httpOptions).toEqual({
      retryOptions: { attempts: 7, initialDelay: 2, maxDelay: 60 },
    });
  });

  it('is recorded without headers', async () => {
    const generateContentConfig = { httpOptions: { headers: { authorization: 'Bearer secret' } }, temperature: 0 };
    const [turn] = await converse(adkAgent(scripted(['Hi'], { generateContentConfig })), ['Hi']);
    expect(JSON.stringify(turn)).not.toContain('secret');
    expect(turn?.trace?.find(({ kind }) => kind === 'model')?.request).toMatchObject({ config: { temperature: 0 } });
  });

  it('is recorded with the size of large data instead of the data', async () => {
    const session = await openWith(adkAgent(scripted(['A cat.'])));
    const data = 'A'.repeat(5_000_000);
    const turn = await session.send({ role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data } }] });
    expect(JSON.stringify(turn.trace).length).toBeLessThan(5000);
    expect(JSON.stringify(turn.trace)).toContain('(left out: 5000000 characters of image/png)');
    expect(turn.invocation.userContent.parts?.[0]?.inlineData?.data).toBe(data);
  });

  it('is recorded only by its size once the requests of a turn reach the limit', async () => {
    const model = new ScriptedModel([{ call: 'page' }]);
    const page = tool('page', () => ({ text: 'x'.repeat(50_000) }));
    const agent = new LlmAgent({ name: 'a', model, tools: [page] });
    const [turn] = await converse(adkAgent(agent, { maxLlmCalls: 25 }), ['Hi']);
    const trace = turn?.trace ?? [];
    expect(trace.filter(({ kind }) => kind === 'model')).toHaveLength(25);
    expect(JSON.stringify(trace).length).toBeLessThan(10_100_000);
    const requests = trace.filter(({ kind }) => kind === 'model').map(({ request }) => request);
    expect(requests[15]).toBeTypeOf('object');
    expect(requests.at(-1)).toMatch(/^\(left out: \d+ characters of JSON\)$/);
    expect(toolSteps(turn!.invocation)[20]?.response?.response?.text).toHaveLength(50_000);
  });
});
