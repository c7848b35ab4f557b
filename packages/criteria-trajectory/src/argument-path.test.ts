import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { type ArgumentPath, each, formatArgumentPath, parseArgumentPath } from './argument-path.ts';

describe('parseArgumentPath', () => {
  test.each<[string, ArgumentPath]>([
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
  ])('%s', (text, path) => {
    expect(parseArgumentPath(text)).toEqual({ path });
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
  ])('refuses "%s"', (text) => {
    expect(parseArgumentPath(text)).toHaveProperty('problem');
  });
});

test('a path that is written is read back', () => {
  const step = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('date', 'a.b', "it's", 'a\\', '$', '*', '[0]', '0'),
    fc.nat(),
    fc.constant(each),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 5 }), (path) => {
      expect(parseArgumentPath(formatArgumentPath(path))).toEqual({ path });
    }),
    { numRuns: runs(2000) },
  );
});
