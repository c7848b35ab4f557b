import { CriteriaError } from '@agent-criteria/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { describeCard, parseAgentCard, takesFiles } from './agent-card.ts';

const old = { name: 'dice', url: 'https://a.example/rpc', protocolVersion: '0.3.0' };
const jsonRpc = { url: 'https://a.example/v1', protocolBinding: 'JSONRPC', protocolVersion: '1.0' };
const parse = (card: object) => parseAgentCard(card, 'card');

describe('parseAgentCard()', () => {
  it('reads a card of version 0.3', () => {
    const { endpoint, isStreaming } = parse({ ...old, capabilities: { streaming: true } });
    expect(endpoint).toEqual({ url: new URL(old.url), version: '0.3', tenant: null });
    expect(isStreaming).toBe(true);
  });

  it('reads a card of version 1, with a tenant', () => {
    const { endpoint, isStreaming } = parse({ name: 'dice', supportedInterfaces: [{ ...jsonRpc, tenant: 'a' }] });
    expect(endpoint).toEqual({ url: new URL(jsonRpc.url), version: '1.0', tenant: 'a' });
    expect(isStreaming).toBe(false);
  });

  it('takes a card without a version for one of 0.3', () => {
    expect(parse({ name: 'dice', url: old.url }).endpoint.version).toBe('0.3');
  });

  it('prefers the newer version where both are offered, in any order', () => {
    const older = { ...jsonRpc, protocolVersion: '0.3', url: 'https://a.example/v0' };
    expect(parse({ name: 'dice', supportedInterfaces: [older, jsonRpc] }).endpoint.version).toBe('1.0');
    expect(parse({ ...old, supportedInterfaces: [jsonRpc] }).endpoint.url.href).toBe(jsonRpc.url);
  });

  it('finds JSON-RPC among the other interfaces', () => {
    const additionalInterfaces = [{ url: 'https://a.example/b', transport: 'JSONRPC' }];
    const { endpoint } = parse({ ...old, preferredTransport: 'GRPC', additionalInterfaces });
    expect(endpoint.url.href).toBe('https://a.example/b');
  });

  it.each([
    [{ ...old, preferredTransport: 'HTTP+JSON' }, 'NOT_SUPPORTED', 'offers HTTP+JSON 0.3.0, but only JSONRPC'],
    [{ name: 'dice', supportedInterfaces: [{ ...jsonRpc, protocolVersion: '2.0' }] }, 'NOT_SUPPORTED', 'JSONRPC 2.0'],
    [{ name: 'dice' }, 'NOT_SUPPORTED', 'offers no interface'],
    [{ ...old, name: '' }, 'AGENT_FAILED', 'it has no name'],
    [{ ...old, url: 'file:///etc/passwd' }, 'AGENT_FAILED', 'must start with http:// or https://'],
    [{ ...old, url: 'https://ada:s3cret@a.example' }, 'AGENT_FAILED', 'has credentials'],
    [
      { ...old, capabilities: { extensions: [{ uri: 'https://x.example/pay', required: true }] } },
      'NOT_SUPPORTED',
      'requires extensions of the protocol (https://x.example/pay)',
    ],
    [[], 'AGENT_FAILED', 'it is not an object'],
  ])('rejects %j with %s', (card, code, message) => {
    expect(() => parse(card)).toThrow(expect.objectContaining({ code, message: expect.stringContaining(message) }));
  });

  it('reads any JSON, or throws a CriteriaError', () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.record({
        name: fc.constantFrom('a', 1, null),
        url: fc.constantFrom('https://a.example', 'x', 1),
        capabilities: fc.jsonValue(),
        skills: fc.jsonValue(),
        supportedInterfaces: fc.oneof(fc.jsonValue(), fc.constant([jsonRpc, null, 1])),
      }),
    );
    fc.assert(
      fc.property(value, (card) => {
        try {
          expect(parseAgentCard(card, 'card').name).not.toBe('');
        } catch (error) {
          if (!CriteriaError.is(error)) throw error;
        }
      }),
      { numRuns: runs(2000) },
    );
  });
});

it.each([
  [['text/plain'], false],
  [['text'], false],
  [['text/plain; charset=utf-8', 'application/json'], false],
  [[], false],
  [['text/plain', 'image/png'], true],
  [['*/*'], true],
])('an agent with the input modes %j takes files: %s', (defaultInputModes, expected) => {
  expect(takesFiles(parse({ ...old, defaultInputModes }))).toBe(expected);
});

it('an agent takes files if one of its skills does', () => {
  const skills = [{ name: 'look', inputModes: ['image/*'] }];
  expect(takesFiles(parse({ ...old, defaultInputModes: ['text/plain'], skills }))).toBe(true);
});

it('a card is described with its skills', () => {
  const skills = [{ id: 'roll', name: 'Rolling', description: 'Rolls a die.' }, { id: 'stop' }];
  expect(describeCard(parse({ ...old, description: 'Dice.', skills }))).toEqual({
    name: 'dice',
    type: 'A2A',
    description: 'Dice.\nRolling: Rolls a die.\nstop',
  });
});
