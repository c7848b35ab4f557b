import { describe, expect, it } from 'vitest';
import { cardAddresses } from './card-address.ts';

describe('cardAddresses()', () => {
  it.each([
    [
      'https://a.example',
      ['https://a.example/.well-known/agent-card.json', 'https://a.example/.well-known/agent.json'],
    ],
    [
      'a2a+http://127.0.0.1:8000/weather/',
      [
        'http://127.0.0.1:8000/weather/.well-known/agent-card.json',
        'http://127.0.0.1:8000/weather/.well-known/agent.json',
      ],
    ],
    ['https://a.example/cards/weather.json', ['https://a.example/cards/weather.json']],
    ['a2a+https://a.example/agent.json#part', ['https://a.example/agent.json']],
  ])('%s has its card at %j', (url, expected) => {
    expect(cardAddresses(url).map(({ href }) => href)).toEqual(expected);
  });

  it.each(['ftp://a.example', 'a2a+', 'agent-card.json', ''])('%j is rejected', (url) => {
    expect(() => cardAddresses(url)).toThrow('must start with http:// or https://');
  });

  it.each(['https://ada:s3cret@a.example', 'https://a.example?key=s3cret'])(
    '%s is rejected, without its secret in the message',
    (url) => {
      expect(() => cardAddresses(url)).toThrow(/^(?!.*s3cret).*AGENT_CRITERIA_AGENT_TOKEN/);
    },
  );
});
