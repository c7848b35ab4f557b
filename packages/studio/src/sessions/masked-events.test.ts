import { secretMask } from '@agent-criteria/core/host';
import { expect, it } from 'vitest';
import { maskedEvents } from './masked-events.ts';

const secret = 'correct-horse-battery-staple';
const mask = secretMask({ environment: { SHOP_API_KEY: secret } });
const said = (text: string, partial: boolean) => ({
  author: 'desk',
  content: { role: 'model', parts: [{ text }] },
  ...(partial ? { partial } : {}),
});

it('shows no secret that comes in pieces, and all else as soon as a word is whole', () => {
  const show = maskedEvents(mask);
  const whole = `The key is ${secret}, keep it. Bye`;
  const pieces = ['The k', 'ey is correct-', 'horse-battery', '-staple, keep ', 'it. B', 'ye'];
  const shown = pieces
    .map((text) => show(said(text, true)))
    .map((event) => event && Object(event.content).parts[0].text);
  expect(shown).toEqual(['The ', 'key is ', null, '[masked: SHOP_API_KEY], keep ', 'it. ', null]);
  expect(show(said(whole, false))).toEqual(said('The key is [masked: SHOP_API_KEY], keep it. Bye', false));
  expect(show(said('今日は', true))).toEqual(said('今日は', true));
  expect(show(said('今日は', false))).toEqual(said('今日は', false));
  // The next answer begins anew.
  expect(show(said('Hello ', true))).toEqual(said('Hello ', true));
});
