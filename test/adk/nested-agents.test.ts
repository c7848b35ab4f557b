import { adkAgent } from '@agent-criteria/agent-adk/pure';
import { contentText, toolSteps } from '@agent-criteria/core';
import { createRegistry } from '@agent-criteria/core/host';
import { evalCase } from '@agent-criteria/core/testing';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import { evaluate } from '@agent-criteria/runner';
import { AgentTool, FunctionTool, LlmAgent } from '@google/adk';
import { describe, expect, it } from 'vitest';
import { lastResponse, type Said, ScriptedModel } from './fixtures/scripted-model.ts';
import { converse } from './fixtures/sessions.ts';

/** Creates an agent that calls another agent as a tool. */
function desk(inner: LlmAgent, more: object = {}) {
  const model = new ScriptedModel((request): Said => {
    const answered = lastResponse(request);
    return answered ? `They say: ${answered.response?.result}` : { call: inner.name, args: { request: 'How much?' } };
  });
  return new LlmAgent({ name: 'desk', model, tools: [new AgentTool({ agent: inner })], ...more });
}

describe('an ADK agent as a tool', () => {
  it('answers like a tool, and its own calls are spans below the tool', async () => {
    const price = new FunctionTool({ name: 'price', description: 'The price.', execute: () => ({ euros: 3 }) });
    const clerk = new LlmAgent({
      name: 'clerk',
      model: new ScriptedModel([{ call: 'price' }, '3 euros.']),
      tools: [price],
    });
    const seen: string[] = [];
    const outer = desk(clerk, {
      beforeToolCallback: ({ tool }: { tool: { name: string } }) => {
        seen.push(tool.name);
        return undefined;
      },
    });
    const [turn] = await converse(adkAgent(outer), ['Hi']);
    expect(turn?.error).toBeUndefined();
    expect(contentText(turn?.invocation.finalResponse)).toBe('They say: 3 euros.');
    expect(toolSteps(turn!.invocation).map(({ call }) => call.name)).toEqual(['clerk']);
    expect(seen).toEqual(['clerk']);
    const tool = turn?.trace?.find(({ kind, name }) => kind === 'tool' && name === 'clerk');
    const inner = turn?.trace?.find(({ kind, name }) => kind === 'agent' && name === 'clerk');
    expect(inner?.parentId).toBe(tool?.id);
    expect(turn?.trace?.find(({ name }) => name === 'price')).toMatchObject({
      author: 'clerk',
      response: { euros: 3 },
    });
    expect(turn?.invocation.inferenceCallCount).toBe(4);
    expect(Object.keys(turn?.invocation.appDetails?.agentDetails ?? {}).sort()).toEqual(['clerk', 'desk']);
  });

  it.each([
    [
      'with include_nested_calls, has the calls of the inner agent in its trajectory',
      true,
      ['clerk', 'price'],
      'passed',
    ],
    ['without it, has only its own call there, as in ADK', false, ['clerk'], 'passed'],
    ['with include_nested_calls, fails if the inner agent made an unexpected call', true, ['clerk'], 'failed'],
  ] as const)('%s', async (_title, include_nested_calls, names, verdict) => {
    const price = new FunctionTool({ name: 'price', description: 'The price.', execute: () => ({ euros: 3 }) });
    const clerk = new LlmAgent({
      name: 'clerk',
      model: new ScriptedModel([{ call: 'price' }, '3 euros.']),
      tools: [price],
    });
    const { cases } = await evaluate({
      agent: adkAgent(desk(clerk)),
      evalSet: {
        evalSetId: 'prices',
        evalCases: [evalCase('price', [{ user: 'Hi', calls: names.map((name) => ({ name, args: {} })) }])],
      },
      config: { criteria: { tool_trajectory_avg_score: { threshold: 1, include_nested_calls, ignore_args: true } } },
      registry: createRegistry([toolTrajectory]),
    });
    expect(cases[0]?.verdict).toBe(verdict);
  });

  it('continues from turn to turn with the sub-agent it transferred to', async () => {
    const expert = new LlmAgent({ name: 'expert', model: new ScriptedModel((_, call) => `Answer ${call + 1}.`) });
    const clerk = new LlmAgent({
      name: 'clerk',
      model: new ScriptedModel([{ call: 'transfer_to_agent', args: { agentName: 'expert' } }]),
      subAgents: [expert],
    });
    const turns = await converse(adkAgent(desk(clerk)), ['Hi', 'And now?']);
    expect(turns.map(({ error }) => error)).toEqual([undefined, undefined]);
    const calls = turns.map(({ trace = [] }) =>
      trace.filter(({ kind }) => kind === 'model').map(({ author }) => author),
    );
    expect(calls).toEqual([
      ['desk', 'clerk', 'expert', 'desk'],
      ['desk', 'expert', 'desk'],
    ]);
  });

  it('makes the turn an error if it fails', async () => {
    const clerk = new LlmAgent({ name: 'clerk', model: new ScriptedModel([new Error('no paper')]) });
    const [turn] = await converse(adkAgent(desk(clerk)), ['Hi']);
    expect(turn?.error?.message).toBe('"clerk" failed: no paper');
    expect(turn?.invocation.finalResponse).toBeNull();
    expect(toolSteps(turn!.invocation).map(({ call }) => call.name)).toEqual(['clerk']);
  });

  it('makes the turn an error if it asks a human', async () => {
    const pay = new FunctionTool({
      name: 'pay',
      description: 'Pays.',
      execute: () => 'paid',
      requireConfirmation: true,
    });
    const clerk = new LlmAgent({ name: 'clerk', model: new ScriptedModel([{ call: 'pay' }]), tools: [pay] });
    const [turn] = await converse(adkAgent(desk(clerk)), ['Hi']);
    expect(turn?.error?.message).toContain('confirm the call of "pay"');
  });

  it('shares the limit of model calls with the outer agent', async () => {
    const again = new FunctionTool({ name: 'again', description: 'Again.', execute: () => 'again' });
    const model = new ScriptedModel([{ call: 'again' }]);
    const clerk = new LlmAgent({ name: 'clerk', model, tools: [again] });
    const [turn] = await converse(adkAgent(desk(clerk), { maxLlmCalls: 5 }), ['Hi']);
    expect(turn?.error?.message).toContain('more model calls than maxLlmCalls allows');
    expect(model.requests).toHaveLength(4);
  });

  it('is not modified', async () => {
    const clerk = new LlmAgent({ name: 'clerk', model: new ScriptedModel(['3 euros.']) });
    const outer = desk(clerk);
    const [tool] = outer.tools as AgentTool[];
    const before = [Object.keys(tool!), Object.keys(clerk), tool!.runAsync];
    await converse(adkAgent(outer), ['Hi']);
    expect([Object.keys(tool!), Object.keys(clerk), tool!.runAsync]).toEqual(before);
  });
});
