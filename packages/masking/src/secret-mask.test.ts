import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allRuns, runs } from '../../../test/runs.ts';
import { secretMask } from './secret-mask.ts';

const environment = {
  GOOGLE_API_KEY: 'correct-horse-battery',
  NPM_TOKEN: 'correct-horse-battery-staple',
  DB_PASSWORD: ' s3cret of "the" db\\ ',
  ADMIN_PASSWORD_2: 'two\nlines of it',
  SIGNING_KEY: '"Grüße/aus-Köln"',
  CACHE_KEY: 'customers-by-name',
  SESSION_KEY: 'f81d4fae7dec11d0',
  SHORT_SECRET: 'elevenchars',
  EMPTY_KEY: '',
  MONKEY: 'bananas-for-all',
  TOKENIZERS_PARALLELISM: 'not-a-secret-at-all',
  POSTGRES_PASSWORD_FILE: '/run/secrets/postgres',
  GOOGLE_APPLICATION_CREDENTIALS: '/home/of/somebody/key.json',
  PWD: '/home/of/somebody',
};
const mask = secretMask({ environment });
const plain = secretMask({ environment: {} });

describe('values of variables', () => {
  it('are masked with the name of the secret variable, the longest value first', () => {
    expect(mask.text('a correct-horse-battery-staple, a correct-horse-battery')).toBe(
      'a [masked: NPM_TOKEN], a [masked: GOOGLE_API_KEY]',
    );
    expect(mask.text('f81d4fae7dec11d0')).toBe('[masked: SESSION_KEY]');
  });

  it('are not masked if they are too short, file paths or plain words, or if the variable does not hold a secret', () => {
    for (const value of [
      'elevenchars',
      'bananas-for-all',
      'not-a-secret-at-all',
      'customers-by-name',
      '/home/of/somebody/key.json',
      '/run/secrets/postgres',
    ]) {
      expect(mask.text(`it is ${value}`)).toBe(`it is ${value}`);
    }
  });

  it('are masked even if the eval set contains them, also in references', () => {
    const open = { evalCases: [{ state: { a: ['say correct-horse-battery, please'] } }] };
    const some = secretMask({ environment, open });
    expect(some.text('correct-horse-battery, two\nlines of it')).toBe(
      '[masked: GOOGLE_API_KEY], [masked: ADMIN_PASSWORD_2]',
    );
    expect(some.reference(open)).toEqual({ evalCases: [{ state: { a: ['say [masked: GOOGLE_API_KEY], please'] } }] });
    const token = { api_key: 'abcdef123456', text: `Bearer ${'a1B2'.repeat(9)}` };
    expect(some.reference(token)).toBe(token);
  });

  it('are masked in texts with several levels of JSON escapes', () => {
    for (const [name, given] of Object.entries(environment)) {
      const value = given.trim();
      if (!/^(?:DB|ADMIN|SIGNING|NPM)_/.test(name)) continue;
      let text = value;
      for (let depth = 0; depth < 4; depth++) {
        expect(mask.text(`x ${text} y`)).toBe(`x [masked: ${name}] y`);
        const around = JSON.stringify({ log: `C:\\${text}`, [text]: 1 });
        const masked = mask.text(around);
        expect(masked).toContain(`[masked: ${name}]`);
        expect(masked).not.toContain(text);
        text = JSON.stringify(text).slice(1, -1);
      }
    }
    expect(mask.text('"\\"Gr\\u00fc\\u00dfe\\/aus-K\\u00F6ln\\""')).toBe('"[masked: SIGNING_KEY]"');
  });
});

