import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Change, changesInside, compareValues, isSameJson } from './json-diff.ts';

const json = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, 0, 1, 'a', 'b', ''),
    fc.array(tie('any'), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.constantFrom('a', 'b', '__proto__', 'constructor', 'length'), tie('any')), { maxLength: 3 })
      .map((entries) => Object.fromEntries(entries)),
  ),
})).any;

/** Restores one side of a change. */
function side(change: Change, which: 'before' | 'after'): unknown[] {
  switch (change.kind) {
    case 'same':
      return [change.value];
    case 'removed':
      return which === 'before' ? [change.value] : [];
    case 'added':
      return which === 'after' ? [change.value] : [];
    case 'changed':
      return [change[which]];
    case 'inside': {
      const inner = changesInside(change.before, change.after);
      if (Array.isArray(change[which])) return [inner.flatMap((each) => side(each, which))];
      return [Object.fromEntries(inner.flatMap((each) => side(each, which).map((value) => [each.key, value])))];
    }
  }
}

describe('JSON diff', () => {
  it('compareValues() and changesInside() preserve both values', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        const change = compareValues(before, after);
        expect(isSameJson(side(change, 'before')[0], before)).toBe(true);
        expect(isSameJson(side(change, 'after')[0], after)).toBe(true);
        expect(change.kind === 'same').toBe(isSameJson(before, after));
      }),
    );
  });

  it('isSameJson() ignores key order and prototypes', () => {
    expect(isSameJson({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true);
    expect(isSameJson([1, 2], [2, 1])).toBe(false);
    expect(isSameJson({}, [])).toBe(false);
    expect(isSameJson(JSON.parse('{"__proto__":{}}'), { x: 1 })).toBe(false);
    expect(isSameJson(JSON.parse('{"toString":1}'), {})).toBe(false);
    expect(isSameJson(null, {})).toBe(false);
  });

  it('changesInside() returns additions last', () => {
    expect(changesInside({ a: 1, b: 2 }, { c: 3, b: '2' })).toEqual([
      { kind: 'removed', key: 'a', value: 1 },
      { kind: 'changed', key: 'b', before: 2, after: '2' },
      { kind: 'added', key: 'c', value: 3 },
    ]);
  });
});
