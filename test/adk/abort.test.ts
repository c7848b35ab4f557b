import { getEventListeners } from 'node:events';
import { adkAgent } from '@agent-criteria/agent-adk/pure';
import { createRegistry } from '@agent-criteria/core/host';
import { evalCase, evalSet, message } from '@agent-criteria/core/testing';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import { evaluate } from '@agent-criteria/runner';
import { geminiFaults } from '@agent-criteria/test-servers';
import { FunctionTool, LlmAgent, StreamingMode } from '@google/adk';
import { describe, expect, it } from 'vitest';
import { gemini } from './fixtures/gemini.ts';
import { ScriptedModel } from './fixtures/scripted-model.ts';
import { openWith } from './fixtures/sessions.ts';

/** The error of an aborted turn. */
const enough = { error: { message: 'enough' } };
const never = () => new Promise<never>(() => undefined);
const set = evalSet([evalCase('one', [{ user: 'Hi', answer: 'Hello.' }])]);
const judged = { config: { criteria: { tool_trajectory_avg_score: 1 } }, registry: createRegistry([toolTrajectory]) };

/** Agents that never finish, each for a different reason; `begun` is called when they start. */
const endless: [string, (begun: () => void) => LlmAgent][] = [
  [
    'a model that ignores the signal',
    (begun) =>
      new LlmAgent({
        name: 'a',
        model: new ScriptedModel(() => {
          begun();
          return never();
        }),
      }),
  ],
  [
    'a tool that ignores the signal',
    (begun) => {
      const execute = () => {
        begun();
        return never();
      };
      const tool = new FunctionTool({ name: 'wait', description: 'Waits.', execute });
      return new LlmAgent({ name: 'a', model: new ScriptedModel([{ call: 'wait' }]), tools: [tool] });
    },
  ],
];

describe('an abort', () => {
  it.each(endless)('ends the turn at once, even for %s', async (_, make) => {
    const abort = new AbortController();
    const session = await openWith(adkAgent(make(() => abort.abort(new Error('enough')))), {}, abort.signal);
    await expect(session.send(message('user', 'Hi'))).resolves.toMatchObject(enough);
    await session.close();
  });

  it('closes the connection to the model and cancels a pending retry', async () => {
    const server = await gemini({ answer: () => geminiFaults.hang });
    const abort = new AbortController();
    const session = await openWith(adkAgent(new LlmAgent({ name: 'a', model: 'gemini-2.5-flash' })), {}, abort.signal);
    const sending = session.send(message('user', 'Hi'));
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    abort.abort(new Error('enough'));
    await expect(sending).resolves.toMatchObject(enough);

    const refusing = await gemini({ answer: () => geminiFaults.overloaded });
    const again = new AbortController();
    const other = await openWith(adkAgent(new LlmAgent({ name: 'a', model: 'gemini-2.5-flash' })), {}, again.signal);
    const retrying = other.send(message('user', 'Hi'));
    while (refusing.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 50));
    again.abort(new Error('enough'));
    await expect(retrying).resolves.toMatchObject(enough);
    expect(refusing.requests).toHaveLength(1);
  });

  it('leaves no listener on its signal after a turn', async () => {
    const { signal } = new AbortController();
    const session = await openWith(adkAgent(new LlmAgent({ name: 'a', model: new ScriptedModel(['Hi']) })), {}, signal);
    for (let turn = 0; turn < 3; turn++) await session.send(message('user', 'Hi'));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('during a streamed answer leaves the turn without an answer', async () => {
    class Streams extends ScriptedModel {
      override async *generateContentAsync() {
        yield { content: { role: 'model', parts: [{ text: 'It ' }] }, partial: true };
        if (isWhole) yield { content: { role: 'model', parts: [{ text: 'It rains.' }] } };
        else await never();
      }
    }
    let isWhole = true;
    const abort = new AbortController();
    const runConfig = { streamingMode: StreamingMode.SSE };
    const agent = adkAgent(new LlmAgent({ name: 'a', model: new Streams([]) }), { runConfig });
    const session = await openWith(agent, {}, abort.signal);
    const whole = await session.send(message('user', 'Hi'));
    expect(whole.invocation).toMatchObject({
      finalResponse: { parts: [{ text: 'It rains.' }] },
      inferenceCallCount: 1,
    });
    isWhole = false;
    const cut = await session.send(message('user', 'Hi'), { onEvent: () => abort.abort(new Error('enough')) });
    expect(cut).toMatchObject({ ...enough, invocation: { finalResponse: null } });
    const call = cut.trace?.find(({ kind }) => kind === 'model');
    expect([call?.response, call?.endedAt]).toEqual([undefined, undefined]);
  });

  it('before a session opens rejects the opening', async () => {
    const agent = adkAgent(new LlmAgent({ name: 'a', model: new ScriptedModel(['Hi']) }));
    await expect(openWith(agent, {}, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  });

  it.each(endless)('of the run ends the inference before the end of the case: %s', async (_, make) => {
    const abort = new AbortController();
    const agent = adkAgent(make(() => abort.abort(new Error('enough'))));
    const { inferences, exitCode } = await evaluate({ ...judged, evalSet: set, agent, signal: abort.signal });
    expect(inferences.map(({ inference }) => inference.ending.by)).not.toContain('end-of-case');
    expect(exitCode).not.toBe(0);
  });

  it.each(endless)('by the turn timeout is an error without an answer: %s', async (_, make) => {
    const agent = adkAgent(make(() => undefined));
    const { cases, inferences } = await evaluate({ ...judged, evalSet: set, agent, turnTimeout: 300 });
    expect(cases[0]?.verdict).toBe('error');
    expect(inferences[0]?.inference.ending).toMatchObject({ by: 'error', of: 'agent', error: { code: 'TIMEOUT' } });
    expect(inferences[0]?.inference.invocations).toMatchObject([{ userContent: { parts: [{ text: 'Hi' }] } }]);
  });
});
