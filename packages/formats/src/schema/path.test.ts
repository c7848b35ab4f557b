import { expect, it } from 'vitest';
import { formatPath, shortened, spelledPath } from './path.ts';

it('formatPath() writes plain names after a dot, and other keys in brackets', () => {
  expect(formatPath(['eval_cases', 0, 'a.b', 'two words', '', '7', '$schema'])).toBe(
    '$.eval_cases[0]["a.b"]["two words"][""]["7"].$schema',
  );
  expect(formatPath([])).toBe('$');
  expect(formatPath(['x'], '$.criteria')).toBe('$.criteria.x');
  expect(formatPath(['k'.repeat(1000)]).length).toBeLessThan(80);
});

it("spelledPath() uses the value's own spelling", () => {
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

it('shortened() truncates a string to 60 characters', () => {
  expect(shortened('abc')).toBe('abc');
  expect(shortened('x'.repeat(100))).toBe(`${'x'.repeat(59)}…`);
});
