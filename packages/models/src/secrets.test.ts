import { describe, expect, it } from 'vitest';
import { jsonWithoutSecrets, withoutSecrets } from './secrets.ts';

const environment = {
  GEMINI_API_KEY: 'correct-horse-battery',
  NPM_TOKEN: 'correct-horse-battery-staple',
  DB_PASSWORD: ' s3cret-of-the-db ',
  SHORT_KEY: 'abc',
  EMPTY_KEY: '',
  MONKEY: 'bananas-for-all',
  HOME: '/home/of/somebody',
};

describe('withoutSecrets', () => {
  it('takes out the values of secret variables, the longest first', () => {
    expect(withoutSecrets('a correct-horse-battery-staple, a correct-horse-battery', environment)).toBe(
      'a [redacted NPM_TOKEN], a [redacted GEMINI_API_KEY]',
    );
    expect(withoutSecrets('s3cret-of-the-db', environment)).toBe('[redacted DB_PASSWORD]');
  });

  it('leaves what only looks like it', () => {
    for (const text of [
      'abc, bananas-for-all, /home/of/somebody',
      'a task-oriented-and-very-long-word',
      'The authorization: required for everybody',
      '{"token":"granted","authorization":"not needed here"}',
      'Basic understanding of the bearer market',
      'sk-and-more-of-a-slug-without-digits',
    ]) {
      expect(withoutSecrets(text, environment)).toBe(text);
    }
  });

  it.each([
    ['Google', `AIza${'Sy0'.repeat(12)}`],
    ['Google, of Vertex AI in express mode', `AQ.${'Ab8R'.repeat(12)}`],
    ['Google, short-lived', `ya29.${'a0'.repeat(20)}`],
    ['OpenAI', `sk-proj-${'a1'.repeat(20)}`],
    ['Anthropic', `sk-ant-api03-${'a1'.repeat(20)}`],
    ['GitHub', `ghp_${'a1'.repeat(18)}`],
    ['AWS', `AKIA${'A1'.repeat(8)}`],
    ['JSON Web Token', `eyJ${'hb'.repeat(10)}.eyJ${'zd'.repeat(10)}.${'c2'.repeat(10)}`],
  ])('knows keys by their form: %s', (_name, key) => {
    expect(withoutSecrets(`the key "${key}" is wrong`, {})).toBe('the key "[redacted]" is wrong');
  });

  it('knows keys by what introduces them', () => {
    expect(withoutSecrets('Authorization: Bearer abcdef1234567890', {})).toBe('Authorization: Bearer [redacted]');
    expect(withoutSecrets("{'x-api-key': 'abcdef1234567890'}", {})).toBe("{'x-api-key': '[redacted]'}");
    expect(withoutSecrets('https://a.example/?key=abcdef1234567890&b=1', {})).toBe(
      'https://a.example/?key=[redacted]&b=1',
    );
  });
});

describe('jsonWithoutSecrets', () => {
  it('changes every text and every key, and nothing else', () => {
    const value = JSON.parse(
      '{"__proto__":{"a":["correct-horse-battery"]},"correct-horse-battery":1,"b":[null,true,0.5]}',
    );
    expect(JSON.stringify(jsonWithoutSecrets(value, environment))).toBe(
      '{"__proto__":{"a":["[redacted GEMINI_API_KEY]"]},"[redacted GEMINI_API_KEY]":1,"b":[null,true,0.5]}',
    );
    expect(value['correct-horse-battery']).toBe(1);
  });
});
