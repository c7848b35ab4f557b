import type { KnownOutcome } from '@agent-criteria/results';
import { expect, it } from 'vitest';
import { type EndedRun, exitOf } from './exit-code.ts';

const recorded = (exitCode: number) => ({ state: 'recorded', exitCode }) as KnownOutcome;
const ended = (more: Partial<EndedRun> = {}, exitCode: 0 | 1 | 3 = 0, finished = true): EndedRun => ({
  outcome: { finished, problems: [], summary: { exitCode } },
  judged: true,
  isStopped: false,
  closingFailed: false,
  shown: 0,
  record: recorded(exitCode),
  isOurs: true,
  ...more,
});
const locked = {
  finished: true,
  problems: [{ code: 'RUN_LOCKED' as const, message: '' }],
  summary: { exitCode: 0 as const },
};

it.each<[string, EndedRun, number, RegExp?]>([
  ['a recorded outcome', ended({}, 1), 1],
  ['an outcome that was changed on the disk', ended({ isOurs: false }), 3, /files were changed/],
  ['an outcome that is not believed', ended({ record: { state: 'changed' } as KnownOutcome }), 3, /files were changed/],
  ['an outcome that is missing', ended({ record: { state: 'missing' } as KnownOutcome }), 3, /could not be recorded/],
  ['no outcome', ended({ record: undefined }), 3, /files were changed/],
  ['a run that another process has taken over', ended({ outcome: locked }), 3],
  ['an interrupted run', ended({ isStopped: true }, 1, false), 130],
  ['an unfinished run with failed cases', ended({}, 1, false), 1],
  ['an unfinished run without failed cases', ended({}, 0, false), 3],
  ['an unfinished run that is not judged', ended({ judged: false }, 1, false), 3],
  ['inferences', ended({ judged: false }), 0],
  ['inferences whose recording was not saved', ended({ judged: false, closingFailed: true }), 3],
  ['inferences that could not be reported', ended({ judged: false, shown: null }), 3],
])('the exit code of %s', (_, run, code, why) => {
  expect(exitOf(run).code).toBe(code);
  expect(exitOf(run).why ?? '').toMatch(why ?? /^$/);
});