describe('secrets recognised by their form', () => {
  const body = 'a1B2'.repeat(10);
  it.each([
    ['Google API key', `AIza${'Sy0'.repeat(12)}`],
    ['Google API key', `AQ.${body}`],
    ['Google access token', `ya29.${body}`],
    ['Google access token', `ya29.c.${body}`],
    ['API key', `sk-${body}`],
    ['API key', `sk-proj-${body}_-${body}`],
    ['API key', `sk-ant-api03-${body}`],
    ['API key', 'sk-abcdefghijklmnopqrstuvwxyz'],
    ['API key', `rk_live_${body}`],
    ['API key', `hf_${body}`],
    ['API key', `gsk_${body}`],
    ['API key', `r8_${body}`],
    ['API key', `xai-${body}`],
    ['API key', `nvapi-${body}`],
    ['API key', `pplx-${body}`],
    ['API key', `tvly-${body}`],
    ['API key', `npm_${body}`],
    ['API key', `pk-${body}`],
    ['Google client secret', `GOCSPX-${body}`],
    ['GitHub token', `ghp_${body}`],
    ['GitHub token', `github_pat_${body}`],
    ['GitLab token', `glpat-${body}`],
    ['Slack token', `xoxb-1234567890-${body}`],
    ['Slack token', 'xoxe-abcdefghij'],
    ['AWS access key', `AKIA${'A1'.repeat(8)}`],
    ['JSON Web Token', `eyJ${body}.eyJ${body}.${body}`],
    ['private key', `-----BEGIN RSA PRIVATE KEY-----\n${body}\n${body}\n-----END RSA PRIVATE KEY-----`],
  ])('are masked as %s: %s', (label, key) => {
    expect(plain.text(`the key "${key}" is wrong`)).toBe(`the key "[masked: ${label}]" is wrong`);
    expect(plain.text(key)).toBe(`[masked: ${label}]`);
    expect(plain.json({ a: [{ [key]: key }] })).toEqual({ a: [{ [`[masked: ${label}]`]: `[masked: ${label}]` }] });
    const nested = JSON.stringify(JSON.stringify([`\n${key}`, `\t${key}`]));
    const marker = `[masked: ${label}]`;
    expect(JSON.parse(JSON.parse(plain.text(nested)))).toEqual([`\n${marker}`, `\t${marker}`]);
  });

  it('are masked after a keyword, in a URL, and under a key such as X-Api-Key', () => {
    expect(plain.text('Authorization: Bearer abcdef1234567890')).toBe('Authorization: Bearer [masked: bearer token]');
    expect(plain.text('authorization: basic dXNlcjpodW50ZXIy')).toBe(
      'authorization: basic [masked: user name and password]',
    );
    expect(plain.text("{'x-api-key': 'abcdef1234567890'}")).toBe("{'x-api-key': '[masked: API key]'}");
    expect(plain.text('https://a.example/?key=abcdef1234567890&b=1')).toBe(
      'https://a.example/?key=[masked: API key]&b=1',
    );
    expect(plain.text('postgres://me:hunter2@db:5432/x and redis://:p@ss@host, https:\\/\\/u:p@h')).toBe(
      'postgres://me:[masked: password]@db:5432/x and redis://:[masked: password]@host, https:\\/\\/u:[masked: password]@h',
    );
    expect(plain.json({ headers: { 'X-Api-Key': 'abcdef1234567890', access_token: ['none'] } })).toEqual({
      headers: { 'X-Api-Key': '[masked: secret]', access_token: ['none'] },
    });
  });

  it.each([
    'bearer abcd1234',
    'Basic dTpwYXNzd29yZA==',
    '://:x@',
    'redis://:p@h',
    "apikey = 'abcdef123456'",
    'api_key:abcdef123456',
    'CLIENT-SECRET=abcdef123456',
    '?sig=abcdef123456',
    'AKIAABCDEFGHIJKLMNOP',
    'eyJabcdefgh.abcd.abcd',
  ])('are masked in a string that contains nothing else: %s', (text) => {
    expect(plain.text(text)).toContain('[masked: ');
  });

  it('do not include ordinary words, slugs and URLs', () => {
    for (const text of [
      'a task-oriented-and-very-long-word, desk-2024-10-11-morning-shift',
      'The authorization: required for everybody',
      '{"token":"granted","authorization":"not needed here"}',
      'Basic understanding of the bearer market, Basic Authentication and Bearer authentication',
      'sk-and-more-of-a-slug-without-digits, sk-2024-annual-report-of-us',
      'Basic JavaScript/TypeScript, bearer token-based-authorization',
      'see https://example.com:8080/@someone and mailto:me@example.com, git@github.com:a/b.git',
      'https://[::1]:3000/a?key=value&token=abc',
      'the AKIA prefix, the AIza prefix, eyJ, -----BEGIN PUBLIC KEY-----',
      'C:\\new\\table\\user',
    ]) {
      expect(mask.text(text)).toBe(text);
    }
  });

  it('are not masked if the eval set contains exactly the same string', () => {
    const open = [{ text: `Bearer ${body}` }, { args: { api_key: 'abcdef123456' } }, 'https://me:hunter2@db'];
    const some = secretMask({ environment, open });
    for (const text of [`Bearer ${body}`, `{"a":"Bearer ${body}"}`, 'x://you:hunter2@db']) {
      expect(some.text(text)).toBe(text);
    }
    expect(some.json({ api_key: 'abcdef123456' })).toEqual({ api_key: 'abcdef123456' });
    expect(some.text(`Bearer ${body}x`)).toBe('Bearer [masked: bearer token]');
  });
});

