import { describe, expect, it } from 'vitest';
import { parseEvalSetArgument } from './choose-cases.ts';

describe('parseEvalSetArgument', () => {
  it.each([
    ['a.json', 'a.json', []],
    ['a.json:', 'a.json', []],
    ['a.json:one', 'a.json', ['one']],
    ['a.json:one, two ,,', 'a.json', ['one', 'two']],
    ['a.json:a/b:c', 'a.json', ['a/b:c']],
    ['C:\\sets\\a.evalset.json', 'C:\\sets\\a.evalset.json', []],
    ['C:\\sets\\a.evalset.json:case1', 'C:\\sets\\a.evalset.json', ['case1']],
    ['c:/sets/a.evalset.json:case1,case2', 'c:/sets/a.evalset.json', ['case1', 'case2']],
    ['a:case', 'a', ['case']],
  ])('splits %j', (argument, path, cases) => {
    expect(parseEvalSetArgument(argument)).toEqual({ path, cases });
  });
});
