import { evalCase } from '@agent-criteria/core/testing';
import { expect, it } from 'vitest';
import { seenHash } from './unit.ts';

const stubs = [{ toolName: 'look', injectionConfigs: [{ injectedResponse: { found: 1 } }] }];
const plain = evalCase('one', [{ user: 'Hello', answer: 'Hi.' }]);

it('is the same whatever the case expects, and another one for all that the agent sees', () => {
  const more = { answer_length: { threshold: 1 } };
  for (const same of [evalCase('two', [{ user: 'Hello' }]), { ...plain, agentCriteria: more }]) {
    expect(seenHash(same)).toBe(seenHash(plain));
  }
  const others = [
    evalCase('one', [{ user: 'Hello!' }]),
    { ...plain, sessionInput: { appName: 'a', userId: 'u', state: { key: 1 } } },
    { ...plain, agentCriteria: { toolSimulationConfigs: stubs } },
    { ...plain, agentCriteria: { tool_simulation_configs: [{ ...stubs[0], toolName: 'see' }] } },
  ];
  expect(new Set([plain, ...others].map(seenHash)).size).toBe(5);
});
