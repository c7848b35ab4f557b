import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  plantedEnvironment,
  plantedForms,
  plantedKey,
  plantedLines,
  plantedNumber,
} from '../../../test/planted-secrets.ts';
import { runs } from '../../../test/runs.ts';
import { secretMask } from './secret-mask.ts';

const mask = secretMask({ environment: plantedEnvironment });
const around = fc.constantFrom(
  '',
  ' ',
  '"',
  "'",
  '\n',
  ', ',
  ' - ',
  '(',
  '. ',
  '\t',
  '> ',
  '|',
  '`',
  '\\',
  '€ ',
  '{"a":1} ',
);

describe('a secret', () => {
  it.each(plantedForms)('is masked: $name', ({ text, secrets }) => {
    for (const masked of [
      mask.text(text),
      mask.text(`so: ${text} .`),
      JSON.stringify(mask.json({ a: [{ [text]: text }] })),
    ]) {
      expect(masked).toContain('[masked: ');
      for (const secret of secrets) expect(masked).not.toContain(secret);
    }
  });

  it('is masked in each of its forms, next to other secrets and in nested JSON', () => {
    const several = fc.array(fc.tuple(around, fc.constantFrom(...plantedForms), around), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(several, fc.nat(2), (planted, depth) => {
        let value: unknown = planted.map(([before, { text }, after]) => before + text + after).join(' ');
        for (let level = 0; level < depth; level++) value = { log: JSON.stringify({ said: value }) };
        const masked = JSON.stringify(mask.json(value));
        for (const [, { name, secrets }] of planted) {
          for (const secret of secrets) expect(masked, name).not.toContain(secret);
        }
        expect(mask.json(JSON.parse(masked))).toEqual(JSON.parse(masked));
      }),
      { numRuns: runs(3000) },
    );
  });

  it('is masked if it is a JSON number', () => {
    const value = { pin: plantedNumber, other: plantedNumber + 1, list: [[plantedNumber]] };
    const masked = { pin: '[masked: DB_PASSWORD]', other: plantedNumber + 1, list: [['[masked: DB_PASSWORD]']] };
    expect(mask.json(value)).toEqual(masked);
    expect(mask.text(JSON.stringify(value))).not.toContain(String(plantedNumber));
    let deep: unknown = plantedNumber;
    for (let depth = 0; depth < 1000; depth++) deep = [deep];
    expect(JSON.stringify(mask.json(deep))).not.toContain(String(plantedNumber));
  });

  it('is masked if it is split over list items as lines, characters or other pieces', () => {
    const pieces = fc.array(fc.nat(plantedKey.length), { maxLength: 5 }).map((cuts) => {
      const places = [0, ...cuts, plantedKey.length].sort((a, b) => a - b);
      return places.slice(1).map((end, index) => plantedKey.slice(places[index], end));
    });
    fc.assert(
      fc.property(pieces, fc.boolean(), (list, areParts) => {
        const items = ['so: ', ...list, ' and on'];
        const given = areParts ? items.map((text) => ({ text, thought: false })) : items;
        const masked = JSON.stringify(
          mask.json({ given }).given.map((item) => (typeof item === 'string' ? item : item.text)),
        );
        expect(JSON.parse(masked).join('')).toBe('so: [masked: SHOP_API_KEY] and on');
      }),
      { numRuns: runs(1000) },
    );
    expect(mask.json([...plantedKey]).join('')).toBe('[masked: SHOP_API_KEY]');
    expect(mask.json(plantedLines).join('')).toBe('[masked: SIGNING_PRIVATE_KEY]');
    const unknown = ['-----BEGIN PRIVATE KEY-----', 'qwertyuiop', '-----END PRIVATE KEY-----', 'the end'];
    expect(mask.json(unknown)).toEqual(['[masked: private key]', '', '', 'the end']);
    // A complete token does not continue in the next string of a list.
    expect(mask.json([`ghp_${'a1B2'.repeat(9)}`, 'Hello', 'world'])).toEqual([
      '[masked: GitHub token]',
      'Hello',
      'world',
    ]);
  });

  it('is masked if it is split over text parts that follow a part without text', () => {
    const halves = [plantedKey.slice(0, 9), plantedKey.slice(9)].map((text) => ({ text }));
    const call = { functionCall: { name: 'pay', args: {} } };
    const masked = [{ text: '[masked: SHOP_API_KEY]' }, { text: '' }];
    expect(mask.json([call, ...halves])).toEqual([call, ...masked]);
    expect(mask.json([call, halves[0], call, halves[1]])).toEqual([call, masked[0], call, masked[1]]);
    expect(mask.json([null, plantedKey.slice(0, 9), plantedKey.slice(9)])).toEqual([
      null,
      '[masked: SHOP_API_KEY]',
      '',
    ]);
  });

  it('is masked as soon as its variable is set, and after the variable is replaced or deleted', () => {
    const environment: Record<string, string | undefined> = {};
    const more: Record<string, string>[] = [];
    const live = secretMask({ environment: () => [environment, ...more] });
    expect(live.json(['first-secret-value', 'second-secret-value'])).toEqual([
      'first-secret-value',
      'second-secret-value',
    ]);
    environment.LATE_API_KEY = 'first-secret-value';
    more.push({ OTHER_TOKEN: 'second-secret-value' });
    const masked = ['[masked: LATE_API_KEY]', '[masked: OTHER_TOKEN]'];
    expect(live.json(['first-secret-value', 'second-secret-value'])).toEqual(masked);
    environment.LATE_API_KEY = 'third-secret-value';
    more.pop();
    expect(live.text('first-secret-value, third-secret-value, second-secret-value')).toBe(
      '[masked: LATE_API_KEY], [masked: LATE_API_KEY], [masked: OTHER_TOKEN]',
    );
    delete environment.LATE_API_KEY;
    expect(live.text('third-secret-value')).toBe('[masked: LATE_API_KEY]');
  });

  it('is masked as soon as its variable is set, even if it is split over short text parts', () => {
    const environment: Record<string, string> = {};
    const live = secretMask({ environment });
    const parts = ['q7-vx', 'w2-kd', 'z9'].map((text) => ({ text }));
    expect(live.json(parts)).toEqual(parts);
    environment.LATE_API_KEY = 'q7-vxw2-kdz9';
    expect(live.json(parts)).toEqual([{ text: '[masked: LATE_API_KEY]' }, { text: '' }, { text: '' }]);
  });

  it('is still masked after 200 newer values if a variable holds it or if it is recent', () => {
    const environment: Record<string, string> = {
      FIXED_API_KEY: 'the-one-that-stays',
      ROTATING_TOKEN: 'rotating-token-first',
    };
    const live = secretMask({ environment });
    expect(live.text('rotating-token-first')).toBe('[masked: ROTATING_TOKEN]');
    for (let turn = 0; turn < 200; turn++) {
      environment.ROTATING_TOKEN = `rotating-token-${turn}`;
      expect(live.text(`it is rotating-token-${turn}`)).toBe('it is [masked: ROTATING_TOKEN]');
    }
    expect(live.text('the-one-that-stays, rotating-token-150')).toBe(
      '[masked: FIXED_API_KEY], [masked: ROTATING_TOKEN]',
    );
  });

  it('is reported by begun() if a text ends with its beginning', () => {
    expect(mask.begun('the key is correct-hor')).toBe('correct-hor'.length);
    expect(mask.begun('the key is CORRECT-\nhor')).toBe('CORRECT-\nhor'.length);
    expect(mask.begun('the words are seven zebras ')).toBe('seven zebras '.length);
    expect(mask.begun(`${plantedLines.slice(0, 2).join('\n')}\n`)).toBe(plantedLines.slice(0, 2).join('\n').length + 1);
    expect(mask.begun('nothing of it!')).toBe(0);
  });
});

