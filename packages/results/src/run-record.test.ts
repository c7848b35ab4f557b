import { defineCriterion, noOptions } from '@agent-criteria/core';
import { type CaseResult, createRegistry, resolveEvalConfig } from '@agent-criteria/core/host';
import { evalCase, evalSet } from '@agent-criteria/core/testing';
import { expect, it } from 'vitest';
import { runRecord } from './run-record.ts';

const always = defineCriterion({
  name: 'always',
  origin: { package: 'test', version: '1.0.0' },
  description: 'Is 1.',
  decides: true,
  range: { min: 0, max: 1, better: 'higher' as const },
  options: noOptions,
  scope: 'turn',
  evaluate: () => ({ value: 1 }),
});
const facts = { id: 'run', startedAt: 0, endedAt: 1, agent: 'agent' };
const passed = (caseId: string): CaseResult => ({ setId: 'set', caseId, verdict: 'passed', criteria: [], units: [] });

function recorded(ids: readonly string[], cases: readonly CaseResult[]) {
  const set = evalSet(ids.map((id) => evalCase(id, [{ user: id }])));
  const plan = resolveEvalConfig({
    evalSet: set,
    config: { criteria: { always: 1 } },
    registry: createRegistry([always]),
  });
  return { plan, cases, inferences: [] };
}

it('runRecord counts a case without a result as an error, and gives the reason', async () => {
  const record = runRecord(facts, [recorded(['one', 'two'], [passed('one')])]);
  expect(record.summary).toMatchObject({ total: 2, exitCode: 3, verdicts: { passed: 1, error: 1 } });
  expect(record.sets[0]?.summary).toEqual(record.summary);
  expect((await record.case({ setId: 'set', caseId: 'two' }))?.result).toMatchObject({
    verdict: 'error',
    reason: 'no result is recorded',
  });
});

it('runRecord keeps the cases of two sets with the same id', async () => {
  const record = runRecord(facts, [recorded(['one'], [passed('one')]), recorded(['two'], [passed('two')])]);
  const ids: string[] = [];
  for await (const { evalCase: one } of record.cases()) ids.push(one.evalId);
  expect(ids).toEqual(['one', 'two']);
  expect((await record.case({ setId: 'set', caseId: 'one' }))?.result.verdict).toBe('passed');
});
