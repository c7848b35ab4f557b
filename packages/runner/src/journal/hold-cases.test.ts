import { createRegistry, resolveEvalConfig } from '@agent-criteria/core/host';
import { evalCase, evalSet } from '@agent-criteria/core/testing';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import type { RunCall } from '@agent-criteria/results';
import { expect, it } from 'vitest';
import { holdCases } from './hold-cases.ts';
import { noJournal } from './no-journal.ts';

it('gives the calls of a case as they ended, and those that ended at once in the order of the repeats', async () => {
  const plan = resolveEvalConfig({
    evalSet: evalSet([evalCase('one', [{ user: 'Hi', answer: 'Hi' }])]),
    config: { criteria: { response_match_score: 1 } },
    registry: createRegistry([responseMatch]),
  });
  const held = holdCases({ plan, file: null, configFile: null, warnings: [] });
  const journal = held.in(noJournal);
  for (const [repeat, sample, endedAt] of [
    [2, 0, 5],
    [1, 0, 9],
    [1, 1, 5],
    [0, 0, 5],
    [1, 2, 5],
  ] as const) {
    const key = { setId: 'set', caseId: 'one', repeat };
    const call = { role: 'criterion', key, caller: 'asking', turn: 0, sample, target: 'judge', endedAt } as RunCall;
    await journal.keepCall({ id: `${repeat} ${sample}`, call, request: '', answer: null });
  }
  const [only] = held.cases(3, []);
  expect(only?.calls?.map(({ key, sample, endedAt }) => [key.repeat, sample, endedAt])).toEqual([
    [0, 0, 5],
    [1, 1, 5],
    [1, 2, 5],
    [2, 0, 5],
    [1, 0, 9],
  ]);
});
