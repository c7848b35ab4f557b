import { contentText, intermediateTexts, toolSteps } from '@agent-criteria/core';
import { agentChecks } from '@agent-criteria/core/testing';
import { agentFromFunction } from '@agent-criteria/runner';
import { AIMessage } from '@langchain/core/messages';
import { type StructuredToolInterface, tool } from '@langchain/core/tools';
import { Annotation, interrupt, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent } from 'langchain';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { converse } from '../ai-sdk/fixtures/sessions.ts';
import { checkedModel, useModel } from './fixtures/model.ts';
import { adapterOf } from './fixtures/pages.ts';

let underTest: Awaited<ReturnType<typeof adapterOf<object>>>;
beforeAll(async () => {
  underTest = await adapterOf('langgraph');
});

useModel(checkedModel);

const roll = tool(async () => ({ value: 4 }), {
  name: 'roll',
  description: 'Rolls a die.',
  schema: z.object({ sides: z.number() }),
});
const broken = tool(
  async (): Promise<string> => {
    throw new Error('out of order');
  },
  { name: 'broken', description: 'Fails.', schema: z.object({}) },
);
const wait = tool(async () => String(interrupt('May I?')), {
  name: 'roll',
  description: 'Rolls a die, if allowed.',
  schema: z.object({ sides: z.number() }),
});

function dice({
  tools = [roll, broken],
  checkpointer,
}: {
  tools?: StructuredToolInterface[];
  checkpointer?: MemorySaver;
} = {}) {
  const model = new ChatOpenAI({ model: 'gpt-6-luna', maxRetries: 0 }).bindTools(tools);
  const State = Annotation.Root({ ...MessagesAnnotation.spec, rolls: Annotation<number>() });
  return new StateGraph(State)
    .addNode('agent', async ({ messages, rolls }, { signal }) => ({
      messages: [await model.invoke(messages, { signal })],
      rolls: (rolls ?? 0) + 1,
    }))
    .addNode('tools', new ToolNode(tools))
    .addEdge(START, 'agent')
    .addConditionalEdges('agent', toolsCondition)
    .addEdge('tools', 'agent')
    .compile(checkpointer ? { checkpointer } : {});
}

describe('a LangGraph agent', () => {
  it.each(
    agentChecks({
      agent: () => agentFromFunction(underTest(dice())),
      answer: { message: 'Hi', text: 'Hello.' },
      call: { message: 'Roll.', call: { name: 'roll', args: { sides: 6 } }, response: { value: 4 } },
      failedCall: { message: 'Break.', name: 'broken', error: 'out of order' },
      usage: { message: 'Roll.', modelCalls: 2 },
      trace: { notSupported: 'a function reports no times' },
      memory: { tell: 'I am Ada.', ask: 'Who am I?', text: 'Ada' },
      history: 'supported',
      state: { initial: { rolls: 1, nested: { a: [1] } }, message: 'Hi', after: { rolls: 2 } },
      endless: { message: 'Wait.' },
      failure: { message: 'Fail.', error: 'no such model' },
      stub: { notSupported: 'a function calls its tools itself' },
    }),
  )('$name', ({ check }) => check());

  it('remembers the calls of earlier turns with their results, with a checkpointer, too', async () => {
    const agent = agentFromFunction(underTest(dice({ checkpointer: new MemorySaver() })));
    const turns = await converse(agent, ['Roll.', 'Count the results.']);
    expect(turns.map(({ invocation }) => contentText(invocation.finalResponse))).toEqual([
      'I got {"value":4}',
      '1 results',
    ]);
    expect(turns.map(({ invocation }) => toolSteps(invocation).length)).toEqual([1, 0]);
  });

  it('ends a turn whose graph is interrupted as an error', async () => {
    const agent = agentFromFunction(underTest(dice({ tools: [wait], checkpointer: new MemorySaver() })));
    await expect(converse(agent, ['Roll.'])).rejects.toThrow('waits for a person');
  });

  it('may be one that createAgent of langchain made', async () => {
    const model = new ChatOpenAI({ model: 'gpt-6-luna' });
    const agent = agentFromFunction(underTest(createAgent({ model, tools: [roll, broken] })));
    const turns = await converse(agent, ['Roll.', 'Break.', 'Count the results.']);
    expect(turns.map(({ invocation }) => toolSteps(invocation).map(({ response }) => response?.response))).toEqual([
      [{ value: 4 }],
      [{ error: expect.stringContaining('out of order') }],
      [],
    ]);
    expect(contentText(turns.at(-1)?.invocation.finalResponse)).toBe('2 results');
  });

  it('ends a turn of too many steps as an error', async () => {
    await expect(converse(agentFromFunction(underTest(dice())), ['Go on.'])).rejects.toThrow('Recursion limit of');
  });

  it('keeps the texts and calls of a named agent under its name', async () => {
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('scout', () => ({ messages: [new AIMessage({ content: 'I look.', name: 'scout' })] }))
      .addNode('desk', () => ({ messages: [new AIMessage('Done.')] }))
      .addEdge(START, 'scout')
      .addEdge('scout', 'desk')
      .compile();
    const [turn] = await converse(agentFromFunction(underTest(graph)), ['Look.']);
    expect(turn && intermediateTexts(turn.invocation)).toEqual([{ author: 'scout', text: 'I look.' }]);
    expect(contentText(turn?.invocation.finalResponse)).toBe('Done.');
  });
});
