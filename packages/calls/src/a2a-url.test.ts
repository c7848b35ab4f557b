import { expect, it } from 'vitest';
import { isA2aUrl } from './a2a-url.ts';

it.each([
  'a2a+http://127.0.0.1:8000',
  'A2A+HTTPS://agents.example/weather',
  'https://agents.example/.well-known/agent-card.json',
  'http://127.0.0.1:8000/weather/.well-known/agent.json',
  'https://agents.example/agent-card.json?tenant=a',
])('%s is recognised as an agent of the A2A protocol', (url) => {
  expect(isA2aUrl(url)).toBe(true);
});

it.each([
  'http://127.0.0.1:8000/apps/weather',
  'https://agents.example/?card=/agent-card.json',
  'https://agents.example/agent-card.json/apps/weather',
  'https://agents.example/my-agent.json',
  'a2a+ftp://agents.example',
  './agent.json',
])('%s is left to other adapters', (url) => {
  expect(isA2aUrl(url)).toBe(false);
});
