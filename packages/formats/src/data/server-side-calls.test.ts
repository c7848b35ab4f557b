import { describe, expect, it } from 'vitest';
import type { Invocation, InvocationEvent, Part } from './model.ts';
import { allToolSteps } from './server-side-calls.ts';

const userContent = { parts: [{ text: 'Hello' }] };
const search = { name: 'google_search', args: { queries: ['tides'] } };
const searched = { toolCall: { id: 's', toolType: 'GOOGLE_SEARCH_WEB', args: { queries: ['tides'] } } };
const ran = { executableCode: { language: 'PYTHON', code: 'print(1)' } };
const roll = { name: 'roll', args: {} };

const serverSideSteps = (...invocationEvents: readonly Omit<InvocationEvent, 'author'>[]) => {
  const steps = invocationEvents.map((event) => ({ author: 'a', ...event }));
  const answer = { parts: [{ text: 'Done.' }] };
  return allToolSteps({ userContent, finalResponse: answer, intermediateData: { invocationEvents: steps } });
};
const serverSideCalls = (message: Omit<InvocationEvent, 'author'>) => serverSideSteps(message).map(({ call }) => call);
const allToolCalls = (invocation: Invocation) => allToolSteps(invocation).map(({ call }) => call);

describe('a call of a service', () => {
  it.each<[string, unknown, unknown]>([
    ['web searches', { webSearchQueries: ['a', 'b'] }, [{ name: 'google_search', args: { queries: ['a', 'b'] } }]],
    ['web searches as Python spells them', { web_search_queries: ['tides'] }, [search]],
    ['searches for images', { imageSearchQueries: ['tides'] }, [search]],
    ['retrievals', { retrievalQueries: ['a'] }, [{ name: 'retrieval', args: { queries: ['a'] } }]],
    ['maps', { groundingChunks: [{ maps: { uri: 'https://maps' } }] }, [{ name: 'google_maps', args: {} }]],
    ['no call for sources alone', { groundingChunks: [{ web: { uri: 'https://a' } }] }, []],
    ['no call for an empty list', { webSearchQueries: [] }, []],
    ['no call for metadata in another form', { webSearchQueries: 'tides', groundingChunks: [null] }, []],
    ['no call for a list', ['tides'], []],
    ['no call without metadata', null, []],
  ])('is read from grounding metadata: %s', (_what, groundingMetadata, calls) => {
    expect(serverSideCalls({ content: null, groundingMetadata })).toEqual(calls);
  });

  it('is read from code that was run and from the tools of the service, by the names that these have in requests', () => {
    const parts = [
      ran,
      { toolCall: { toolType: 'URL_CONTEXT' } },
      { toolCall: { tool_type: 'FILE_SEARCH', args: [] } },
    ];
    expect(serverSideCalls({ content: { parts } })).toEqual([
      { name: 'code_execution', args: { language: 'PYTHON', code: 'print(1)' } },
      { name: 'url_context', args: {} },
      { name: 'file_search', args: {} },
    ]);
  });

  it.each<[string, Part]>([
    ['no type', { toolCall: {} }],
    ['a type that is no text', { toolCall: { toolType: 1 } }],
    ['another form', { toolCall: 'URL_CONTEXT' }],
    ['no code', { executableCode: { code: '' } }],
  ])('is not read from a part with %s', (_what, part) => {
    expect(serverSideCalls({ content: { parts: [part] } })).toEqual([]);
  });

  it('may have a type that is a key of every object', () => {
    expect(serverSideCalls({ content: { parts: [{ toolCall: { toolType: 'constructor' } }] } })).toEqual([
      { name: 'constructor', args: {} },
    ]);
  });

  it('has the result that comes after it, also in another message', () => {
    const again = { executableCode: { id: 'b', code: 'print(2)' } };
    const messages = [
      { content: { parts: [ran, { executableCode: { id: 'c', code: 'print(3)' } }] } },
      { content: { parts: [{ codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } }] } },
      { content: { parts: [again, { codeExecutionResult: { id: 'c', output: '3' } }] } },
      { content: { parts: [{ codeExecutionResult: { id: 'b', outcome: 'OUTCOME_FAILED' } }] } },
      { content: { parts: [searched, { toolResponse: { toolType: 'URL_CONTEXT', response: 'x' } }] } },
      { content: { parts: [{ toolResponse: { id: 's', toolType: 'GOOGLE_SEARCH_WEB' } }] } },
    ];
    expect(serverSideSteps(...messages).map(({ call, response }) => [call.name, response?.response])).toEqual([
      ['code_execution', { outcome: 'OUTCOME_OK', output: '1' }],
      ['code_execution', { output: '3' }],
      ['code_execution', { outcome: 'OUTCOME_FAILED', output: '' }],
      ['google_search', {}],
    ]);
  });

  it('never has a result that came before it', () => {
    const before = { codeExecutionResult: { output: '1' } };
    expect(serverSideSteps({ content: { parts: [before, ran] } })[0]?.response).toBeNull();
  });

  it('is listed once if both the parts and the grounding metadata of an answer report it', () => {
    expect(
      serverSideCalls({ content: { parts: [searched] }, groundingMetadata: { webSearchQueries: ['tides'] } }),
    ).toEqual([search]);
  });
});

describe('allToolSteps()', () => {
  const turn = (invocationEvents: InvocationEvent[], parts: Part[] = [{ text: 'Done.' }]): Invocation => ({
    userContent,
    finalResponse: { parts },
    intermediateData: { invocationEvents },
  });
  const called: InvocationEvent = { author: 'a', content: { parts: [{ functionCall: roll }] } };

  it('have results, and tell the calls of services from those that models asked for', () => {
    const answered = { functionResponse: { name: 'roll', response: { value: 4 } } };
    const result = { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } };
    const steps = [called, { author: 'a', content: { parts: [answered] } }, { author: 'a', content: { parts: [ran] } }];
    const shown = allToolSteps(turn(steps, [result, { text: 'Done.' }])).map((step) => [
      step.call.name,
      step.isServerSide,
      step.response?.response,
    ]);
    expect(shown).toEqual([
      ['roll', false, { value: 4 }],
      ['code_execution', true, { outcome: 'OUTCOME_OK', output: '1' }],
    ]);
  });

  it('lists calls of models and of their services in order', () => {
    const steps = [{ author: 'a', content: { parts: [ran] } }, called];
    const names = allToolCalls(turn(steps, [searched, { text: 'Done.' }])).map(({ name }) => name);
    expect(names).toEqual(['code_execution', 'roll', 'google_search']);
  });

  it('counts a search once whose grounding metadata is in the last step and whose part is in the answer', () => {
    const last = { author: 'a', content: null, groundingMetadata: { webSearchQueries: ['tides'] } };
    expect(allToolCalls(turn([called, last], [searched, { text: 'Done.' }]))).toEqual([roll, search]);
  });

  it('counts the calls of an answer once that is also a step', () => {
    const parts = [searched, { functionCall: roll }];
    expect(allToolCalls(turn([{ author: 'a', content: { parts } }], parts))).toEqual([search, roll]);
  });

  it.each([null, { toolUses: [roll] }, {}])('lists the calls of a turn with the steps %j', (intermediateData) => {
    const calls = allToolCalls({ userContent, intermediateData, finalResponse: { parts: [searched] } });
    expect(calls).toEqual([...(intermediateData?.toolUses ?? []), search]);
  });
});
