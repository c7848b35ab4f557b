import { expect, it } from 'vitest';
import { isPainted } from './describe-case.ts';

it.each([
  [{}, false],
  [{ FORCE_TTY: 'true' }, true],
  [{ FORCE_TTY: '' }, false],
  [{ FORCE_COLOR: '1' }, true],
  [{ FORCE_COLOR: '1', FORCE_TTY: 'true', NO_COLOR: '' }, false],
])('isPainted() in the environment %j is %s', (environment, painted) => {
  expect(isPainted(environment)).toBe(painted);
});
