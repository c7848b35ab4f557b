import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { binaryText } from '../../../test/binary-text.ts';
import { runs } from '../../../test/runs.ts';
import { each, formatValuePath, parseValuePath, type ValuePath } from './value-path.ts';

describe('parseValuePath', () => {
  test.each<[string, ValuePath]>([
    ['date', ['date']],
    ['filter.from', ['filter', 'from']],
    ['$.filter.from', ['filter', 'from']],
    ['items[0].id', ['items', 0, 'id']],
    ['items[*].id', ['items', each, 'id']],
    ['[0]', [0]],
    ['$', []],
    ['$[*]', [each]],
    ['$filter', ['$filter']],
    ["['$']", ['$']],
    ["['odd.key']['it\\'s']", ['odd.key', "it's"]],
    ['["a"].b', ['a', 'b']],
    ["['']", ['']],
    ["['0']", ['0']],
    ['kebab-key_1.ключ', ['kebab-key_1', 'ключ']],
    ['__proto__', ['__proto__']],
  ])('parses %s', (text, path) => {
    expect(parseValuePath(text)).toEqual({ path });
  });

  test.each([
    '',
    '.',
    'a.',
    '.a',
    'a..b',
    'a[',
    'a[]',
    'a[x]',
    'a[-1]',
    'a[1.5]',
    'a]',
    "a['b",
    "a['b'",
    'a b',
    'a*',
    '*',
    '[0]a',
    '$.',
  ])('rejects "%s"', (text) => {
    expect(parseValuePath(text)).toHaveProperty('problem');
  });
});

test('a formatted path is parsed back to the same path', () => {
  const step = fc.oneof(
    binaryText(),
    fc.constantFrom('date', 'a.b', "it's", 'a\\', '$', '*', '[0]', '0'),
    fc.nat(),
    fc.constant(each),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 5 }), (path) => {
      expect(parseValuePath(formatValuePath(path))).toEqual({ path });
    }),
    { numRuns: runs(2000) },
  );
});
