import { httpAgent } from '@agent-criteria/agent-http/pure';
import { type AgentSession, type AgentTurn, contentText, toolSteps } from '@agent-criteria/core';
import { createRegistry } from '@agent-criteria/core/host';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import { evaluate } from '@agent-criteria/runner';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ApiServer, startApiServer } from './start-api-server.ts';

// Uses ADK's real server for TypeScript, and agents from the real @google/adk with scripted models.

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server?.close());

const never = new AbortController().signal;
const key = { setId: 'set', caseId: 'case', repeat: 0 };

function begin(settings = {}, signal = never, state = {}): Promise<AgentSession> {
  return httpAgent(`${server.url}/apps/weather`, settings).open({ key, userId: 'ann/é', state }, signal);
}

async function ask(text: string, settings = {}): Promise<AgentTurn> {
  const session = await begin(settings);
  try {
    return await session.send({ role: 'user', parts: [{ text }] });
  } finally {
    await session.close();
  }
}

describe('a session on the real api_server', () => {
  it('starts with the state of the case, returns the changed state, and is deleted when closed', async () => {
    const session = await begin({}, never, { city: 'Rome', nested: { list: [1, null, 'x'] } });
    const { invocation, error } = await session.send({ role: 'user', parts: [{ text: 'Where do I live?' }] });
    expect(error).toBeUndefined();
    expect(contentText(invocation.finalResponse)).toBe('Rome');
    await session.send({ role: 'user', parts: [{ text: 'How is the weather?' }] });
    expect(await session.state()).toStrictEqual({ city: 'Rome', nested: { list: [1, null, 'x'] }, asked: 'Oslo' });
    await session.close();
    const gone = await fetch(`${server.url}/apps/weather/users/ann%2F%C3%A9/sessions/${session.id}`);
    expect(gone.status).toBe(404);
    const left = await fetch(`${server.url}/apps/weather/users/ann%2F%C3%A9/sessions`);
    expect(JSON.stringify(await left.json())).not.toContain('"id"');
  });

  it('needs the name of an existing app', async () => {
    const several = httpAgent(server.url).open({ key, userId: 'ann', state: {} }, never);
    await expect(several).rejects.toThrow(
      `${server.url}: the server has 2 apps: choose one of them, ${server.url}/apps/echo, ${server.url}/apps/weather`,
    );
    const session = await httpAgent(`${server.url}/?app=wether`).open({ key, userId: 'ann', state: {} }, never);
    await expect(session.send({ role: 'user', parts: [{ text: 'hello' }] })).rejects.toThrow(
      `${server.url}/apps/wether: the server has no app "wether": it has ${server.url}/apps/echo, ${server.url}/apps/weather`,
    );
  });
});

