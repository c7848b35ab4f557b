import { adkAgent } from '@agent-criteria/agent-adk/pure';
import { contentText } from '@agent-criteria/core';
import {
  App,
  BasePlugin,
  BaseToolset,
  createEvent,
  FunctionNode,
  FunctionTool,
  GOOGLE_SEARCH,
  LlmAgent,
  START,
  Workflow,
} from '@google/adk';
import { describe, expect, it } from 'vitest';
import { ScriptedModel } from './fixtures/scripted-model.ts';
import { converse, openWith } from './fixtures/sessions.ts';

class Counting extends BasePlugin {
  readonly seen: string[] = [];

  override async beforeRunCallback(): Promise<undefined> {
    this.seen.push('run');
  }
  override async beforeModelCallback({
    llmRequest,
  }: Parameters<BasePlugin['beforeModelCallback']>[0]): Promise<undefined> {
    this.seen.push('model');
    llmRequest.config = { ...llmRequest.config, systemInstruction: 'The plugin says so.' };
  }
  override async onModelErrorCallback({ callbackContext }: Parameters<BasePlugin['onModelErrorCallback']>[0]) {
    this.seen.push('error');
    const { agentName: author, invocationId } = callbackContext;
    return createEvent({ author, invocationId, content: { role: 'model', parts: [{ text: 'I am not well.' }] } });
  }
}

describe('an ADK App', () => {
  it('runs with its name and plugins, and is not changed', async () => {
    const plugin = new Counting('counting');
    const rootAgent = new LlmAgent({ name: 'a', model: new ScriptedModel(['Hi']) });
    const app = new App({ name: 'my_app', rootAgent, plugins: [plugin] });
    const agent = adkAgent(app);
    expect(agent.name).toBe('my_app');
    for (let session = 0; session < 2; session++) {
      const [turn] = await converse(agent, ['Hi']);
      expect(contentText(turn?.invocation.finalResponse)).toBe('Hi');
      expect(turn?.invocation.appDetails?.agentDetails?.a?.instructions).toBe('The plugin says so.');
    }
    expect(plugin.seen).toEqual(['run', 'model', 'run', 'model']);
    expect(app.plugins).toEqual([plugin]);
  });

  it('may answer through a plugin if the model fails', async () => {
    const rootAgent = new LlmAgent({ name: 'a', model: new ScriptedModel([new Error('broken')]) });
    const app = new App({ name: 'my_app', rootAgent, plugins: [new Counting('counting')] });
    const [turn] = await converse(adkAgent(app), ['Hi']);
    expect(turn?.error).toBeUndefined();
    expect(contentText(turn?.invocation.finalResponse)).toBe('I am not well.');
    expect(turn?.trace?.find(({ kind }) => kind === 'model')?.error?.message).toBe('broken');
  });

  it('may be created by a function for each session', async () => {
    const plugins: Counting[] = [];
    const agent = adkAgent(function shop() {
      const plugin = new Counting('counting');
      plugins.push(plugin);
      return new App({
        name: 'my_app',
        rootAgent: new LlmAgent({ name: 'a', model: new ScriptedModel(['Hi']) }),
        plugins: [plugin],
      });
    });
    expect(agent.name).toBe('shop');
    await converse(agent, ['Hi', 'Hi']);
    await converse(agent, ['Hi']);
    expect(plugins.map(({ seen }) => seen.length)).toEqual([4, 2]);
  });
});

