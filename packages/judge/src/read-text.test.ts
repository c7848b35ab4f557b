import { describe, expect, it } from 'vitest';
import { readText } from './read-text.ts';

describe('readText()', () => {
  it('returns the text of a complete answer unchanged', () => {
    expect(readText({ text: ' yes\n', finish: 'stop' })).toEqual({ text: ' yes\n' });
  });

  it.each([
    ['length', 'ye', 'the answer was cut off at its token limit'],
    ['blocked', '', 'a safety filter blocked the answer'],
    ['stop', ' \n', 'the answer was empty'],
  ] as const)('names the problem of an answer that ended with "%s" and has the text %j', (finish, text, problem) => {
    expect(readText({ text, finish })).toEqual({ problem });
  });

  it("names the answer as the caller does: the judge's answer", () => {
    expect(readText({ text: '', finish: 'stop' }, "the judge's answer")).toEqual({
      problem: "the judge's answer was empty",
    });
  });
});