describe.each(['run', 'run_sse'] as const)('a turn on the real api_server by %s', (route) => {
  it('is recorded with its steps and spans', async () => {
    const { invocation, trace, error } = await ask('How is the weather?', { route });
    expect(error).toBeUndefined();
    expect(contentText(invocation.finalResponse)).toBe('It has 3 degrees.');
    expect(toolSteps(invocation)).toMatchObject([
      { call: { name: 'look_up', args: { cityName: 'Oslo' } }, response: { response: { tempC: 3 } } },
    ]);
    expect(trace?.map(({ kind, name }) => `${kind} ${name}`)).toStrictEqual(['agent weather', 'tool look_up']);
    expect(Number(trace?.[1]?.endedAt)).toBeGreaterThanOrEqual(Number(trace?.[1]?.startedAt));
    expect(Math.abs(Number(trace?.[1]?.startedAt) - Date.now())).toBeLessThan(600_000);
  });

  it('is continued by a sub-agent after a transfer', async () => {
    const { invocation, error } = await ask('Book a journey.', { route });
    expect(error).toBeUndefined();
    expect(contentText(invocation.finalResponse)).toBe('Booked.');
    expect(toolSteps(invocation)[0]?.call).toMatchObject({ name: 'transfer_to_agent', args: { agent_name: 'travel' } });
    const data = invocation.intermediateData;
    const authors = data && 'invocationEvents' in data ? data.invocationEvents?.map(({ author }) => author) : [];
    expect(authors).toStrictEqual(['weather', 'weather', 'travel']);
  });

  it('continues if a tool throws', async () => {
    const { invocation, error } = await ask('Use what is broken.', { route });
    expect(error).toBeUndefined();
    expect(contentText(invocation.finalResponse)).toBe('The tool is broken.');
    expect(JSON.stringify(toolSteps(invocation)[0]?.response)).toContain('tool exploded');
  });

  it.each([
    ['throw', 'the model is gone'],
    ['blocked', 'SAFETY: blocked by a filter'],
  ])('is an error if the model fails: %s', async (text, message) => {
    const { invocation, error } = await ask(text, { route });
    expect(error?.code).toBe('AGENT_FAILED');
    expect(error?.message).toContain('agent "weather" failed: ');
    expect(error?.message).toContain(message);
    expect(invocation.finalResponse).toBeNull();
  });

  it('is an error if a tool waits for a human', async () => {
    const { error } = await ask('Please approve.', { route });
    expect(error?.message).toContain('agent "weather" waits for an answer to "adk_request_confirmation"');
  });

  it('ends with the call to a long-running tool', async () => {
    const { invocation, error } = await ask('Please order.', { route });
    expect(error).toBeUndefined();
    expect(toolSteps(invocation)).toMatchObject([{ call: { name: 'order' }, response: null }]);
    expect(contentText(invocation.finalResponse)).toBe('');
  });

  // (The server of 2.0.0 does not notice a closed connection: its agent continues.)
  it('rejects when it is aborted, and its session is deleted', async () => {
    const controller = new AbortController();
    const session = await begin({ route }, controller.signal);
    const before = server.log().length;
    const sent = session.send({ role: 'user', parts: [{ text: 'Answer slowly.' }] });
    await vi.waitFor(() => expect(server.log().slice(before)).toContain(`POST /${route}`), 30_000);
    controller.abort(new Error('enough'));
    await expect(sent).rejects.toThrow('enough');
    await session.close();
    const gone = await fetch(`${server.url}/apps/weather/users/ann%2F%C3%A9/sessions/${session.id}`);
    expect(gone.status).toBe(404);
  });

  it('times out after turnTimeout', async () => {
    const failed = ask('Answer slowly.', { route, turnTimeout: 1000 });
    await expect(failed).rejects.toThrow(`POST ${server.url}/${route}: the server did not answer within 1 s`);
  });
});

it('a turn on the real api_server reports the pieces of a streamed answer and records the complete answer', async () => {
  const session = await begin({ streaming: true });
  const seen: unknown[] = [];
  const question = { role: 'user', parts: [{ text: 'How is the weather?' }] };
  const { invocation } = await session.send(question, { onEvent: (event) => seen.push(event) });
  await session.close();
  expect(seen.length).toBeGreaterThan(4);
  expect(invocation.finalResponse?.parts).toStrictEqual([{ text: 'It has 3 degrees.' }]);
});

it('agents on the real api_server can be evaluated', async () => {
  const turn = (text: string, answer: string, toolUses: object[] = []) => ({
    user_content: { role: 'user', parts: [{ text }] },
    final_response: { role: 'model', parts: [{ text: answer }] },
    intermediate_data: { tool_uses: toolUses },
  });
  const result = await evaluate({
    agent: httpAgent(`${server.url}/apps/weather`),
    evalSet: {
      eval_set_id: 'weather',
      eval_cases: [
        {
          eval_id: 'home',
          conversation: [
            turn('Where do I live?', 'Rome'),
            turn('How is the weather?', 'It has 3 degrees.', [{ name: 'look_up', args: { cityName: 'Oslo' } }]),
          ],
          session_input: { app_name: 'weather', user_id: 'ann', state: { city: 'Rome' } },
        },
        {
          eval_id: 'journey',
          conversation: [
            turn('Book a journey.', 'Booked.', [{ name: 'transfer_to_agent', args: { agent_name: 'travel' } }]),
          ],
        },
        { eval_id: 'blocked', conversation: [turn('blocked', 'No.')] },
      ],
    },
    config: { criteria: { tool_trajectory_avg_score: 1, response_match_score: 0.8 } },
    registry: createRegistry([toolTrajectory, responseMatch]),
  });
  expect(result.cases.map(({ caseId, verdict }) => [caseId, verdict])).toStrictEqual([
    ['home', 'passed'],
    ['journey', 'passed'],
    ['blocked', 'error'],
  ]);
});
