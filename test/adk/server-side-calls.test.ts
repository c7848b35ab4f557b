import { adkAgent } from '@agent-criteria/agent-adk/pure';
import { allToolSteps, contentText, type EvalSet, type Invocation } from '@agent-criteria/core';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import { judgeContext } from '@agent-criteria/judge';
import { evaluate } from '@agent-criteria/runner';
import {
  BaseAgent,
  BuiltInCodeExecutor,
  createEvent,
  type Event,
  GOOGLE_SEARCH,
  type InvocationContext,
  LlmAgent,
  type LlmResponse,
  URL_CONTEXT,
} from '@google/adk';
import { Language, Outcome } from '@google/genai';
import { describe, expect, it } from 'vitest';
import { gemini } from './fixtures/gemini.ts';
import { ScriptedModel } from './fixtures/scripted-model.ts';
import { converse } from './fixtures/sessions.ts';

const model = 'gemini-2.5-flash';
const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };

/** Starts a service of Gemini that always answers with this candidate. */
const serves = (candidate: object) =>
  gemini({
    answer: () => ({
      status: 200,
      body: { candidates: [{ finishReason: 'STOP', index: 0, ...candidate }], usageMetadata, modelVersion: model },
    }),
  });

function judged(actual: Invocation) {
  return judgeContext({ index: 0, actual }, { turns: [{ index: 0, actual, expected: null, rubrics: [] }] });
}

const shown = (invocation: Invocation) =>
  allToolSteps(invocation).map(({ call, response }) => [call.name, call.args, response?.response]);

describe("calls that Gemini's service makes itself, through ADK's own client,", () => {
  const groundingMetadata = {
    webSearchQueries: ['tides Bergen'],
    groundingChunks: [{ web: { uri: 'https://tides.example', title: 'tides.example' } }],
    groundingSupports: [{ segment: { endIndex: 4, text: 'High' }, groundingChunkIndices: [0] }],
  };

  it('are searches, with their grounding in the turn, its trace and what judges see', async () => {
    const server = await serves({ content: { role: 'model', parts: [{ text: 'High at noon.' }] }, groundingMetadata });
    const agent = () => adkAgent(new LlmAgent({ name: 'desk', model, tools: [GOOGLE_SEARCH] }));
    const [turn] = await converse(agent(), ['When is high tide?']);
    const { invocation, trace } = turn!;
    expect(server.requests[0]?.body).toMatchObject({ tools: [{ googleSearch: {} }] });
    expect(shown(invocation)).toEqual([['google_search', { queries: ['tides Bergen'] }, undefined]]);
    expect(trace?.find(({ kind }) => kind === 'model')?.response).toMatchObject({ groundingMetadata });
    const context = judged(invocation);
    expect(JSON.parse(context.grounding)).toMatchObject([{ author: 'desk', groundingMetadata }]);
    expect(context.toolSteps).toContain('tides Bergen');

    const evalSet: EvalSet = {
      evalSetId: 'tides',
      evalCases: [
        {
          evalId: 'high',
          conversation: [
            {
              userContent: { role: 'user', parts: [{ text: 'When is high tide?' }] },
              intermediateData: { toolUses: [{ name: 'google_search', args: {} }] },
            },
          ],
        },
      ],
    };
    const verdictWith = async (includes: boolean) => {
      const options = { threshold: 1, include_server_side_calls: includes, ignore_args: true };
      const config = { plugins: [toolTrajectory], criteria: { tool_trajectory_avg_score: options } };
      return (await evaluate({ agent: agent(), evalSet, config })).verdict;
    };
    expect([await verdictWith(true), await verdictWith(false)]).toEqual(['passed', 'failed']);
  });

  it('are code that it runs, with the output as the result', async () => {
    const parts = [
      { text: 'I compute.' },
      { executableCode: { language: 'PYTHON', code: 'print(6 * 7)' } },
      { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '42\n' } },
      { text: 'It is 42.' },
    ];
    await serves({ content: { role: 'model', parts } });
    const agent = new LlmAgent({ name: 'desk', model, codeExecutor: new BuiltInCodeExecutor() });
    const [turn] = await converse(adkAgent(agent), ['What is 6 times 7?']);
    const { invocation, trace } = turn!;
    expect(shown(invocation)).toEqual([
      ['code_execution', { language: 'PYTHON', code: 'print(6 * 7)' }, { outcome: 'OUTCOME_OK', output: '42\n' }],
    ]);
    expect(trace?.find(({ kind }) => kind === 'model')?.response).toMatchObject({ content: { parts } });
    expect(JSON.parse(judged(invocation).toolSteps)).toMatchObject([{ result: { output: '42\n' } }]);
  });

  it('are pages, of which the client of ADK 2.0 passes on the sources alone', async () => {
    const server = await serves({
      content: { role: 'model', parts: [{ text: 'It opens at nine.' }] },
      urlContextMetadata: { urlMetadata: [{ retrievedUrl: 'https://tides.example' }] },
      groundingMetadata: { groundingChunks: groundingMetadata.groundingChunks },
    });
    const agent = new LlmAgent({ name: 'desk', model, tools: [URL_CONTEXT] });
    const [turn] = await converse(adkAgent(agent), ['Read https://tides.example']);
    expect(server.requests[0]?.body).toMatchObject({ tools: [{ urlContext: {} }] });
    expect(shown(turn!.invocation)).toEqual([]);
    expect(judged(turn!.invocation).grounding).toContain('https://tides.example');
  });
});

it('pages that a model of ADK reports as URL context are a call with what became of them', async () => {
  const urlContextMetadata = {
    urlMetadata: [{ retrievedUrl: 'https://a.example', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_SUCCESS' }],
  };
  const answer = { content: { role: 'model', parts: [{ text: 'Done.' }] }, usageMetadata, urlContextMetadata };
  const agent = new LlmAgent({ name: 'desk', model: new ScriptedModel([answer as LlmResponse]) });
  const [turn, next] = await converse(adkAgent(agent), ['Read https://a.example', 'Thanks.']);
  const { invocation, trace } = turn!;
  expect(shown(invocation)).toEqual([['url_context', { urls: ['https://a.example'] }, urlContextMetadata]]);
  expect(trace?.find(({ kind }) => kind === 'model')?.response).toMatchObject({ urlContextMetadata });
  expect(judged(invocation).events).toContain('calls url_context({');
  expect(contentText(next?.invocation.finalResponse)).toBe('Done.');
});

it("code that ADK's own executors run is a call with its output, in the events that they write", async () => {
  class Computing extends BaseAgent {
    protected override async *runAsyncImpl({ invocationId }: InvocationContext): AsyncGenerator<Event, void> {
      const parts = [
        { text: 'print(6 * 7)', executableCode: { language: Language.PYTHON, code: 'print(6 * 7)' } },
        { text: '42', codeExecutionResult: { outcome: Outcome.OUTCOME_OK } },
        { text: 'It is 42.' },
      ];
      for (const part of parts) {
        yield createEvent({ invocationId, author: this.name, content: { role: 'model', parts: [part] } });
      }
    }
    protected override async *runLiveImpl(): AsyncGenerator<Event, void> {}
  }
  const [turn] = await converse(adkAgent(new Computing({ name: 'desk' })), ['What is 6 times 7?']);
  const { invocation } = turn!;
  expect(contentText(invocation.finalResponse)).toBe('It is 42.');
  expect(shown(invocation)).toEqual([
    ['code_execution', { language: 'PYTHON', code: 'print(6 * 7)' }, { outcome: 'OUTCOME_OK', output: '42' }],
  ]);
});
