import type { CaseResult } from '@agent-criteria/core/host';
import { evalCase, inference } from '@agent-criteria/core/testing';
import type { RunCase } from '@agent-criteria/results';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { caseRow, cut } from './case-row.ts';

const result: CaseResult = {
  setId: 's',
  caseId: 'c',
  verdict: 'error',
  reason: 'x'.repeat(1000),
  criteria: [],
  units: [],
};
const key = { setId: 's', caseId: 'c', repeat: 0 };

it('caseRow() adds up the measured times of repeats, or else the durations of their turns', () => {
  const turns = inference([{ user: 'a' }, { user: 'b' }]);
  const timed = { ...turns, invocations: turns.invocations.map((turn) => ({ ...turn, duration: 0.75 })) };
  const one: RunCase = { setId: 's', evalCase: evalCase('c', [{ user: 'Hi' }]), result, inferences: [] };
  const time = (inferences: RunCase['inferences']) => caseRow({ ...one, inferences }, 0).time;
  expect(time([])).toBeNull();
  expect(time([{ key, inference: turns }])).toBeNull();
  expect(time([{ key, inference: timed }])).toBe(1500);
  expect(
    time([
      { key, inference: timed, startedAt: 10, endedAt: 30 },
      { key, inference: timed },
    ]),
  ).toBe(1520);
});

it("caseRow() adds up the agent's tokens, and marks the sum as incomplete if some calls did not report usage", () => {
  const said = inference([{ user: 'a' }]);
  const row = (usages: readonly (Record<string, number> | undefined)[]) => {
    const trace = usages.map((usage, place) => ({
      id: String(place),
      kind: 'model' as const,
      name: 'gemini',
      turn: 0,
      startedAt: 0,
      ...(usage !== undefined && { usage }),
    }));
    const one: RunCase = {
      setId: 's',
      evalCase: { evalId: 'c' },
      result,
      inferences: [0, 1].map((repeat) => ({ key: { ...key, repeat }, inference: { ...said, trace } })),
    };
    return caseRow(one, 0);
  };
  const told = { inputTokens: 10, outputTokens: 3 };
  expect(row([told, told])).toMatchObject({ tokens: 52 });
  expect(row([told, told])).not.toHaveProperty('moreTokens');
  expect(row([told, undefined])).toMatchObject({ tokens: 26, moreTokens: true });
  expect(row([undefined])).not.toHaveProperty('tokens');
  expect(row([])).not.toHaveProperty('tokens');
});

it('caseRow() takes the first message from the case, the record or the scenario', () => {
  const asked = (one: Partial<RunCase>) =>
    caseRow({ setId: 's', evalCase: { evalId: 'c' }, result, inferences: [], ...one }, 0).asked;
  expect(asked({ evalCase: evalCase('c', [{ user: 'Written' }]) })).toBe('Written');
  expect(asked({ inferences: [{ key, inference: inference([{ user: 'Recorded' }]) }] })).toBe('Recorded');
  const conversationScenario = { startingPrompt: 'Simulated', conversationPlan: '' };
  expect(asked({ evalCase: { evalId: 'c', conversationScenario } })).toBe('Simulated');
  expect(asked({})).toBe('');
});

it('caseRow() counts repeats that reached the turn limit', () => {
  const unit = { repeat: 0, sessionId: 's', verdict: 'passed', criteria: [] } as const;
  const units = (['turn-limit', 'user', 'turn-limit'] as const).map((by) => ({ ...unit, ending: { by } }));
  expect(
    caseRow({ setId: 's', evalCase: { evalId: 'c' }, result: { ...result, units }, inferences: [] }, 0).limited,
  ).toBe(2);
});

it('caseRow() includes the last answer of the first repeat that has one, truncated', () => {
  const one = { setId: 's', evalCase: { evalId: 'c' }, result, inferences: [] };
  const at = (repeat: number, ...turns: Parameters<typeof inference>[0]) => ({
    key: { ...key, repeat },
    inference: inference(turns),
  });
  const silent = at(0, { user: 'x' });
  const two = at(1, { user: 'x', answer: 'First' }, { user: 'y', answer: 'Last' });
  expect(caseRow({ ...one, inferences: [silent, two] }, 0).answered).toBe('Last');
  expect(caseRow({ ...one, inferences: [at(0, { user: 'x', answer: 'a'.repeat(500) })] }, 0).answered).toHaveLength(
    161,
  );
  expect(caseRow({ ...one, inferences: [silent] }, 0)).not.toHaveProperty('answered');
});

it('caseRow() counts masked secrets by kind', () => {
  const said = inference([{ user: 'x', answer: 'Bearer [masked: bearer token]' }]);
  const one = { setId: 's', evalCase: { evalId: 'c' }, result, inferences: [{ key, inference: said }] };
  expect(caseRow(one, 0).masked).toEqual({ 'bearer token': 1 });
  expect(caseRow({ ...one, inferences: [] }, 0)).not.toHaveProperty('masked');
});

it('cut() truncates long strings but never splits a character', () => {
  expect(caseRow({ setId: 's', evalCase: { evalId: 'c' }, result, inferences: [] }, 0).reason?.length).toBe(301);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, most) => {
      const short = cut(text, most);
      if (Buffer.from(text).toString() === text) expect(Buffer.from(short).toString()).toBe(short);
      expect(text.startsWith(short.replace(/…$/, ''))).toBe(true);
      if (text.length <= most) expect(short).toBe(text);
      else expect(short.length).toBeLessThanOrEqual(most + 1);
    }),
  );
});

it("caseRow() includes a case's tags and its number of distinct answers", () => {
  const ran = (repeat: number, text: string) => ({
    key: { ...key, repeat },
    inference: inference([{ user: 'a', answer: text }]),
  });
  const unit = (repeat: number) => ({
    repeat,
    sessionId: '',
    verdict: 'passed' as const,
    criteria: [],
    ending: { by: 'end-of-case' as const },
  });
  const one: RunCase = {
    setId: 's',
    evalCase: { evalId: 'c', agentCriteria: { tags: ['smoke'] } },
    result: { ...result, units: [unit(0), unit(1), unit(2)] },
    inferences: [ran(0, 'Yes'), ran(1, 'No'), ran(2, 'Yes')],
  };
  expect(caseRow(one, 0)).toMatchObject({ tags: ['smoke'], answers: 2, repeats: { passed: 3, total: 3 } });
  const once = caseRow({ ...one, evalCase: { evalId: 'c' }, result }, 0);
  expect(once).not.toHaveProperty('tags');
  expect(once).not.toHaveProperty('answers');
});
