import { CriteriaError } from '@agent-criteria/core';
import { expect, it } from 'vitest';
import { plainError } from './plain-error.ts';

const error = new CriteriaError({ code: 'USAGE', message: 'two\nlines, $& and more' });

it('plainError() keeps only the message and the stack frames of an error', () => {
  const plain = plainError(error) as Error;
  expect([plain.name, plain.message, Object.keys(plain)]).toEqual(['Error', 'two\n    lines, $& and more', []]);
  expect(plain.stack).toMatch(/^Error: two\n {4}lines, \$& and more\n {4}at .*plain-error\.test\.ts\S*:5:15/);
});

it('plainError() uses the stack of another error if one is given', () => {
  const plain = plainError(error, 'Error: other\n    at place') as Error;
  expect(plain.stack).toBe(`Error: ${plain.message}\n    at place`);
});

it('plainError() returns errors that are not CriteriaErrors unchanged', () => {
  const other = new TypeError('no');
  expect(plainError(other)).toBe(other);
});

it('plainError() escapes CI commands', () => {
  const hostile = new CriteriaError([
    { code: 'USAGE', message: '##vso[task.complete]\n::add-mask::x\u001b[2J', file: 'a\n::error::b' },
    { code: 'USAGE', message: '::stop-commands::x' },
  ]);
  expect((plainError(hostile) as Error).message).toBe(
    'a␊\\::error::b: #\\#vso[task.complete]\n    \\::add-mask::x␛[2J\n\\::stop-commands::x',
  );
});
