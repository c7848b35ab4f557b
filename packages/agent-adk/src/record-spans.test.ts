import { expect, it } from 'vitest';
import type { AdkNode, CallbackContext } from './adk-shapes.ts';
import { openAgentSpans } from './agent-spans.ts';
import { openModelSpans } from './model-spans.ts';
import { detailsOf, shownRequest } from './request-details.ts';
import { showValues } from './show-values.ts';
import { openSpanList } from './span-list.ts';
import { openToolSpans } from './tool-spans.ts';

const none = new Set<never>();

function contextOf(agent: Partial<AdkNode>, invocationId = 'turn'): CallbackContext {
  return { invocationContext: { invocationId, agent: agent as AdkNode }, actions: {} } as CallbackContext;
}

function opened() {
  const spans = openSpanList(1);
  const agents = openAgentSpans(spans);
  const models = openModelSpans(spans, agents, showValues());
  return { spans, agents, models, tools: openToolSpans(spans, agents, models, showValues()) };
}

it('numbers the spans of a turn, and leaves out those that are dropped', () => {
  const spans = openSpanList(1);
  const [first, second] = ['a', 'b'].map((name) => spans.start({ kind: 'agent', name }));
  expect(spans.without(none).map(({ id, turn }) => [id, turn])).toEqual([
    ['2.1', 1],
    ['2.2', 1],
  ]);
  expect(first === undefined ? [] : spans.without(new Set([first]))).toEqual([second]);
});

it('puts an agent into the nearest one above that did something, or into the tool that runs it', () => {
  const { spans, agents } = opened();
  const root = agents.of(contextOf({ name: 'root' }));
  const above = { name: 'middle', parentAgent: { name: 'root' } } as AdkNode;
  expect(agents.of(contextOf({ name: 'leaf', parentAgent: above })).parentId).toBe(root.id);
  const tool = spans.start({ kind: 'tool', name: 'ask' });
  agents.nest('inner', tool);
  expect(agents.of(contextOf({ name: 'other' }, 'inner')).parentId).toBe(tool.id);
  expect(agents.of(contextOf({ name: 'root' }))).toBe(root);
});

it('describes a model call when it is answered, and takes its usage', () => {
  const { spans, models } = opened();
  const context = contextOf({ name: 'root' });
  models.started(context, { model: 'm', contents: ['hi'] });
  models.answered(context, { partial: true, content: 'a pie' });
  models.answered(context, { content: 'a piece', usageMetadata: { totalTokenCount: 3 } });
  models.failed(context, { code: 'AGENT_FAILED', message: 'afterwards' });
  const { made, agentDetails } = models.end(false);
  expect(made).toBe(1);
  expect(Object.keys(agentDetails)).toEqual(['root']);
  expect(spans.without(none)[1]).toMatchObject({
    kind: 'model',
    name: 'm',
    parentId: '2.1',
    request: { contents: ['hi'] },
    response: { content: 'a piece' },
    usage: { totalTokenCount: 3 },
  });
  expect(spans.without(none)[1]?.error).toBeUndefined();
});

it.each([
  [true, 1],
  [false, 0],
])('counts a call that is still under way when the turn was stopped (%s): %d', (cut, count) => {
  const { models } = opened();
  models.started(contextOf({ name: 'root' }), {});
  const { made, dropped } = models.end(cut);
  expect([made, dropped.size]).toEqual([count, 1 - count]);
});

it('counts no call beyond the limit of calls', () => {
  const { models } = opened();
  const context = contextOf({ name: 'root' });
  models.started(context, {});
  models.failed(context, { code: 'AGENT_FAILED', message: 'Max number of llm calls limit of 1 exceeded' });
  expect(models.end(true).made).toBe(0);
});

it('puts a tool call into the model call that asked for it', () => {
  const { spans, models, tools } = opened();
  const context = contextOf({ name: 'root' });
  models.started(context, {});
  tools.started(context, 'find', { id: 7 });
  tools.failed(context, { code: 'AGENT_FAILED', message: 'not there' });
  tools.ended(context, { some: 'result' });
  expect(tools.of(context)).toBe(spans.without(none)[2]);
  expect(tools.of(context)).toMatchObject({ parentId: '2.2', request: { id: 7 }, error: { message: 'not there' } });
  expect(tools.of(context)?.response).toBeUndefined();
});

it('shows less and less, so that a long turn stays small', () => {
  const show = showValues(100);
  expect(show('a'.repeat(50))).toBe('a'.repeat(50));
  expect(JSON.stringify(show('b'.repeat(200))).length).toBeLessThan(200);
});

it('shows requests without what may hold secrets', () => {
  const config = {
    httpOptions: { headers: { authorization: 'secret' } },
    systemInstruction: { parts: [{ text: 'Be kind.' }] },
  };
  expect(JSON.stringify(shownRequest({ model: 'm', config }))).not.toContain('secret');
  expect(detailsOf('root', { config })).toEqual({ name: 'root', instructions: 'Be kind.', toolDeclarations: [] });
});
