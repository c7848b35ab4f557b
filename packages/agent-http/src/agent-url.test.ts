import { CriteriaError } from '@agent-criteria/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAgentUrl, urlOfApp } from './agent-url.ts';
import { http } from './pure.ts';

describe('readAgentUrl()', () => {
  it.each([
    ['http://127.0.0.1:8000', 'http://127.0.0.1:8000', null],
    ['http://127.0.0.1:8000/', 'http://127.0.0.1:8000', null],
    ['HTTPS://Agents.example', 'https://agents.example', null],
    ['http://127.0.0.1:8000/apps/my_app', 'http://127.0.0.1:8000', 'my_app'],
    ['http://127.0.0.1:8000/apps/my_app/', 'http://127.0.0.1:8000', 'my_app'],
    ['http://127.0.0.1:8000/apps/my%20app', 'http://127.0.0.1:8000', 'my app'],
    ['http://127.0.0.1:8000?app=my_app', 'http://127.0.0.1:8000', 'my_app'],
    ['http://127.0.0.1:8000/?app=my+app', 'http://127.0.0.1:8000', 'my app'],
    ['http://127.0.0.1:8000/apps/a?app=a', 'http://127.0.0.1:8000', 'a'],
    ['https://agents.example/adk/v1/apps/my_app', 'https://agents.example/adk/v1', 'my_app'],
    ['https://agents.example/adk/?app=my_app', 'https://agents.example/adk', 'my_app'],
    ['https://agents.example/apps/apps', 'https://agents.example', 'apps'],
    ['http://127.0.0.1:8000/dev-ui/?app=my_app&session=5&userId=user', 'http://127.0.0.1:8000', 'my_app'],
    ['http://127.0.0.1:8000/dev-ui', 'http://127.0.0.1:8000', null],
  ])('reads %s', (url, server, app) => {
    expect(readAgentUrl(url)).toStrictEqual({ server, app });
  });

  it.each([
    ['ftp://127.0.0.1', 'must start with http:// or https://'],
    ['http://', 'must start with http:// or https://'],
    ['http://ann:s3cret@127.0.0.1:8000/apps/a', 'do not put credentials in the URL'],
    ['http://127.0.0.1:8000/apps/a?key=s3cret', 'unknown parameter "key"'],
    ['http://127.0.0.1:8000/apps/a?app=b', 'the path names the app "a" and ?app= names "b"'],
    ['http://127.0.0.1:8000/apps/a/users/u/sessions', 'must end with its app: <server>/apps/<app>'],
    ['http://127.0.0.1:8000/apps', 'must end with its app: <server>/apps/<app>'],
    ['http://127.0.0.1:8000/apps/%E0%A4%A', 'is not URL-encoded correctly'],
    ['http://127.0.0.1:8000/?app=..', 'the app is "..", which cannot be part of the path'],
  ])('rejects %s', (url, message) => {
    const read = () => readAgentUrl(url);
    expect(read).toThrow(message);
    try {
      read();
    } catch (error) {
      expect(CriteriaError.is(error) && error.code).toBe('USAGE');
      expect(String(error)).not.toContain('s3cret');
    }
  });

  it('reads back any app name from a URL created by urlOfApp()', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text !== '.' && text !== '..');
    fc.assert(
      fc.property(name, (app) => {
        expect(readAgentUrl(urlOfApp('https://agents.example/base', app))).toStrictEqual({
          server: 'https://agents.example/base',
          app,
        });
      }),
    );
  });
});

describe('the agent adapter for URLs', () => {
  it('leaves agents of the A2A protocol to their adapter', () => {
    for (const url of ['a2a+http://a', 'https://a/.well-known/agent-card.json']) expect(http.accepts(url)).toBe(false);
  });

  it('accepts http and https URLs and nothing else', () => {
    for (const url of ['http://a', 'https://a/apps/b', 'HTTP://a']) expect(http.accepts(url)).toBe(true);
    for (const other of ['./agent.ts', 'ws://a', 'httpx://a', {}, null, () => 'http://a', 5]) {
      expect(http.accepts(other)).toBe(false);
    }
    expect(http.adapt('http://127.0.0.1:8000/apps/a', '').name).toBe('a');
  });
});
