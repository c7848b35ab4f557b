import { expect, it } from 'vitest';
import { type Held, problemOf } from './held.ts';

const ROWS: readonly (readonly [what: string, held: Held, problem: string | null])[] = [
  ['equal in both modes', { adk: 1, compat: 1, ours: 1 }, null],
  ['equal without modes', { adk: [1], ours: [1] }, null],
  ['compat mode differs', { adk: 1, compat: 2, ours: 1 }, 'in compat mode the product gives 2'],
  ['default differs without a line', { adk: 1, compat: 1, ours: 2 }, 'no line of docs/adk-parity.md says why'],
  ['0 and -0 differ', { adk: 0, ours: -0 }, 'no line'],
  ['a line that does not exist', { adk: 1, ours: 2, lines: ['mood'], expected: 2 }, 'has no line "mood"'],
  ['a line of list A', { adk: 1, compat: 1, ours: 2, lines: ['exact-mean'], expected: 2 }, null],
  ['a line, but no difference', { adk: 1, ours: 1, lines: ['exact-mean'], expected: 1 }, 'does not differ'],
  ['another difference than the line makes', { adk: 1, ours: 3, lines: ['exact-mean'], expected: 2 }, 'wants 2'],
  [
    'a line of list B, in default mode alone',
    { adk: 1, compat: 1, ours: 2, lines: ['thresholds'], expected: 2 },
    'list A',
  ],
  ['a line of list B', { adk: 1, compat: 2, ours: 2, lines: ['thresholds'], expected: 2, expectedInCompat: 2 }, null],
  [
    'compat mode by a line of list A',
    { adk: 1, compat: 2, ours: 2, lines: ['exact-mean'], expected: 2, expectedInCompat: 2 },
    'a line of list B only',
  ],
  [
    'a claim about compat mode that is not so',
    { adk: 1, compat: 1, ours: 2, lines: ['thresholds'], expected: 2, expectedInCompat: 1 },
    'there is none',
  ],
];

it.each(ROWS)('problemOf(): %s', (_, held, problem) => {
  if (problem === null) expect(problemOf(held)).toBeNull();
  else expect(problemOf(held)).toContain(problem);
});