describe('an ADK workflow', () => {
  it('runs the agents that form its nodes', async () => {
    const first = new LlmAgent({ name: 'first', model: new ScriptedModel(['One.']) });
    const second = new LlmAgent({ name: 'second', model: new ScriptedModel(['Two.']) });
    const flow = new Workflow({
      name: 'flow',
      edges: [
        [START, first],
        [first, second],
      ],
    });
    const agent = adkAgent(flow);
    const [turn] = await converse(agent, ['Hi']);
    expect(turn?.error).toBeUndefined();
    expect(contentText(turn?.invocation.finalResponse)).toBe('Two.');
    expect(turn?.invocation.inferenceCallCount).toBe(2);
    const spans = turn?.trace?.map(({ kind, name, parentId }) => `${kind} ${name} ${parentId ?? ''}`) ?? [];
    expect(spans[0]).toBe('agent flow ');
    expect(spans.filter((span) => span.startsWith('agent '))).toEqual([
      'agent flow ',
      'agent first 1.1',
      'agent second 1.1',
    ]);
    expect(await agent.describe?.()).toMatchObject({
      name: 'flow',
      type: 'Workflow',
      agents: [{ name: 'first' }, { name: 'second' }],
    });
  });

  it('records each run of a node in the trace, in order, also of nodes that are functions and of a loop', async () => {
    let runs = 0;
    const draft = new FunctionNode('draft', () => 'A draft.');
    const review = new FunctionNode('review', (context) => {
      runs += 1;
      context.route = runs < 2 ? 'again' : 'done';
      return runs < 2 ? 'Not yet.' : 'Good.';
    });
    const speak = new LlmAgent({ name: 'speak', model: new ScriptedModel(['Good.']) });
    const flow = new Workflow({
      name: 'flow',
      edges: [
        [START, draft],
        [draft, review],
        [review, { again: draft, done: speak }],
      ],
    });
    const [turn] = await converse(adkAgent(flow), ['Hi']);
    expect(turn?.error).toBeUndefined();
    const nodes = turn?.trace?.filter(({ kind }) => kind === 'node') ?? [];
    expect(nodes.map(({ name }) => name)).toEqual([
      'flow.draft',
      'flow.review',
      'flow.draft',
      'flow.review',
      'flow.speak',
    ]);
    for (const { parentId, endedAt } of nodes) expect([parentId, typeof endedAt]).toEqual(['1.1', 'number']);
  });

  it('uses stubs for the tools that form its nodes', async () => {
    let ran = 0;
    const tool = new FunctionTool({
      name: 'measure',
      description: 'Measures.',
      execute: () => {
        ran += 1;
        return { metres: 1 };
      },
    });
    const agent = adkAgent(new Workflow({ name: 'flow', edges: [[START, tool]] }));
    const stubs = [{ toolName: 'measure', injectionConfigs: [{ injectedResponse: { metres: 7 } }] }];
    const session = await openWith(agent, { stubs });
    const turn = await session.send({ role: 'user', parts: [{ text: '{}' }] });
    expect(turn.error).toBeUndefined();
    expect(JSON.stringify(turn.invocation)).toContain('"metres":7');
    expect(ran).toBe(0);
  });
});

describe('the description of an ADK agent', () => {
  it('includes agents, instructions and tools, and needs no model call', async () => {
    const model = new ScriptedModel([]);
    const look = new FunctionTool({ name: 'look', description: 'Looks.', execute: () => 'x' });
    const below = new LlmAgent({ name: 'below', model, description: 'Helps.', instruction: () => 'made anew' });
    const root = new LlmAgent({
      name: 'root',
      model,
      instruction: 'Look at {thing}.',
      tools: [look],
      subAgents: [below],
    });
    const described = {
      name: 'root',
      type: 'LlmAgent',
      instructions: 'Look at {thing}.',
      tools: [{ name: 'look', description: 'Looks.', parameters: { type: 'OBJECT', properties: {} } }],
      agents: [{ name: 'below', type: 'LlmAgent', description: 'Helps.' }],
    };
    expect(await adkAgent(root).describe?.()).toEqual(described);
    expect(await adkAgent(() => new App({ name: 'app', rootAgent: root })).describe?.()).toEqual(described);
    expect(model.requests).toEqual([]);
  });

  it('lists the tools that the model runs itself', async () => {
    const look = new FunctionTool({ name: 'look', description: 'Looks.', execute: () => 'seen' });
    const tools = [GOOGLE_SEARCH, look];
    const agent = new LlmAgent({ name: 'root', model: new ScriptedModel([]), tools });
    expect((await adkAgent(agent).describe?.())?.modelTools).toEqual(['google_search']);
  });

  it('names a toolset whose tools cannot be listed', async () => {
    class Unreachable extends BaseToolset {
      override getTools(): Promise<never> {
        return Promise.reject(new Error('no such server'));
      }
      override async close(): Promise<void> {}
    }
    const agent = new LlmAgent({ name: 'root', model: new ScriptedModel([]), tools: [new Unreachable([])] });
    const description = await adkAgent(agent).describe?.();
    expect(description?.tools).toBeUndefined();
    expect(description?.toolsMissing).toBe('the tools of Unreachable cannot be listed: no such server');
  });
});
