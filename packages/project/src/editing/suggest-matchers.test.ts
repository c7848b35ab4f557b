import type { FunctionCall, Invocation } from '@agent-criteria/core';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { binaryText } from '../../../../test/binary-text.ts';
import { runs } from '../../../../test/runs.ts';
import { suggestMatchers, withSuggestions } from './suggest-matchers.ts';

const turn = (text: string, ...toolUses: readonly FunctionCall[]): Invocation => ({
  userContent: { role: 'user', parts: [{ text }] },
  intermediateData: { toolUses: [...toolUses] },
});
const matcherFor = (value: unknown, said = 'Do it.') =>
  suggestMatchers([turn(said, { name: 'a', args: { it: value } })])[0]?.matcher ?? null;

describe('suggestMatchers', () => {
  it.each([
    ['2026-05-01', { shape: 'date' }],
    ['2026-05-01T12:30:00Z', { shape: 'date' }],
    ['14:30', { pattern: '[0-9]{2}:[0-9]{2}(:[0-9]{2})?' }],
    ['1f0e2d3c-aaaa-4bbb-8ccc-0123456789ab', { shape: 'uuid' }],
    ['adk-1f0e2d3c-aaaa-4bbb-8ccc-0123456789ab', { pattern: 'adk-[0-9A-Fa-f-]{36}' }],
    ['ORD-4711', { pattern: 'ORD-[0-9]+' }],
    ['INV-2026-08154', { pattern: 'INV-[0-9]+-[0-9]+' }],
    ['user12345', { pattern: 'user[0-9]+' }],
    ['4711081', { pattern: '[0-9]+' }],
    ['9f86d081884c', { pattern: '[0-9a-f]+' }],
    ['tok_a1B2c3D4e5F6', { pattern: 'tok_[0-9A-Za-z]+' }],
    [1795290594, { ignore: true }],
  ])('suggests a matcher for %j, which may differ in every run', (value, matcher) => {
    expect(matcherFor(value)).toEqual(matcher);
  });

  it.each([
    ...['Oslo', 'two words 12345', '12', 'gpt-4', 'v1.2.3', 'FY-2026', 'abcdefabcdef', '2026-13-01', '', '25:00'],
    ...[21, 0.5, true, null],
  ])('suggests no matcher for %j', (value) => {
    expect(matcherFor(value)).toBeNull();
  });

  it('ignores values that the user mentioned in this or an earlier turn', () => {
    expect(matcherFor('ORD-4711', 'Where is (ORD-4711)?')).toBeNull();
    expect(matcherFor('2026-05-01', 'Book it for 2026-05-01.')).toBeNull();
    expect(matcherFor('ORD-4711', 'Where is ORD-47110?')).not.toBeNull();
    const call = { name: 'a', args: { it: 'ORD-4711' } };
    expect(suggestMatchers([turn('It is ORD-4711'), turn('Cancel it', call)])).toEqual([]);
    expect(suggestMatchers([turn('Cancel it', call), turn('It is ORD-4711')])).toHaveLength(1);
  });

  it('finds values at any depth, with a single path for all items in a list', () => {
    const args = { id: 7, 'odd.key': { "it's": '2026-05-01' }, items: [{ ref: 'A-1234' }, { ref: 'B-5678' }, 'x'] };
    const found = suggestMatchers([turn('Do it.', { name: 'a', args })]);
    expect(withSuggestions({}, found)).toEqual({
      a: {
        id: { ignore: true },
        "['odd.key']['it\\'s']": { shape: 'date' },
        'items[*].ref': { pattern: 'A-[0-9]+|B-[0-9]+' },
      },
    });
  });

  it('suggests ignoring an argument with values of mixed kinds, and preserves existing matchers', () => {
    const calls = ['2026-05-01', 'ORD-4711'].map((it) => ({ name: 'a', args: { it } }));
    expect(suggestMatchers([turn('Do it.', ...calls)])).toMatchObject([{ matcher: { ignore: true } }]);
    for (const tool of ['a', '*']) {
      const present = { [tool]: { it: { ignore: true } } };
      expect(suggestMatchers([turn('Do it.', ...calls)], present)).toEqual([]);
    }
    const both = withSuggestions({ a: { other: { ignore: true } } }, suggestMatchers([turn('Do it.', calls[0]!)]));
    expect(both).toEqual({ a: { other: { ignore: true }, it: { shape: 'date' } } });
  });

  it('returns options that tool_trajectory_avg_score accepts, whatever the arguments', async () => {
    const text = fc.oneof(
      binaryText({ maxLength: 12 }),
      fc.stringMatching(/^[A-Za-z._:/#-]{0,6}[0-9a-f]{0,14}$/),
      fc.uuid(),
    );
    const { value: json } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.integer(),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(text, tie('value'), { maxKeys: 3 }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(text, json, { maxKeys: 4 }), text, async (args, name) => {
        const matchers = withSuggestions({}, suggestMatchers([turn('Do it.', { name, args })]));
        const read = await toolTrajectory.options['~standard'].validate({
          matchers: JSON.parse(JSON.stringify(matchers)),
        });
        expect(read.issues).toBeUndefined();
      }),
      { numRuns: runs(500) },
    );
  });
});
