import { expect, it } from 'vitest';
import { wantsColor } from './wants-color.ts';

it.each([
  [{}, true, true],
  [{}, false, false],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '' }, false, true],
  [{ FORCE_COLOR: '3', TERM: 'dumb' }, false, true],
  [{ FORCE_COLOR: '0' }, true, false],
  [{ FORCE_COLOR: 'false' }, true, false],
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
  [{ NO_COLOR: '' }, true, true],
  [{ TERM: 'dumb' }, true, false],
] as const)('wantsColor() with %j on a terminal (%s): %s', (environment, isTerminal, wanted) => {
  expect(wantsColor(environment, isTerminal)).toBe(wanted);
});
