import { expect, it } from 'vitest';
import { checkLoopback, isSameOrigin } from './card-origin.ts';

it.each([
  ['https://a.example/x', 'https://a.example:443/y', true],
  ['http://127.0.0.1:8000', 'http://localhost:8000/rpc', true],
  ['http://[::1]:8000', 'http://localhost:8000/rpc', true],
  ['http://127.0.0.1:8000', 'http://localhost:8001/rpc', false],
  ['https://localhost', 'http://localhost', false],
  ['https://a.example', 'http://a.example', false],
  ['https://a.example', 'https://b.example', false],
  ['https://a.example', 'https://a.example.evil.example', false],
])('%s and %s are one server: %s', (one, other, expected) => {
  expect(isSameOrigin(new URL(one), new URL(other))).toBe(expected);
});

it.each([
  'http://localhost:8000',
  'http://127.0.0.1/rpc',
  'http://[::1]:80',
  'http://0.0.0.0:8000',
  'http://a.localhost',
])('a card from another machine that names %s is rejected', (url) => {
  const card = new URL('https://agents.example/agent-card.json');
  expect(() => checkLoopback(new URL(url), card)).toThrow('this machine');
  expect(() => checkLoopback(new URL(url), new URL('http://127.0.0.1:8000'))).not.toThrow();
});

it('a card from another machine that names a third one is accepted', () => {
  expect(() =>
    checkLoopback(new URL('https://rpc.example'), new URL('https://agents.example/card.json')),
  ).not.toThrow();
});
