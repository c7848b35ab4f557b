import { expect, it } from 'vitest';
import { checkOptions } from './check-options.ts';

const known = { evalSet: true, agent: true } as const;

it.each([
  [{ evalset: {} }, 'unknown option "evalset"; did you mean "evalSet"?'],
  [{ eval_set: {} }, 'unknown option "eval_set"; did you mean "evalSet"?'],
  [{ whatever: 1 }, 'unknown option "whatever"; the options are evalSet, agent'],
  [JSON.parse('{ "__proto__": 1 }'), 'unknown option "__proto__"; the options are evalSet, agent'],
])('%j is rejected: %s', (options, message) => {
  expect(() => checkOptions(options, known)).toThrow(message);
});

it.each([
  [{ agent: 1 }, ['"evalSet" is missing: pass a set']],
  [{ agent: 1, evalSet: null }, ['"evalSet" is missing: pass a set']],
  [{ agent: 1, evalset: {} }, ['unknown option "evalset"; did you mean "evalSet"?']],
  [{ agnt: 1 }, ['unknown option "agnt"; did you mean "agent"?', '"evalSet" is missing: pass a set']],
  [undefined, ['"evalSet" is missing: pass a set']],
  [null, ['"evalSet" is missing: pass a set']],
  ['set.json', ['"evalSet" is missing: pass a set']],
])('%j lacks a required option', (options, messages) => {
  const check = () => checkOptions(options as object, known, { evalSet: 'a set' });
  expect(check).toThrow(expect.objectContaining({ problems: messages.map((message) => ({ code: 'USAGE', message })) }));
});

it('missing options are a mistake', () => {
  expect(() => checkOptions(undefined as never, known)).toThrow('there are no options: pass an object of them');
});

it('accepts known options, and names every mistake', () => {
  expect(() => checkOptions({ agent: 1 }, known)).not.toThrow();
  expect(() => checkOptions({ agnt: 1, evalSets: 1 }, known)).toThrow(/"agnt".*\n?.*"evalSets"/s);
});
