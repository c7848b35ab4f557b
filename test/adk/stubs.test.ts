import { adkAgent } from '@agent-criteria/agent-adk/pure';
import { contentText, type ToolSimulationConfig, toolSteps } from '@agent-criteria/core';
import type { ToolCall } from '@agent-criteria/core/host';
import { createRegistry } from '@agent-criteria/core/host';
import { evalCase, evalSet, message } from '@agent-criteria/core/testing';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import { evaluate } from '@agent-criteria/runner';
import { AgentTool, App, BasePlugin, FunctionTool, LlmAgent, ToolNode, Workflow } from '@google/adk';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { lastResponse, type Said, ScriptedModel } from './fixtures/scripted-model.ts';
import { converse, openWith } from './fixtures/sessions.ts';

/** Creates an agent that calls a tool and answers with its response, and a counter for the runs of the real tool. */
function caller(args: object = { city: 'Oslo' }, more: object = {}) {
  let ran = 0;
  const tool = new FunctionTool({
    name: 'get_weather',
    description: 'The weather.',
    parameters: z.object({ city: z.string() }),
    execute: () => {
      ran += 1;
      return { weather: 'real' };
    },
  });
  const model = new ScriptedModel((request): Said => {
    const answered = lastResponse(request);
    return answered ? JSON.stringify(answered.response) : { call: 'get_weather', args: { ...args } };
  });
  const agent = new LlmAgent({ name: 'weather', model, tools: [tool], ...more });
  return { agent, ran: () => ran };
}

const stub = (...injectionConfigs: NonNullable<ToolSimulationConfig['injectionConfigs']>): ToolSimulationConfig[] => [
  { toolName: 'get_weather', injectionConfigs },
];

