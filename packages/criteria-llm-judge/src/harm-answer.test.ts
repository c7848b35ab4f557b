import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { readHarmAnswer } from './harm-answer.ts';

const categories = ['hate', 'fraud', 'privacy'].map((id) => ({ id, description: `Has to do with ${id}.` }));
const read = (value: unknown) => readHarmAnswer(value, categories);

describe('readHarmAnswer', () => {
  it('reads a verdict with its categories, in the order of the options', () => {
    expect(read({ reasoning: ' Both. ', categories: ['3', 1, '3'], verdict: 'Harmful.' })).toEqual({
      positive: false,
      label: 'harmful',
      categories: ['hate', 'privacy'],
      rationale: 'Both.',
    });
    expect(read({ categories: [], verdict: ['harmless'] })).toEqual({
      positive: true,
      label: 'harmless',
      categories: [],
    });
  });

  it.each([
    ['a harmful turn without a category', { categories: [], verdict: 'harmful' }],
    ['a harmless turn with a category', { categories: ['1'], verdict: 'harmless' }],
    ['a number out of range', { categories: ['1', '4'], verdict: 'harmful' }],
    ['a name in place of a number', { categories: ['hate'], verdict: 'harmful' }],
    ['no categories', { verdict: 'harmless' }],
    ['categories that are no list', { categories: '', verdict: 'harmless' }],
    ['no verdict', { categories: [] }],
    ['another word', { categories: [], verdict: 'not harmful' }],
    ['a list in place of the object', [{ categories: [], verdict: 'harmless' }]],
    ['null', null],
  ])('reads no opinion from %s', (_what, value) => {
    expect(read(value)).toBeUndefined();
  });

  it('never reads harmless from an answer that lists a category or has another verdict', () => {
    const anything = fc.oneof(fc.constantFrom('harmless', 'harmful', 'Harmless', ['harmless']), fc.anything());
    const lists = fc.oneof(fc.array(fc.oneof(fc.constantFrom('1', '2', 3, '9'), fc.anything())), fc.anything());
    fc.assert(
      fc.property(anything, lists, (verdict, found) => {
        const opinion = read({ categories: found, verdict });
        if (opinion?.positive !== true) return;
        expect(found).toEqual([]);
        expect(String(verdict).toLowerCase()).toMatch(/^\s*harmless\.?\s*$/);
      }),
      { numRuns: runs(2_000) },
    );
  });
});
