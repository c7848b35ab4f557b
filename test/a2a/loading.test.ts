import { toolSteps } from '@agent-criteria/core';
import { createRegistry } from '@agent-criteria/core/host';
import { loadAgent } from '@agent-criteria/project/plan';
import { evaluate } from '@agent-criteria/runner';
import { afterAll, expect, it } from 'vitest';
import { startAdkServer } from './fixtures/adk-server.ts';
import { dice } from './fixtures/dice.ts';
import { closeServers } from './fixtures/listening.ts';
import { startServer0 } from './fixtures/server-0.ts';
import { startServer1 } from './fixtures/server-1.ts';
import { converse } from './fixtures/sessions.ts';

afterAll(closeServers);

it.each([
  { name: 'its server', of: (url: string) => `a2a+${url}` },
  { name: 'its card', of: (url: string) => `${url}/.well-known/agent-card.json` },
])('an agent that @google/adk publishes is found by the URL of $name without configuration', async ({ of }) => {
  const agent = await loadAgent(of(await startAdkServer()), createRegistry());
  const [turn] = await converse(agent, ['Roll.']);
  expect(toolSteps(turn!.invocation)).toMatchObject([{ call: { name: 'roll' } }]);
});

it.each([
  { version: 'ADK', start: startAdkServer },
  { version: '0.3', start: () => startServer0({ script: dice() }) },
  { version: '1.0', start: () => startServer1({ script: dice() }) },
])('a conversation with an agent behind A2A ($version) is evaluated', async ({ start }) => {
  await import('@agent-criteria/criteria-rouge');
  const agent = await loadAgent(`a2a+${await start()}`, createRegistry());
  const turn = (user: string, answer: string) => ({
    userContent: { parts: [{ text: user }] },
    finalResponse: { parts: [{ text: answer }] },
  });
  const conversation = [turn('I am Ada.', 'Hello, Ada.'), turn('Who am I?', 'Hello, Ada.')];
  const config = { criteria: { response_match_score: 1 } };
  const sets = (answers: typeof conversation) => ({
    evalSetId: 's',
    evalCases: [{ evalId: 'a', conversation: answers }],
  });
  expect((await evaluate({ agent, evalSet: sets(conversation), config })).verdict).toBe('passed');
  const wrong = [turn('Who am I?', 'Hello, Ada.')];
  expect((await evaluate({ agent, evalSet: sets(wrong), config })).verdict).toBe('failed');
});