describe('SecretMask.json()', () => {
  it('masks strings and keys, and changes nothing else', () => {
    const value = JSON.parse(
      '{"__proto__":{"a":["correct-horse-battery"]},"correct-horse-battery":1,"b":[null,true,0.5]}',
    );
    expect(JSON.stringify(mask.json(value))).toBe(
      '{"__proto__":{"a":["[masked: GOOGLE_API_KEY]"]},"[masked: GOOGLE_API_KEY]":1,"b":[null,true,0.5]}',
    );
    expect(value['correct-horse-battery']).toBe(1);
  });

  it('returns the same value if it contains no secret', () => {
    const value = { a: [{ b: 'c' }, 1, null, undefined] };
    expect(mask.json(value)).toBe(value);
  });

  it('reads the environment for every value that could contain a new secret, and for no other values', () => {
    let read = 0;
    const variables: Record<string, string> = {};
    const counting = secretMask({
      environment: () => {
        read += 1;
        return [variables];
      },
    });
    const score = { kind: 'criterion', value: 0.25, turns: [{ label: 'no match' }, { value: 1 }] };
    expect(counting.json(score)).toBe(score);
    const before = read;
    expect(counting.json({ ...score, value: 0.5 })).toEqual({ ...score, value: 0.5 });
    expect(read).toBe(before);
    variables.SHOP_API_KEY = 'correct-horse';
    variables.PIN_TOKEN = '123456789012';
    for (const value of ['correct-horse', { a: 123456789012 }, [{ 'correct-horse': 1 }], ['correct', '-horse']]) {
      expect(JSON.stringify(counting.json(value))).toMatch(/\[masked: (?:SHOP_API_KEY|PIN_TOKEN)\]/);
    }
    expect(read).toBe(before + 4);
  });

  it('numbers keys that become equal when masked', () => {
    const masked = plain.json({ [`ghp_${'a1'.repeat(18)}`]: 1, a: 2, [`ghp_${'b2'.repeat(18)}`]: 3 });
    expect(masked).toEqual({ '[masked: GitHub token]': 1, a: 2, '[masked: GitHub token] (2)': 3 });
    expect(plain.json(masked)).toBe(masked);
  });

  it('masks values that are nested 2000 levels deep', () => {
    let value: unknown = 'correct-horse-battery';
    for (let depth = 0; depth < 2000; depth++) value = depth % 2 === 0 ? [value] : { a: value };
    expect(JSON.stringify(mask.json(value))).toContain('"[masked: GOOGLE_API_KEY]"');
  });

  it('does not mask the base64 data of files', () => {
    const data = `AIza${'a1B2'.repeat(300)}`;
    const part = { inlineData: { mimeType: 'image/png', data } };
    expect(mask.json(part)).toBe(part);
    expect(mask.json({ data })).toEqual({ data: '[masked: Google API key]' });
  });
});

