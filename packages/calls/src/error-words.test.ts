import { expect, it } from 'vitest';
import { errorWords } from './error-words.ts';

it.each([
  ['{"error":{"code":400,"message":"bad key","status":"INVALID"}}', 'bad key'],
  ['[{"error":{"message":"quota"}}]', 'quota'],
  ['{"detail":"Not Found"}', 'Not Found'],
  ['{"detail":[{"loc":["body"],"msg":"missing"}]}', '[{"loc":["body"],"msg":"missing"}]'],
  ['{"status":400,"error":"Bad Request","message":"no such app"}', 'no such app'],
  ['{"error":"busy"}', 'busy'],
  ['{"reason": 7}', '{"reason":7}'],
  ['"in a text"', 'in a text'],
  ['null', 'null'],
  ['out\nof\torder ', 'out of order'],
  ['<html><title>502 Bad Gateway</title></html>', 'an HTML page, "502 Bad Gateway"'],
  ['{"error":{"message":"<html><h1>Denied</h1>"}}', 'an HTML page, "Denied"'],
  ['', ''],
])('errorWords() turns %s into "%s"', (text, words) => {
  expect(errorWords(text)).toBe(words);
});

it('errorWords() truncates long bodies and accepts deeply nested JSON', () => {
  expect(errorWords('x'.repeat(10_000))).toBe(`${'x'.repeat(500)}…`);
  expect(errorWords(`{"error":{"details":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`)).toMatch(
    /^\{"error".{400,}…$/,
  );
});
