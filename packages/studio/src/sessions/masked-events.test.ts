import { type SecretMask, secretMask } from '@agent-criteria/masking';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plantedEnvironment, plantedForms } from '../../../../test/planted-secrets.ts';
import { runs } from '../../../../test/runs.ts';
import { maskedEvents } from './masked-events.ts';

const secret = 'correct-horse-battery-staple';
const mask = secretMask({ environment: { SHOP_API_KEY: secret } });
const shownOf = (given: SecretMask, pieces: readonly (readonly string[])[]) => {
  const show = maskedEvents(given);
  return pieces.map((texts) => {
    const parts = texts.map((text) => ({ text }));
    const event = show({ author: 'desk', partial: true, content: { role: 'model', parts } });
    return event && (Object(event.content).parts as { text: string }[]).map(({ text }) => text);
  });
};
const said = (text: string, partial: boolean) => ({
  author: 'desk',
  content: { role: 'model', parts: [{ text }] },
  ...(partial ? { partial } : {}),
});

it('maskedEvents() masks a secret split across events and releases other text word by word', () => {
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
  // The next answer starts with an empty buffer.
  expect(show(said('Hello ', true))).toEqual(said('Hello ', true));
});

it('maskedEvents() holds back secrets with spaces, non-ASCII letters or line breaks', () => {
  const pem = [
    '-----BEGIN RSA PRIVATE KEY-----',
    'MIIEpAIBsecretline1',
    'secretline2abcdefgh',
    '-----END RSA PRIVATE KEY-----',
  ];
  const own = secretMask({
    environment: {
      DB_PASSWORD: 'correct horse battery staple',
      U_PASSWORD: 'süper-geheimes-passwort',
      MY_PRIVATE_KEY: pem.join('\n'),
    },
  });
  expect(shownOf(own, [['The password is correct '], ['horse battery '], ['staple, ok ']])).toEqual([
    ['The password is '],
    null,
    ['[masked: DB_PASSWORD], ok '],
  ]);
  expect(shownOf(own, [['It is correct '], ['and '], ['so on ']])).toEqual([['It is '], ['correct and '], ['so on ']]);
  expect(shownOf(own, [['pw süp'], ['er-geheimes'], ['-passwort ok ']])).toEqual([
    ['pw '],
    null,
    ['[masked: U_PASSWORD] ok '],
  ]);
  const lines = [
    [`key: ${pem[0]?.slice(0, 20)}`],
    [`${pem[0]?.slice(20)}\n${pem[1]}\n`],
    [`${pem[2]}\n${pem[3]}\nbye `],
  ];
  expect(shownOf(own, lines)).toEqual([['key: '], null, ['[masked: MY_PRIVATE_KEY]\nbye ']]);
});

it('maskedEvents() holds back secrets in events with several parts', () => {
  const shown = shownOf(mask, [
    ['x ghp_Abc123Abc1', '23Ab'],
    ['c123Abc123Abc123', ' z '],
  ]);
  expect(shown).toEqual([['x '], ['[masked: GitHub token] z ']]);
});

it('maskedEvents() never shows part of a secret, wherever the answer is split', () => {
  const own = secretMask({ environment: plantedEnvironment });
  const cuts = fc.array(fc.nat(200), { maxLength: 8 });
  fc.assert(
    fc.property(fc.constantFrom(...plantedForms), cuts, ({ name, text, secrets }, places) => {
      const whole = `It is ${text} and that is all `;
      const ends = [...places.filter((place) => place < whole.length), whole.length].sort((a, b) => a - b);
      const pieces = ends.map((end, index) => [whole.slice(ends[index - 1] ?? 0, end)]);
      const shown = shownOf(own, pieces).flat().join('');
      // Half of a secret is never shown either.
      for (const secret of secrets) {
        expect(shown, name).not.toContain(secret.slice(0, Math.ceil(secret.length / 2)));
        expect(shown, name).not.toContain(secret.slice(Math.floor(secret.length / 2)));
      }
    }),
    { numRuns: runs(3000) },
  );
});
