import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRegistry } from '@agent-criteria/core/host';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adkAgent } from './adk-agent.ts';
import { adkAgents } from './adk-agents.ts';

// Tests that need @google/adk are in the workspace's test/adk folder.

const marked = (mark: string, more: object = {}) => ({ name: 'it', [Symbol.for(`google.adk.${mark}`)]: true, ...more });
const agent = marked('baseAgent');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agent-criteria-adk-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function install(version: string): void {
  const place = join(folder, 'node_modules/@google/adk');
  mkdirSync(place, { recursive: true });
  const exports = { '.': { import: './index.js' }, './package.json': './package.json' };
  writeFileSync(join(place, 'package.json'), JSON.stringify({ name: '@google/adk', version, type: 'module', exports }));
}

describe('the adapter for ADK agents', () => {
  it('is registered as a plugin', () => {
    expect(createRegistry([adkAgents]).get('agent-adapter', 'adk')).toBe(adkAgents);
  });

  it.each([
    ['an agent', agent, true],
    ['a workflow', marked('workflow.workflow'), true],
    ['an App', marked('app', { rootAgent: agent }), true],
    ['a result of adkAgent()', adkAgent(() => agent), true],
    ['another object', { name: 'it', runAsync() {} }, false],
    ['a function', () => agent, false],
    ['a string', 'agent', false],
    ['null', null, false],
    ['nothing', undefined, false],
  ])('accepts() of %s (%s) returns %s', (_, value, taken) => {
    expect(adkAgents.accepts(value)).toBe(taken);
  });

  it("finds @google/adk from the agent's file, or reports what to install", () => {
    const file = join(folder, 'agent.ts');
    const told = (problem: string) =>
      expect.objectContaining({
        code: 'AGENT_NOT_FOUND',
        message: expect.stringMatching(new RegExp(`${problem}.*npm install @google/adk@2`)),
      });
    expect(() => adkAgents.adapt(agent, file)).toThrow(told('is not installed'));
    install('1.4.0');
    expect(() => adkAgents.adapt(agent, file)).toThrow(told('@google/adk 1.4.0 is installed'));
    install('2.3.1');
    expect(adkAgents.adapt(agent, file)).toMatchObject({ name: 'it', supportsStubs: true });
    expect(
      adkAgents.adapt(
        adkAgent(() => agent, { name: 'mine' }),
        file,
      ).name,
    ).toBe('mine');
    const elsewhere = adkAgent(agent, { from: join(tmpdir(), 'agent.ts') });
    expect(() => adkAgents.adapt(elsewhere, file)).toThrow(told('is not installed'));
    expect(adkAgents.adapt(adkAgent(agent, { adk: {} }), join(tmpdir(), 'agent.ts')).name).toBe('it');
  });
});

describe('adkAgent()', () => {
  it('takes its name from the option, the agent or the function', () => {
    expect(adkAgent(agent).name).toBe('it');
    expect(adkAgent(agent, { name: 'mine' }).name).toBe('mine');
    expect(adkAgent(() => agent).name).toBe('adk');
    expect(
      adkAgent(function kitchen() {
        return agent;
      }).name,
    ).toBe('kitchen');
  });

  it.each([
    [{ maxLlmCalls: 0 }],
    [{ maxLlmCalls: 1.5 }],
    [{ maxLlmCalls: Number.NaN }],
    [{ runConfig: { maxLlmCalls: -1 } }],
  ])('rejects %j', (options) => {
    expect(() => adkAgent(agent, options)).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
  });

  it('rejects a value that is not an ADK agent', () => {
    expect(() => adkAgent({ name: 'x' })).toThrow(expect.objectContaining({ code: 'AGENT_NOT_FOUND' }));
  });
});
