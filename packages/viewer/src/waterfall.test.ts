import type { Invocation, Span } from '@agent-criteria/core';
import { describe, expect, it } from 'vitest';
import { waterfall } from './waterfall.ts';

const span = (id: string, startedAt: number, endedAt: number | undefined, more: Partial<Span> = {}): Span => ({
  id,
  kind: 'other',
  name: id,
  turn: 3,
  startedAt,
  endedAt,
  ...more,
});
const lines = (...spans: Span[]) =>
  waterfall(spans, undefined).rows.map((row) => `${'  '.repeat(row.depth)}${row.span.id}`);

describe('waterfall()', () => {
  it('places spans below their parents, sorted by start time', () => {
    expect(
      lines(
        span('tool', 50, 60, { parentId: 'agent' }),
        span('agent', 0, 100),
        span('inner', 55, 56, { parentId: 'tool' }),
        span('model', 10, 40, { parentId: 'agent' }),
        span('later', 70, 80),
      ),
    ).toEqual(['agent', '  model', '  tool', '    inner', 'later']);
  });

  it('keeps every span, even if its parent is unknown or part of a cycle', () => {
    const odd = lines(
      span('a', 0, 1, { parentId: 'b' }),
      span('b', 0, 1, { parentId: 'a' }),
      span('self', 2, 3, { parentId: 'self' }),
      span('orphan', 4, 5, { parentId: 'nothing' }),
      span('orphan', 6, 7),
    );
    expect([...odd].sort()).toEqual(['a', 'b', 'orphan', 'orphan', 'self']);
    const deep = Array.from({ length: 20_000 }, (_, place) =>
      span(`${place}`, place, undefined, { parentId: `${place - 1}` }),
    );
    expect(waterfall(deep, undefined).rows).toHaveLength(20_000);
  });

  it('counts calls and errors, and takes tokens from spans or events, but never from both', () => {
    const usage = { promptTokenCount: 400, candidatesTokenCount: 30 };
    const events: Invocation = {
      userContent: {},
      intermediateData: { invocationEvents: [{ author: 'desk', usageMetadata: usage }] },
    };
    const model = span('m', 10, 40, { kind: 'model', usage });
    const tool = span('t', 50, undefined, { kind: 'tool', error: { code: 'AGENT_FAILED', message: 'no' } });
    const known = { inputTokens: 400, cachedInputTokens: 0, outputTokens: 30, reasoningTokens: 0 };
    expect(waterfall([model, tool], events)).toMatchObject({
      start: 10,
      length: 40,
      models: 1,
      tools: 1,
      errors: 1,
      tokens: known,
    });
    // A remote agent reports spans only for tools, and tokens only in its events.
    expect(waterfall([tool], events)).toMatchObject({ models: 0, length: null, tokens: known });
    expect(waterfall([tool], undefined).tokens).toBeNull();
  });
});