describe('a placeholder or a text that resembles a secret', () => {
  it.each([
    'scheme://username:password@domain:port/path?query_string#fragment_id',
    'postgres://user:pass@localhost/db, postgres://postgres:postgres@localhost',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder from documentation.
    'https://user:<password>@host, https://${USER}:${PASSWORD}@host, ftp://me:********@host, x://a:$DB_PASS@h',
    'password = your_password, password: required, "password": "string", password=process.env.PASSWORD1',
    'api_key = "YOUR_API_KEY_HERE_123", api_key=process.env.OPENAI_API_KEY2, Authorization: Bearer YOUR_TOKEN_123',
    'Authorization: Bearer <token>, Authorization: Basic <credentials>, the authorization: by mail or telephone',
    'https://example.com:8080/me@example.com and http://host:port/a@b, git+ssh://git@github.com/a/b.git',
    'Cookie: choose yours, cookie: oatmeal=best; it is "Token: 42" and token: a word, next_page_token: "abc123DEF456ghi"',
    'webhooks/overview-of-2024-and-2025, SG.1, 10:AM, code=42, code=E_INVALID_ARGUMENT, 4/0 or 4/0A',
    'The password: it must have 8 characters, a digit and a sign.',
  ])('is not masked: %s', (text) => {
    expect(mask.text(text)).toBe(text);
  });
});
