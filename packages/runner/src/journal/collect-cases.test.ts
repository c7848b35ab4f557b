import { createRegistry, resolveEvalConfig } from '@agent-criteria/core/host';
import { evalCase, evalSet, inference } from '@agent-criteria/core/testing';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import type { RunCall } from '@agent-criteria/results';
import { expect, it } from 'vitest';
import { collectCases } from './collect-cases.ts';
import { noJournal } from './memory-journal.ts';

const plan = resolveEvalConfig({
  evalSet: evalSet([evalCase('one', [{ user: 'Hi', answer: 'Hi' }])]),
  config: { criteria: { response_match_score: 1 } },
  registry: createRegistry([responseMatch]),
});

it('collectCases() returns calls in order of completion, and simultaneous ones in order of repeats', async () => {
  const held = collectCases({ plan, file: null, configFile: null, warnings: [] });
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

it('collectCases() returns the recorded turns even if other code modifies them later', async () => {
  const said = inference([{ user: 'Hi', answer: 'Hello' }], { ending: { by: 'abort', reason: 'interrupted' } });
  const held = collectCases({ plan, file: null, configFile: null, warnings: [] });
  const key = { setId: 'set', caseId: 'one', repeat: 0 };
  await held.in(noJournal).keepInference({ key, ticket: 1, seen: '', inference: said, startedAt: 0, endedAt: 1 });
  const [given] = held.cases(1, []);
  (said.invocations as unknown[]).pop();
  expect(given?.inferences[0]?.inference.invocations).toHaveLength(1);
});
