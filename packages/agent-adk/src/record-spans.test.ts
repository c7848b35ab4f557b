import { describe, expect, it } from 'vitest';
import type { AdkNode, CallbackContext } from './adk-shapes.ts';
import { recordSpans } from './record-spans.ts';

function contextOf(agent: Partial<AdkNode>, invocationId = 'turn'): CallbackContext {
  return { invocationContext: { invocationId, agent: agent as AdkNode }, actions: {} } as CallbackContext;
}

const error = (message: string) => ({ code: 'AGENT_FAILED', message }) as const;

describe('recordSpans()', () => {
  it('numbers the spans of a turn and leaves out model calls that were never made', () => {
    const recorder = recordSpans(1);
    recorder.modelStarted(contextOf({ name: 'root' }), {});
    expect(recorder.end(true).spans.map(({ id, kind, turn }) => [id, kind, turn])).toEqual([
      ['2.1', 'agent', 1],
      ['2.2', 'model', 1],
    ]);
    expect(recorder.end(false).spans.map(({ id }) => id)).toEqual(['2.1']);
  });

  it('nests an agent in its nearest active parent, or in the tool that runs it', () => {
    const recorder = recordSpans(1);
    const root = contextOf({ name: 'root' });
    recorder.modelStarted(root, {});
    const above = { name: 'middle', parentAgent: { name: 'root' } } as AdkNode;
    recorder.modelStarted(contextOf({ name: 'leaf', parentAgent: above }), {});
    recorder.toolStarted(root, 'ask', {});
    recorder.nested('inner', root);
    recorder.modelStarted(contextOf({ name: 'other' }, 'inner'), {});
    recorder.modelStarted(contextOf({ name: 'root' }), {});
    const { spans } = recorder.end(true);
    const tool = spans.find(({ kind }) => kind === 'tool');
    const agents = spans.filter(({ kind }) => kind === 'agent').map(({ name, parentId }) => [name, parentId]);
    expect(agents).toEqual([
      ['root', undefined],
      ['leaf', '2.1'],
      ['other', tool?.id],
    ]);
  });

  it('gives a workflow a span of its own, above its nodes and for as long as the turn', () => {
    const recorder = recordSpans(0, 'flow');
    recorder.toolStarted(contextOf({ name: 'flow' }), 'measure', {});
    const step = contextOf({ name: 'step' });
    recorder.toolStarted(step, 'ask', {});
    recorder.nested('inner', step);
    recorder.modelStarted(contextOf({ name: 'flow' }, 'inner'), {});
    const { spans } = recorder.end(false);
    expect(spans.map(({ id, name, parentId }) => [id, name, parentId])).toEqual([
      ['1.1', 'flow', undefined],
      ['1.2', 'measure', '1.1'],
      ['1.3', 'step', '1.1'],
      ['1.4', 'ask', '1.3'],
      ['1.5', 'flow', '1.4'],
    ]);
    expect(spans[0]?.endedAt).toBeTypeOf('number');
    expect(recordSpans(0, 'flow').end(true).spans[0]?.endedAt).toBeUndefined();
  });

  it('describes a model call, including its usage, once its complete answer arrives', () => {
    const recorder = recordSpans(1);
    const context = contextOf({ name: 'root' });
    recorder.modelStarted(context, { model: 'm', contents: ['hi'] });
    recorder.modelAnswered(context, { partial: true, content: 'a pie' });
    recorder.modelAnswered(context, { content: 'a piece', usageMetadata: { totalTokenCount: 3 } });
    recorder.modelFailed(context, error('afterwards'));
    const { spans, modelCalls, agentDetails } = recorder.end(false);
    expect(modelCalls).toBe(1);
    expect(Object.keys(agentDetails)).toEqual(['root']);
    expect(spans[1]).toMatchObject({
      kind: 'model',
      name: 'm',
      parentId: '2.1',
      request: { contents: ['hi'] },
      response: { content: 'a piece' },
      usage: { totalTokenCount: 3 },
    });
    expect(spans[1]?.error).toBeUndefined();
  });

  it.each([
    [true, 1],
    [false, 0],
  ])('counts a model call in flight only if the turn was stopped (%s): %d', (cut, count) => {
    const recorder = recordSpans(1);
    recorder.modelStarted(contextOf({ name: 'root' }), {});
    expect(recorder.end(cut).modelCalls).toBe(count);
  });

  it('does not count a model call rejected by the call limit', () => {
    const recorder = recordSpans(1);
    const context = contextOf({ name: 'root' });
    recorder.modelStarted(context, {});
    recorder.modelFailed(context, error('Max number of llm calls limit of 1 exceeded'));
    expect(recorder.end(true).modelCalls).toBe(0);
  });

  it('nests a tool call in the model call that requested it, and records its error rather than its result', () => {
    const recorder = recordSpans(1);
    const context = contextOf({ name: 'root' });
    recorder.modelStarted(context, {});
    recorder.toolStarted(context, 'find', { id: 7 });
    recorder.toolFailed(context, error('not there'));
    recorder.toolEnded(context, { some: 'result' });
    const tool = recorder.end(true).spans[2];
    expect(tool).toMatchObject({ kind: 'tool', parentId: '2.2', request: { id: 7 }, error: { message: 'not there' } });
    expect(tool?.response).toBeUndefined();
  });

  it("records requests without their headers, and the agent's instructions", () => {
    const recorder = recordSpans(1);
    const context = contextOf({ name: 'root' });
    const config = {
      httpOptions: { headers: { authorization: 'secret' } },
      systemInstruction: { parts: [{ text: 'Be kind.' }] },
    };
    recorder.modelStarted(context, { model: 'm', config });
    recorder.modelAnswered(context, {});
    const { spans, agentDetails } = recorder.end(false);
    expect(JSON.stringify(spans[1]?.request)).not.toContain('secret');
    expect(agentDetails).toEqual({ root: { name: 'root', instructions: 'Be kind.', toolDeclarations: [] } });
  });
});
