import { expect, it } from 'vitest';
import { formatPath, shortened, spelledPath } from './path.ts';

it('writes names after a dot, and in brackets what a dot would mislead', () => {
  expect(formatPath(['eval_cases', 0, 'a.b', 'two words', '', '7', '$schema'])).toBe(
    '$.eval_cases[0]["a.b"]["two words"][""]["7"].$schema',
  );
  expect(formatPath([])).toBe('$');
  expect(formatPath(['x'], '$.criteria')).toBe('$.criteria.x');
  expect(formatPath(['k'.repeat(1000)]).length).toBeLessThan(80);
});

it('finds the spelling of the value', () => {
  const value = { evalCases: [{ eval_id: 'a', conversation: [{ userContent: 1 }] }] };
  expect(spelledPath(['evalCases', 0, 'evalId'], value)).toEqual(['evalCases', 0, 'eval_id']);
  expect(spelledPath(['evalCases', '0', 'conversation', 0, 'userContent', 'parts'], value)).toEqual([
    'evalCases',
    0,
    'conversation',
    0,
    'userContent',
    'parts',
  ]);
  expect(spelledPath(['missing', 'toString'], value)).toEqual(['missing', 'toString']);
});

it('keeps a text to one line', () => {
  expect(shortened('abc')).toBe('abc');
  expect(shortened('x'.repeat(100))).toBe(`${'x'.repeat(59)}…`);
});
