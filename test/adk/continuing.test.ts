import { adkAgent } from '@agent-criteria/agent-adk/pure';
import type { AgentSession, Invocation, Json } from '@agent-criteria/core';
import { contentText } from '@agent-criteria/core';
import type { EarlierTurn } from '@agent-criteria/core/host';
import { message } from '@agent-criteria/core/testing';
import { FunctionTool, LlmAgent, type LlmResponse } from '@google/adk';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { lastResponse, lastText, type Said, ScriptedModel } from './fixtures/scripted-model.ts';
import { openWith } from './fixtures/sessions.ts';

const said = (text: string) => message('user', text);
const answerOf = ({ finalResponse }: Invocation) => contentText(finalResponse);

/**
 * Creates an agent that orders whatever the user names and counts its orders, and its model, which records requests.
 */
function shop() {
  const orders: string[] = [];
  const model = new ScriptedModel((request): Said => {
    if (lastResponse(request)) return 'Ordered.';
    return { call: 'order', args: { what: lastText(request) } };
  });
  const tool = new FunctionTool({
    name: 'order',
    description: 'Orders something.',
    parameters: z.object({ what: z.string() }),
    execute: ({ what }, context) => {
      orders.push(what);
      context?.state.set('orders', orders.length);
      return { ordered: what };
    },
  });
  const agent = adkAgent(new LlmAgent({ name: 'shop', model, instruction: 'City: {city?}', tools: [tool] }));
  return { agent, model, orders };
}

/** Runs a turn and returns it with all events reported by the agent. */
async function turnOf(session: AgentSession, text: string): Promise<EarlierTurn> {
  const events: Json[] = [{ author: 'user', content: said(text) as Json }];
  const { invocation } = await session.send(said(text), { onEvent: (event) => void events.push(event) });
  return { invocation, events };
}

describe('an ADK session with a history', () => {
  it.each(['its events', 'its invocations'])('continues from %s without running the turns again', async (kind) => {
    const { agent, model, orders } = shop();
    const first = await openWith(agent, { state: { city: 'Rome' } });
    const turn = await turnOf(first, 'apples');
    const state = (await first.state()) ?? {};
    await first.close();
    expect([agent.supportsHistory, orders, state]).toEqual([true, ['apples'], { city: 'Rome', orders: 1 }]);

    const history = kind === 'its events' ? [turn] : [{ invocation: turn.invocation }];
    const before = model.requests.length;
    const second = await openWith(agent, { state, history });
    expect(model.requests).toHaveLength(before);
    expect(await second.state()).toEqual(state);
    const { invocation } = await second.send(said('pears'));
    expect(answerOf(invocation)).toBe('Ordered.');
    expect(orders).toEqual(['apples', 'pears']);
    const asked = model.requests[before]?.contents.flatMap(({ parts = [] }) => parts) ?? [];
    expect(asked).toMatchObject([
      { text: 'apples' },
      { functionCall: { name: 'order', args: { what: 'apples' } } },
      { functionResponse: { name: 'order', response: { ordered: 'apples' } } },
      { text: 'Ordered.' },
      { text: 'pears' },
    ]);
    await second.close();
  });
});

describe('a stopped turn of an ADK agent', () => {
  it('leaves the session usable, with a response to the interrupted call', async () => {
    let finish: (value: object) => void = () => undefined;
    const stop = new AbortController();
    const model = new ScriptedModel((request): Said => (lastText(request) === 'wait' ? { call: 'wait' } : 'Here.'));
    const tool = new FunctionTool({
      name: 'wait',
      description: 'Waits.',
      execute: (_, context) => {
        stop.abort(new Error('enough'));
        context?.state.set('late', true);
        return new Promise<object>((resolve) => {
          finish = resolve;
        });
      },
    });
    const session = await openWith(adkAgent(new LlmAgent({ name: 'a', model, tools: [tool] })));
    const stopped = await session.send(said('wait'), { signal: stop.signal });
    expect(stopped.error).toMatchObject({ code: 'ABORTED', message: 'enough' });
    expect(stopped.trace?.map(({ kind }) => kind)).toEqual(['agent', 'model', 'tool']);

    const { invocation, error } = await session.send(said('still there?'));
    expect([error, answerOf(invocation)]).toEqual([undefined, 'Here.']);
    const asked = model.requests.at(-1)?.contents.flatMap(({ parts = [] }) => parts) ?? [];
    expect(asked).toMatchObject([
      { text: 'wait' },
      { functionCall: { name: 'wait' } },
      { functionResponse: { name: 'wait', response: { error: expect.stringContaining('stopped') } } },
      { text: 'still there?' },
    ]);
    // The tool's result comes too late and is ignored.
    finish({ waited: true });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await session.state()).toEqual({});
    await session.send(said('and now?'));
    expect(JSON.stringify(model.requests.at(-1)?.contents)).not.toContain('waited');
    await session.close();
  });
});

