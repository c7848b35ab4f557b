import { CriteriaError } from '@agent-criteria/core';
import { expect, it } from 'vitest';
import { notBegun, writeFailed } from './write-file.ts';

const failed = (code: string) => writeFailed('runs/a/plan.json', Object.assign(new Error('write'), { code }));

it('notBegun() replaces the advice to resume with the advice to start again', () => {
  const full = failed('ENOSPC');
  expect(full.message).toContain('free some space, then resume the run: everything up to here is saved');
  const never = notBegun(full);
  expect(never).toSatisfy((error) => CriteriaError.is(error) && error.code === 'WRITE_FAILED');
  expect(never).toMatchObject({
    problems: [
      {
        file: 'runs/a/plan.json',
        message: 'the disk is full, so the run was not begun; free some space, then start it again',
      },
    ],
  });
});

it('notBegun() returns other errors unchanged', () => {
  const denied = failed('EACCES');
  expect(notBegun(denied)).toBe(denied);
  const other = new Error('other');
  expect(notBegun(other)).toBe(other);
});
