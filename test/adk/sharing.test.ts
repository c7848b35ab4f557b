import { type AdkSource, adkAgent } from '@agent-criteria/agent-adk/pure';
import { contentText, type Inference } from '@agent-criteria/core';
import { createRegistry, resolveEvalConfig } from '@agent-criteria/core/host';
import { evalCase, evalSet } from '@agent-criteria/core/testing';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import { generate } from '@agent-criteria/runner';
import { type BaseTool, BaseToolset, FunctionTool, LlmAgent } from '@google/adk';
import { describe, expect, it } from 'vitest';
import { lastResponse, lastText, type Said, ScriptedModel } from './fixtures/scripted-model.ts';
import { converse, openWith } from './fixtures/sessions.ts';

/** A toolset that cannot be used again once it is closed. */
class DoorToolset extends BaseToolset {
  closed = 0;
  calls = 0;
  readonly #slow: boolean;
  readonly #leaves: boolean;

  constructor({ slow = false, leaves = false }: { slow?: boolean; leaves?: boolean } = {}) {
    super([]);
    this.#slow = slow;
    this.#leaves = leaves;
  }

  override async getTools(): Promise<BaseTool[]> {
    if (this.closed > 0) throw new Error('this toolset is closed');
    const execute = async () => {
      if (this.#slow) await new Promise((resolve) => setTimeout(resolve, 5));
      if (this.closed > 0) throw new Error('this toolset is closed');
      this.calls += 1;
      if (this.#leaves) await this.close();
      return { open: true, call: this.calls };
    };
    return [new FunctionTool({ name: 'open_door', description: 'Opens the door.', execute })];
  }

  override async close(): Promise<void> {
    this.closed += 1;
  }
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Creates an agent that opens the door, and answers with its instruction and the number of messages. */
function doorkeeper(toolset: BaseToolset) {
  const model = new ScriptedModel((request): Said => {
    if (lastResponse(request)) return `Opened. ${String(request.config?.systemInstruction).match(/I am \w*/)?.[0]}`;
    return lastText(request).startsWith('Open') ? { call: 'open_door' } : `You said ${request.contents.length} things.`;
  });
  return new LlmAgent({
    name: 'doorkeeper',
    model,
    instruction: 'I am {who?}.',
    tools: [toolset],
    outputKey: 'said',
  });
}

const cases = Array.from({ length: 50 }, (_, index) =>
  evalCase(`case ${index}`, [{ user: `Open ${index}` }, { user: 'What did I say?' }], {
    sessionInput: { appName: 'door', userId: `user${index}`, state: { who: `case${index}` } },
  }),
);

async function runAll(source: AdkSource): Promise<readonly Inference[]> {
  const config = { criteria: { tool_trajectory_avg_score: 1 } };
  const plan = resolveEvalConfig({ evalSet: evalSet(cases), config, registry: createRegistry([toolTrajectory]) });
  const done = await generate({ plan, agent: adkAgent(source), concurrency: { agents: 50 } });
  return done.map(({ inference }) => inference);
}

function expectOwn(inferences: readonly Inference[]): void {
  expect(inferences).toHaveLength(50);
  for (const [index, { ending, invocations, state }] of inferences.entries()) {
    expect(ending).toEqual({ by: 'end-of-case' });
    expect(invocations.map(({ finalResponse }) => contentText(finalResponse))).toEqual([
      `Opened. I am case${index}`,
      'You said 5 things.',
    ]);
    expect(state).toEqual({
      initial: { who: `case${index}` },
      final: { who: `case${index}`, said: 'You said 5 things.' },
    });
  }
  expect(new Set(inferences.map(({ sessionId }) => sessionId)).size).toBe(50);
}

describe('50 concurrent cases', () => {
  it('have separate sessions with one agent, and none closes the toolset while another uses it', async () => {
    const toolset = new DoorToolset({ slow: true });
    expectOwn(await runAll(doorkeeper(toolset)));
    expect(toolset.calls).toBe(50);
  });

  it('are not affected by a toolset that closes itself', async () => {
    const toolset = new DoorToolset({ leaves: true });
    expectOwn(await runAll(doorkeeper(toolset)));
    expect(toolset.calls).toBe(50);
  });

  it('each get their own agent and toolset if a function creates them, closed once after the session', async () => {
    const toolsets: DoorToolset[] = [];
    const made = async () => {
      const toolset = new DoorToolset({ slow: true });
      toolsets.push(toolset);
      return doorkeeper(toolset);
    };
    expectOwn(await runAll(made));
    expect(toolsets.map(({ calls, closed }) => [calls, closed])).toEqual(toolsets.map(() => [1, 1]));
    expect(toolsets).toHaveLength(50);
  });
});

describe('an ADK toolset', () => {
  it('shared by sessions is closed soon after the last one, and is restored when needed', async () => {
    const toolset = new DoorToolset();
    const agent = adkAgent(doorkeeper(toolset));
    const open = await openWith(agent);
    await converse(agent, ['Open it', 'Open it again']);
    expect(toolset.closed).toBe(0);
    await converse(agent, ['Open it']);
    await open.close();
    await open.close();
    expect(toolset.closed).toBe(0);
    await expect.poll(() => toolset.closed, { timeout: 10_000 }).toBe(1);
    expect(Object.hasOwn(toolset, 'close')).toBe(false);
  });

  it('stays open if a new session takes it over in time', async () => {
    const toolset = new DoorToolset();
    const agent = adkAgent(doorkeeper(toolset));
    await converse(agent, ['Open it']);
    const next = await openWith(agent);
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(toolset.closed).toBe(0);
    await next.close();
    await expect.poll(() => toolset.closed, { timeout: 10_000 }).toBe(1);
  });

  it('stays open if it was never used', async () => {
    const toolset = new DoorToolset();
    await openWith(adkAgent(doorkeeper(toolset))).then((session) => session.close());
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(toolset.closed).toBe(0);
  });

  it('created by a function is closed even if the session does not open', async () => {
    const toolset = new DoorToolset();
    const agent = adkAgent(() => doorkeeper(toolset));
    await expect(openWith(agent, {}, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
    expect(toolset.closed).toBe(1);
  });

  it('that fails to close does not break a conversation', async () => {
    const toolset = new DoorToolset();
    let asked = 0;
    const close = async () => {
      asked += 1;
      throw new Error('it is stuck');
    };
    toolset.close = close;
    const [turn] = await converse(adkAgent(doorkeeper(toolset)), ['Open it']);
    expect(turn?.error).toBeUndefined();
    await expect.poll(() => asked, { timeout: 10_000 }).toBe(1);
    expect(toolset.close).toBe(close);
    const [again] = await converse(adkAgent(doorkeeper(toolset)), ['Open it']);
    expect(again?.error).toBeUndefined();
  });

  it('that is closing delays the next session', async () => {
    const toolset = new DoorToolset();
    let isClosing = false;
    const ending = deferred();
    toolset.close = async () => {
      isClosing = true;
      await ending.promise;
    };
    const agent = adkAgent(doorkeeper(toolset));
    await converse(agent, ['Open it']);
    await expect.poll(() => isClosing, { timeout: 10_000 }).toBe(true);
    let isOpen = false;
    const opening = openWith(agent).then(() => {
      isOpen = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isOpen).toBe(false);
    ending.resolve();
    await opening;
  });
});
