import { expect, it } from 'vitest';
import { hiding } from './hiding.ts';

it.each([
  [['Bearer abcd1234'], 'no abcd1234 here', 'no [redacted] here'],
  [['Bearer abcd1234'], 'Bearer abcd1234', '[redacted]'],
  [['abcd', 'abcd1234'], 'abcd1234 abcd', '[redacted] [redacted]'],
  [['x', ''], 'a text with an x', 'a text with an x'],
  [['Bearer abcd1234'], 'Bearer tokens are refused', 'Bearer tokens are refused'],
])("hiding(%j) redacts credentials in a server's text: %s", (credentials, text, hidden) => {
  expect(hiding(credentials)(text)).toBe(hidden);
});
