import { describe, expect, it } from 'vitest';
import { cutOffIn } from './cut-off.ts';

const said = (more: object = {}) => ({ author: 'agent', content: { parts: [{ text: 'Hi' }] }, ...more });
const cut = { finishReason: 'MAX_TOKENS' };

describe('cutOffIn', () => {
  it.each([
    ['none for a complete answer', [said({ finishReason: 'STOP' })], null],
    ['none without events', [], null],
    ['the token limit of the model', [said(cut)], 'MAX_TOKENS'],
    ['the token limit in snake_case', [said({ finish_reason: 'MAX_TOKENS' })], 'MAX_TOKENS'],
    ['an interruption', [said({ interrupted: true })], 'interrupted'],
    ['an interruption after the answer', [said(), { author: 'agent', interrupted: true }], 'interrupted'],
    [
      'the token limit in a partial event of the answer',
      [said(), said({ partial: true, ...cut }), said()],
      'MAX_TOKENS',
    ],
    ['none in a step before the answer', [said(cut), said()], null],
    ['none in a partial event before the answer', [said({ partial: true, ...cut }), said(), said()], null],
    ['none for an interruption of the user', [said(), said({ author: 'user', interrupted: true })], null],
    ['the token limit with only partial events', [said({ partial: true, ...cut })], 'MAX_TOKENS'],
    ['none in malformed events', [null, 7, 'x', [], said({ interrupted: 'yes', finishReason: 3 })], null],
  ])('finds the reason for a truncated answer: %s', (_what, events, expected) => {
    expect(cutOffIn(events)).toBe(expected);
  });

  it('starts with the event of the answer if it is given', () => {
    const answer = said(cut);
    const image = { author: 'agent', content: { parts: [{ inlineData: {} }] } };
    expect(cutOffIn([answer, image], answer)).toBe('MAX_TOKENS');
    expect(cutOffIn([answer, image])).toBeNull();
  });
});