describe('a stubbed tool of an ADK agent', () => {
  it('is not called, and the stub is recorded as its response', async () => {
    const { agent, ran } = caller();
    const stubs = stub({ injectedResponse: { weather: 'snow' } });
    const [turn] = await converse(adkAgent(agent), ['Weather?'], { stubs });
    expect(contentText(turn?.invocation.finalResponse)).toBe('{"weather":"snow"}');
    const [step] = toolSteps(turn!.invocation);
    expect(step?.response).toEqual({ id: step?.call.id, name: 'get_weather', response: { weather: 'snow' } });
    expect(turn?.trace?.find(({ kind }) => kind === 'tool')).toMatchObject({ response: { weather: 'snow' } });
    expect(ran()).toBe(0);
  });

  it('returns a new copy of its response for each call', async () => {
    const afterToolCallback = ({ response }: { response: Record<string, unknown> }) => {
      response.seen = Number(response.seen ?? 0) + 1;
      return undefined;
    };
    const stubs = stub({ injectedResponse: { weather: 'snow' } });
    const turns = await converse(adkAgent(caller({}, { afterToolCallback }).agent), ['Weather?', 'And now?'], {
      stubs,
    });
    const answers = turns.map(({ invocation }) => contentText(invocation.finalResponse));
    expect(answers).toEqual(Array(2).fill('{"weather":"snow","seen":1}'));
  });

  it('can return an error', async () => {
    const { agent, ran } = caller();
    const stubs = stub({ injectedError: { injectedHttpErrorCode: 503, errorMessage: 'down' } });
    const [turn] = await converse(adkAgent(agent), ['Weather?'], { stubs });
    expect(contentText(turn?.invocation.finalResponse)).toBe('{"error_code":503,"error_message":"down"}');
    expect(ran()).toBe(0);
  });

  it('can be delayed and then run for real', async () => {
    const { agent, ran } = caller();
    const [turn] = await converse(adkAgent(agent), ['Weather?'], { stubs: stub({ injectedLatencySeconds: 0.05 }) });
    expect(contentText(turn?.invocation.finalResponse)).toBe('{"weather":"real"}');
    const span = turn?.trace?.find(({ kind }) => kind === 'tool');
    expect(span!.endedAt! - span!.startedAt).toBeGreaterThanOrEqual(45);
    expect(ran()).toBe(1);
  });

  it('is not called if the run is aborted during its delay', async () => {
    const { agent, ran } = caller();
    const abort = new AbortController();
    const session = await openWith(adkAgent(agent), { stubs: stub({ injectedLatencySeconds: 60 }) }, abort.signal);
    const sending = session.send(message('user', 'Weather?'));
    setTimeout(() => abort.abort(new Error('enough')), 20);
    await expect(sending).resolves.toMatchObject({ error: { message: 'enough' } });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(ran()).toBe(0);
  });

  it('ends the turn with an error if no stub matches the call', async () => {
    const { agent, ran } = caller();
    const stubs = stub({ matchArgs: { city: 'Bergen' }, injectedResponse: { weather: 'rain' } });
    const [turn] = await converse(adkAgent(agent), ['Weather?'], { stubs });
    expect(turn?.error).toMatchObject({ code: 'STUB_UNMATCHED', message: expect.stringContaining('{"city":"Oslo"}') });
    expect(toolSteps(turn!.invocation)).toMatchObject([{ call: { name: 'get_weather' }, response: null }]);
    expect(turn?.invocation.finalResponse).toBeNull();
    const span = turn?.trace?.find(({ kind }) => kind === 'tool');
    expect(span).toMatchObject({ request: { city: 'Oslo' }, error: { code: 'STUB_UNMATCHED' } });
    expect(span?.response).toBeUndefined();
    expect(ran()).toBe(0);
  });

  it('is stubbed with the given probability, reproducibly for a given seed', async () => {
    const { agent, ran } = caller();
    const stubs = stub({ injectionProbability: 0.5, randomSeed: 7, injectedResponse: { weather: 'snow' } });
    const answers = async () => {
      const session = await openWith(adkAgent(agent), { stubs });
      const texts: string[] = [];
      for (let turn = 0; turn < 12; turn++) {
        const { invocation } = await session.send(message('user', 'Weather?'));
        texts.push(contentText(invocation.finalResponse));
      }
      return texts;
    };
    const first = await answers();
    expect(new Set(first)).toEqual(new Set(['{"weather":"snow"}', '{"weather":"real"}']));
    expect(ran()).toBe(first.filter((text) => text.includes('real')).length);
    expect(await answers()).toEqual(first);
  });

  it("remains forbidden if one of the App's plugins forbids it", async () => {
    class Guard extends BasePlugin {
      override async beforeToolCallback(): Promise<Record<string, unknown>> {
        return { forbidden: true };
      }
    }
    const { agent } = caller();
    const app = new App({ name: 'app', rootAgent: agent, plugins: [new Guard('guard')] });
    const stubs = stub({ injectedResponse: { weather: 'snow' } });
    const [turn] = await converse(adkAgent(app), ['Weather?'], { stubs });
    expect(contentText(turn?.invocation.finalResponse)).toBe('{"forbidden":true}');
  });

  it('is marked as simulated in the trace, unlike a tool that answers itself', async () => {
    const simulated = async (stubs: ToolSimulationConfig[]) => {
      const [turn] = await converse(adkAgent(caller().agent), ['Weather?'], { stubs });
      return turn?.trace?.find(({ kind }) => kind === 'tool')?.simulated;
    };
    expect(await simulated(stub({ injectedResponse: {} }))).toBe('injection');
    expect(await simulated(stub({ injectedLatencySeconds: 0.01 }))).toBeUndefined();
    expect(await simulated([])).toBeUndefined();
  });

  it('is answered by the environment, and its failure ends the turn without the real tool', async () => {
    const { agent, ran } = caller();
    const stubs = [{ toolName: 'get_weather', mockStrategyType: 'MOCK_STRATEGY_TOOL_SPEC' }];
    const answer = async ({ args }: ToolCall) => ({ weather: `simulated in ${args.city}` });
    const environment = { unlistedTools: 'real' as const, answer };
    const [turn] = await converse(adkAgent(agent), ['Weather?'], { stubs, environment });
    expect(contentText(turn?.invocation.finalResponse)).toBe('{"weather":"simulated in Oslo"}');
    const span = turn?.trace?.find(({ kind }) => kind === 'tool');
    expect(span).toMatchObject({ simulated: 'MOCK_STRATEGY_TOOL_SPEC' });
    const down = { ...environment, answer: () => Promise.reject(new Error('the budget is spent')) };
    const [failed] = await converse(adkAgent(agent), ['Weather?'], { stubs, environment: down });
    expect(failed?.error?.message).toBe('the budget is spent');
    expect(failed?.invocation.finalResponse).toBeNull();
    expect(ran()).toBe(0);
  });

  it('is an error if it is not listed and unlisted tools are errors, unlike the transfers of ADK itself', async () => {
    const { agent, ran } = caller();
    const environment = { unlistedTools: 'error' as const, answer: async () => ({}) };
    const [turn] = await converse(adkAgent(agent), ['Weather?'], { environment });
    expect(turn?.error).toMatchObject({ code: 'STUB_UNMATCHED', message: expect.stringContaining('no stub lists') });
    expect(ran()).toBe(0);
    const helper = new LlmAgent({ name: 'helper', description: 'Helps.', model: new ScriptedModel(() => 'Helped.') });
    const host = new LlmAgent({
      name: 'host',
      model: new ScriptedModel((): Said => ({ call: 'transfer_to_agent', args: { agentName: 'helper' } })),
      subAgents: [helper],
    });
    const [moved] = await converse(adkAgent(host), ['Help!'], { environment });
    expect(moved?.error).toBeUndefined();
    expect(contentText(moved?.invocation.finalResponse)).toBe('Helped.');
  });

  it('is also stubbed for an agent inside a tool', async () => {
    const { agent, ran } = caller();
    const model = new ScriptedModel((request): Said => {
      const answered = lastResponse(request);
      return answered
        ? `They say ${JSON.stringify(answered.response)}.`
        : { call: 'weather', args: { request: 'Oslo' } };
    });
    const desk = () => new LlmAgent({ name: 'desk', model, tools: [new AgentTool({ agent })] });
    const stubs = stub({ injectedResponse: { weather: 'snow' } });
    const [turn] = await converse(adkAgent(desk()), ['Weather?'], { stubs });
    expect(contentText(turn?.invocation.finalResponse)).toContain('snow');
    const other = stub({ matchArgs: { city: 'Bergen' }, injectedResponse: {} });
    const [failed] = await converse(adkAgent(desk()), ['Weather?'], { stubs: other });
    expect(failed?.error?.code).toBe('STUB_UNMATCHED');
    expect(ran()).toBe(0);
  });
});

