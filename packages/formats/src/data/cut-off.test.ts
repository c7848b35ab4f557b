import { describe, expect, it } from 'vitest';
import { cutOffIn } from './cut-off.ts';

const said = (more: object = {}) => ({ author: 'agent', content: { parts: [{ text: 'Hi' }] }, ...more });
const cut = { finishReason: 'MAX_TOKENS' };

describe('cutOffIn', () => {
  it.each([
    ['a whole answer', [said({ finishReason: 'STOP' })], null],
    ['no events', [], null],
    ['the limit of the model', [said(cut)], 'MAX_TOKENS'],
    ['the same in snake_case', [said({ finish_reason: 'MAX_TOKENS' })], 'MAX_TOKENS'],
    ['an interruption', [said({ interrupted: true })], 'interrupted'],
    ['an interruption that follows', [said(), { author: 'agent', interrupted: true }], 'interrupted'],
    ['a piece of the answer that says it', [said(), said({ partial: true, ...cut }), said()], 'MAX_TOKENS'],
    ['a step before the answer', [said(cut), said()], null],
    ['a piece of a step before the answer', [said({ partial: true, ...cut }), said(), said()], null],
    ['the user', [said(), said({ author: 'user', interrupted: true })], null],
    ['nothing but pieces', [said({ partial: true, ...cut })], 'MAX_TOKENS'],
    ['values of another kind', [null, 7, 'x', [], said({ interrupted: 'yes', finishReason: 3 })], null],
  ])('finds %s', (_what, events, expected) => {
    expect(cutOffIn(events)).toBe(expected);
  });

  it('begins at the answer, if the event with the answer is named', () => {
    const answer = said(cut);
    const image = { author: 'agent', content: { parts: [{ inlineData: {} }] } };
    expect(cutOffIn([answer, image], answer)).toBe('MAX_TOKENS');
    expect(cutOffIn([answer, image])).toBeNull();
  });
});
