import { expect, it } from 'vitest';
import { checkOptions } from './check-options.ts';

const known = { evalSet: true, agent: true } as const;

it.each([
  [{ evalset: {} }, 'unknown option "evalset"; did you mean "evalSet"?'],
  [{ eval_set: {} }, 'unknown option "eval_set"; did you mean "evalSet"?'],
  [{ whatever: 1 }, 'unknown option "whatever"; the options are evalSet, agent'],
  [JSON.parse('{ "__proto__": 1 }'), 'unknown option "__proto__"; the options are evalSet, agent'],
])('%j: %s', (options, message) => {
  expect(() => checkOptions(options, known)).toThrow(message);
});

it('accepts what is known, and names every mistake', () => {
  expect(() => checkOptions({ agent: 1 }, known)).not.toThrow();
  expect(() => checkOptions({ agnt: 1, evalSets: 1 }, known)).toThrow(/"agnt".*\n?.*"evalSets"/s);
});