const words = fc.stringMatching(/^[a-z]{1,11}$/);
const ordinary = fc.oneof(
  words,
  fc.constantFrom(' ', '\n', '"', '\\', '\\n', '{', '}', ':', ', ', '/', 'é', '😀', '€ 1'),
);
const text = fc.array(ordinary, { maxLength: 20 }).map((parts) => parts.join(''));
const json = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, text, fc.integer(), fc.constant(null), fc.array(tie('value')), tie('object')),
  object: fc.dictionary(text, tie('value')),
})).value;
const secrets: readonly string[] = [
  ...['GOOGLE_API_KEY', 'DB_PASSWORD', 'ADMIN_PASSWORD_2', 'SIGNING_KEY', 'SESSION_KEY'].map((name) =>
    environment[name as keyof typeof environment].trim(),
  ),
  `AIza${'Sy0'.repeat(12)}`,
  `ya29.${'x9'.repeat(12)}`,
];
const separators = fc.constantFrom(' ', '"', '\n', '\\', ':', '\\n', ',', '=');

describe('secretMask()', () => {
  it('does not change a text without secrets', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(mask.json(value)).toBe(value);
        const written = JSON.stringify(value);
        expect(mask.text(written)).toBe(written);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('is idempotent', () => {
    const some = fc.oneof(
      text,
      fc.constantFrom(...secrets, 'Bearer abc12345', 'https://a:b@c', 'api_key=0123456789ab'),
    );
    fc.assert(
      fc.property(fc.array(some), separators, (parts, between) => {
        const masked = mask.text(parts.join(between));
        expect(mask.text(masked)).toBe(masked);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('masks a secret in any text, key or level of nested JSON', () => {
    const place = fc.record({
      secret: fc.constantFrom(...secrets),
      before: text,
      after: text,
      asKey: fc.boolean(),
      depth: fc.nat(3),
      sides: fc.tuple(separators, separators),
    });
    fc.assert(
      fc.property(json, place, (around, { secret, before, after, asKey, depth, sides }) => {
        let value: unknown = `${before}${sides[0]}${secret}${sides[1]}${after}`;
        value = asKey ? { [String(value)]: around } : { here: [around, value] };
        for (let level = 0; level < depth; level++) value = [JSON.stringify(value), around];
        let left: unknown = mask.json(value);
        // Parses each level of nested JSON, and checks the innermost one.
        for (let level = 0; level <= depth; level++) {
          const written = level === depth ? textsOf(left).join('\n\n') : '';
          expect(written).not.toContain(secret);
          if (level < depth) left = JSON.parse((left as string[])[0] as string);
        }
      }),
      { numRuns: runs(5000) },
    );
  });

  it.each([
    ['eyJ', '-'],
    ['eyJaaaaaaaa.', ''],
    ['sk-', ''],
    ['npm_', ''],
    ['AIza', ''],
    ['ghp_', ' '],
    ['Bearer ', ''],
    ['://', ''],
    ['://a:', ''],
    ['a:b@', ''],
    ['api_key=', ''],
    ['api_key', '"'],
    ['?key=', ''],
    ['-----BEGIN PRIVATE KEY-----', ''],
    ['\\', ''],
    ['\\"', ''],
    ['\\u005c', ''],
    ['correct-horse-', ''],
    ['[masked: ', ''],
    ['a', ''],
    ['password=', ''],
    ['"auth":"', ''],
    ['cookie: a=', ''],
    ['authorization: token ', ''],
    ['authorization', ' '],
    ['SG.', ''],
    ['1:AA', ''],
    ['hooks.slack.com/services/', ''],
    ['://a:b1/', ''],
    ['://aaaaaaaaaaaaaaaa', ''],
    ['-----BEGIN PGP PRIVATE KEY BLOCK-----', '"'],
    ['4/0A', ''],
    ['%', ''],
    ['%25', ''],
    ['%e2%82%ac', ''],
    ['&amp;', ''],
    ['\n', ''],
    ['\u200b', 'a'],
    ['Y29ycmVj', ''],
  ])('masks a long repetition of %j%j before the test times out', (piece, between) => {
    const long = (piece + between).repeat(Math.ceil((allRuns ? 1_000_000 : 250_000) / (piece + between).length));
    expect(mask.text(long).length).toBeGreaterThan(0);
    expect(mask.text(`://${long}@ Bearer ${long}`).length).toBeGreaterThan(0);
  });
});

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsOf(item)]);
}
