import { CriteriaError } from '@agent-criteria/core';
import { expect, it } from 'vitest';
import { plainError } from './plain-error.ts';

const error = new CriteriaError({ code: 'USAGE', message: 'two\nlines, $& and more' });

it('keeps message and frames, and nothing else', () => {
  const plain = plainError(error) as Error;
  expect([plain.name, plain.message, Object.keys(plain)]).toEqual(['Error', 'two\n    lines, $& and more', []]);
  expect(plain.stack).toMatch(/^Error: two\n {4}lines, \$& and more\n {4}at .*plain-error\.test\.ts\S*:5:15/);
});

it('stands where it is told to', () => {
  const plain = plainError(error, 'Error: other\n    at place') as Error;
  expect(plain.stack).toBe(`Error: ${plain.message}\n    at place`);
});

it('leaves other errors alone', () => {
  const other = new TypeError('no');
  expect(plainError(other)).toBe(other);
});

it('tells nothing that a CI service would obey', () => {
  const hostile = new CriteriaError([
    { code: 'USAGE', message: '##vso[task.complete]\n::add-mask::x\u001b[2J', file: 'a\n::error::b' },
    { code: 'USAGE', message: '::stop-commands::x' },
  ]);
  expect((plainError(hostile) as Error).message).toBe(
    'a␊\\::error::b: #\\#vso[task.complete]\n    \\::add-mask::x␛[2J\n\\::stop-commands::x',
  );
});