describe('the state of an ADK session', () => {
  it('can be changed between two turns', async () => {
    const { agent, model } = shop();
    const session = await openWith(agent, { state: { city: 'Rome', kept: 1 } });
    await session.send(said('apples'));
    await session.changeState?.({ city: 'Oslo' });
    expect(await session.state()).toEqual({ city: 'Oslo', kept: 1, orders: 1 });
    await session.send(said('pears'));
    expect(JSON.stringify(model.requests.at(-1)?.config?.systemInstruction)).toContain('City: Oslo');
    await session.close();
  });
});

/** A model that streams its answer in pieces on request. */
class PiecesModel extends ScriptedModel {
  override async *generateContentAsync(_: unknown, stream?: boolean): AsyncGenerator<LlmResponse, void> {
    const piece = (text: string, partial: boolean) => ({ content: { role: 'model', parts: [{ text }] }, partial });
    if (stream) for (const text of ['Good ', 'day']) yield piece(text, true);
    yield piece('Good day', false);
  }
}

describe('streaming of an ADK agent', () => {
  it.each([true, false])('happens only if the turn requests it: %s', async (streaming) => {
    const agent = adkAgent(new LlmAgent({ name: 'a', model: new PiecesModel([]) }));
    const session = await openWith(agent);
    const seen: Json[] = [];
    const { invocation, error } = await session.send(said('Hi'), {
      onEvent: (event) => void seen.push(event),
      streaming,
    });
    expect([error, answerOf(invocation)]).toEqual([undefined, 'Good day']);
    expect(seen.filter((event) => Object(event).partial === true)).toHaveLength(streaming ? 2 : 0);
    await session.close();
  });
});

describe('artifacts of an ADK session', () => {
  it('are listed with their versions, and loaded', async () => {
    const model = new ScriptedModel((request): Said => (lastResponse(request) ? 'Saved.' : { call: 'save' }));
    const tool = new FunctionTool({
      name: 'save',
      description: 'Saves a note.',
      execute: async (_, context) => ({
        version: await context?.saveArtifact('../a "note".txt', { text: context.state.get('note') ?? 'first' }),
      }),
    });
    const session = await openWith(adkAgent(new LlmAgent({ name: 'a', model, tools: [tool] })));
    expect(await session.artifacts?.list()).toEqual([]);
    await session.send(said('save'));
    await session.changeState?.({ note: 'second' });
    await session.send(said('save'));
    expect(await session.artifacts?.list()).toEqual([{ name: '../a "note".txt', versions: [0, 1] }]);
    expect(await session.artifacts?.load('../a "note".txt', 0)).toEqual({ text: 'first' });
    expect(await session.artifacts?.load('../a "note".txt', 1)).toEqual({ text: 'second' });
    expect(await session.artifacts?.load('../a "note".txt', 2)).toBeNull();
    await session.close();
  });

  it('of an earlier session are available in the continued one', async () => {
    const model = new ScriptedModel((request): Said => (lastResponse(request) ? 'Read.' : { call: 'read' }));
    const seen: unknown[] = [];
    const tool = new FunctionTool({
      name: 'read',
      description: 'Reads a note.',
      execute: async (_, context) => {
        seen.push(await context?.loadArtifact('a.txt'));
        return { done: true };
      },
    });
    const history = [{ invocation: { userContent: said('save'), finalResponse: message('model', 'Saved.') } }];
    const artifacts = [{ name: 'a.txt', versions: [{ text: 'first' }, { text: 'second' }] }];
    const session = await openWith(adkAgent(new LlmAgent({ name: 'a', model, tools: [tool] })), { history, artifacts });
    await session.send(said('read'));
    expect(seen).toEqual([{ text: 'second' }]);
    expect(await session.artifacts?.list()).toEqual([{ name: 'a.txt', versions: [0, 1] }]);
    await session.close();
  });
});