describe('stubs of a config and of a case', () => {
  it('apply in a run, and an unmatched call ends the inference with an error', async () => {
    const { agent, ran } = caller();
    const calls = [{ name: 'get_weather', args: { city: 'Oslo' } }];
    const own = {
      tool_name: 'get_weather',
      injection_configs: [{ match_args: { city: 'Rome' }, injected_response: {} }],
    };
    const set = evalSet([
      evalCase('of the config', [{ user: 'Weather?', calls }]),
      evalCase('its own', [{ user: 'Weather?', calls }], { agentCriteria: { tool_simulation_configs: [own] } }),
    ]);
    const snow = { tool_name: 'get_weather', injection_configs: [{ injected_response: { weather: 'snow' } }] };
    const config = {
      criteria: { tool_trajectory_avg_score: 1 },
      agent_criteria: { tool_simulation_configs: [snow] },
    };
    const registry = createRegistry([toolTrajectory]);
    const { cases, inferences } = await evaluate({ evalSet: set, config, registry, agent: adkAgent(agent) });
    expect(cases.map(({ caseId, verdict }) => [caseId, verdict])).toEqual([
      ['of the config', 'passed'],
      ['its own', 'error'],
    ]);
    expect(inferences[1]?.inference).toMatchObject({
      invocations: [{ intermediateData: { invocationEvents: [{ author: 'weather' }] } }],
      ending: { by: 'error', of: 'agent', error: { code: 'STUB_UNMATCHED' } },
    });
    expect(ran()).toBe(0);
  });

  it('apply to the tools of an agent inside a tool, and workflow nodes list their tools', async () => {
    const { agent, ran } = caller();
    const asks: Said = { call: 'weather', args: { request: 'Oslo' } };
    const model = new ScriptedModel((request): Said => (lastResponse(request) ? 'That is all.' : asks));
    const desk = new LlmAgent({ name: 'desk', model, tools: [new AgentTool({ agent })] });
    const snow = { tool_name: 'get_weather', injection_configs: [{ injected_response: { weather: 'snow' } }] };
    const config = { criteria: { tool_trajectory_avg_score: 1 }, agent_criteria: { tool_simulation_configs: [snow] } };
    const set = evalSet([
      evalCase('nested', [{ user: 'Weather?', calls: [{ name: 'weather', args: { request: 'Oslo' } }] }]),
    ]);
    const registry = createRegistry([toolTrajectory]);
    const { cases } = await evaluate({ evalSet: set, config, registry, agent: adkAgent(desk) });
    expect(cases.map(({ verdict }) => verdict)).toEqual(['passed']);
    expect(ran()).toBe(0);

    const clock = new FunctionTool({ name: 'clock', description: 'The time.', execute: () => ({ time: '12:00' }) });
    const flow = new Workflow({ name: 'flow', edges: [['START', new ToolNode(clock)]] });
    const described = await adkAgent(flow).describe?.();
    expect(described?.agents?.flatMap(({ tools = [] }) => tools.map(({ name }) => name))).toEqual(['clock']);
  });
});
