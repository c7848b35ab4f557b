import type { FunctionCall, Json, Score, ToolStep } from '@agent-criteria/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { alignCalls, isSameCall } from './align-calls.ts';

const call = (name: string, ...[n]: number[]): FunctionCall => (n === undefined ? { name } : { name, args: { n } });
const steps = (...calls: FunctionCall[]): ToolStep[] => calls.map((each) => ({ call: each, response: null }));
const diff = (expected: Json, actual: Json): Score => ({
  value: 0,
  evidence: [
    { kind: 'note', text: '' },
    { kind: 'diff', expected, actual },
  ],
});
const shown = (expected: FunctionCall[], made: ToolStep[], scores: Score[] = []) =>
  alignCalls(expected, made, scores).rows.map((row) => [row.expected, row.made?.call ?? null]);

describe('alignCalls() and isSameCall()', () => {
  it('place every call in exactly one row, in order unless evidence changes it', () => {
    const calls = fc.array(
      fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(1)).map(([name, n]) => call(name, n)),
      { maxLength: 6 },
    );
    const side = fc.array(
      fc.oneof(fc.constant(null), fc.record({ name: fc.constantFrom('a', 'b') }), fc.constant('x')),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(calls, calls, fc.option(fc.tuple(side, side)), (expected, made, evidence) => {
        const { rows, evidence: used } = alignCalls(
          expected,
          steps(...made),
          evidence === null ? [] : [diff(...evidence)],
        );
        const [left, right] = [rows.map((row) => row.expected), rows.map((row) => row.made?.call ?? null)];
        const real = (side: (FunctionCall | null)[]) => side.filter((each) => each !== null);
        expect(new Set(real(left))).toEqual(new Set(expected));
        expect(new Set(real(right))).toEqual(new Set(made));
        expect([real(left).length, real(right).length]).toEqual([expected.length, made.length]);
        if (used === null) expect([real(left), real(right)]).toEqual([expected, made]);
      }),
    );
  });

  it('ignore argument order, and treat missing arguments as empty', () => {
    const [one, other] = [
      { x: 1, y: { p: 1, q: 2 } },
      { y: { q: 2, p: 1, r: undefined }, x: 1 },
    ];
    expect(isSameCall({ name: 'a', args: one }, { name: 'a', args: other })).toBe(true);
    expect(isSameCall({ name: 'a' }, { name: 'a', args: {} })).toBe(true);
    expect(isSameCall({ name: 'a', args: { x: [1, 2] } }, { name: 'a', args: { x: [2, 1] } })).toBe(false);
    expect(isSameCall({ name: 'a' }, { name: 'b' })).toBe(false);
  });

  it('treat calls as different if they are nested too deeply to compare', () => {
    const deep = (): FunctionCall => ({
      name: 'a',
      args: JSON.parse(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`),
    });
    expect(isSameCall(deep(), deep())).toBe(false);
  });

  it('pair a missing call with an extra one of the same name', () => {
    const [find, other, book, mail] = [call('find', 1), call('find', 2), call('book'), call('mail')];
    expect(shown([find, book], steps(other, mail, book))).toEqual([
      [find, other],
      [null, mail],
      [book, book],
    ]);
    expect(shown([find, book], steps(mail, other))).toEqual([
      [null, mail],
      [find, other],
      [book, null],
    ]);
  });

  it("take the alignment from the criterion's evidence, but show complete arguments", () => {
    const [find, book] = [{ name: 'find', args: { text: 'x'.repeat(100) } }, call('book', 1)];
    const evidence = diff([{ name: 'find', args: { text: 'x…' } }, null], [null, { name: 'book', args: { n: 1 } }]);
    expect(shown([find], steps(book), [evidence])).toEqual([
      [find, null],
      [null, book],
    ]);
  });

  it('ignore evidence that does not match the calls', () => {
    const [a, b] = [call('a'), call('b')];
    const [left, right] = [{ name: 'a' }, { name: 'b' }];
    for (const evidence of [
      diff('a', 'b'),
      diff([left], [left]),
      diff([left, left], [right]),
      diff([], []),
      diff([1], [right]),
    ]) {
      expect(alignCalls([a], steps(b), [evidence])).toMatchObject({ evidence: null });
    }
  });

  it('align 10,000 different calls within five seconds of CPU time', () => {
    const many = (from: number) => Array.from({ length: 5000 }, (_, n) => call(`tool${from + n}`));
    const taken = cpuTime();
    expect(shown(many(0), steps(...many(9000)))).toHaveLength(10_000);
    expect(taken()).toBeLessThan(5000);
  });
});
