import { evalCase } from '@agent-criteria/core/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { caseText, keyText, seenHash } from './unit-key.ts';

const stubs = [{ toolName: 'look', injectionConfigs: [{ injectedResponse: { found: 1 } }] }];
const plain = evalCase('one', [{ user: 'Hello', answer: 'Hi.' }]);

it("seenHash() depends only on the agent's input, not on references", () => {
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

it('keyText() is unique for each key', () => {
  const name = fc.string({ unit: fc.constantFrom('1', ' ', 'a'), maxLength: 4 });
  const keys = fc.record(
    { setId: name, caseId: name, repeat: fc.nat(12), variant: fc.option(name, { nil: undefined }) },
    { requiredKeys: ['setId', 'caseId', 'repeat'] },
  );
  const whole = ({ setId, caseId, variant }: { setId: string; caseId: string; variant?: string | undefined }) =>
    JSON.stringify([setId, caseId, variant]);
  fc.assert(
    fc.property(keys, keys, (one, other) => {
      expect(caseText(one) === caseText(other)).toBe(whole(one) === whole(other));
      expect(keyText(one) === keyText(other)).toBe(whole(one) === whole(other) && one.repeat === other.repeat);
    }),
  );
});
