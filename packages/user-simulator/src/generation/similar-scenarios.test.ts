import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import { isSimilar, pairedText, similarity } from './similar-scenarios.ts';

const scenario = (startingPrompt: string, conversationPlan: string) => ({ startingPrompt, conversationPlan });

describe('isSimilar', () => {
  it.each([
    ['the same first message', scenario('Door 3, please!', 'A'), scenario('door 3 please', 'Something else entirely')],
    [
      'a changed word',
      scenario('Hello', 'You want a table for four on Friday evening, by the window.'),
      scenario('Hi there', 'You want a table for six on Friday evening, by the window.'),
    ],
    [
      'a changed word in a language without spaces',
      scenario('你好', '你想在星期五晚上预订一张靠窗的四人桌。'),
      scenario('您好', '你想在星期五晚上预订一张靠窗的六人桌。'),
    ],
  ])('finds %s', (_what, one, other) => {
    expect(isSimilar(one, other)).toBe(true);
  });

  it('tells different goals apart', () => {
    const one = scenario('I need a table', 'You want a table for four on Friday evening.');
    const other = scenario('I need a refund', 'You paid twice for order 4711 and want the money back.');
    expect(isSimilar(one, other)).toBe(false);
  });
});

const text = fc.string({ unit: 'grapheme' }).map(pairedText);

it('similarity() is symmetric, between 0 and 1, and 1 for equal texts', () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      const found = similarity(one, other);
      expect(found).toBe(similarity(other, one));
      expect(found).toBeGreaterThanOrEqual(0);
      expect(found).toBeLessThanOrEqual(1);
      expect(similarity(one, one)).toBe(1);
    }),
    { numRuns: runs(500) },
  );
});
