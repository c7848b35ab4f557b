import { createRegistry } from '@agent-criteria/core/host';
import { evalCase, evalSet } from '@agent-criteria/core/testing';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import { expect, it } from 'vitest';
import { openEvaluation } from './open-evaluation.ts';

const registry = createRegistry([toolTrajectory]);
const config = { criteria: { tool_trajectory_avg_score: 1 } };
const set = (id: string, ...cases: string[]) => ({
  ...evalSet(cases.map((one) => evalCase(one, [{ user: 'Hi', calls: [] }]))),
  evalSetId: id,
});
const evalSets = [set('home', 'lamp', 'door'), set('shop', 'hours')];
const options = { evalSets, registry, config };

it('openEvaluation keeps only cases that match a filter, and drops empty sets', async () => {
  const casesOf = async (filter: { readonly grep: readonly string[] }) => {
    const { sets, close } = await openEvaluation({ ...options, agent: () => 'Hi', filter });
    await close();
    return sets.map(({ plan: { evalSet: one } }) => [one.evalSetId, ...one.evalCases.map(({ evalId }) => evalId)]);
  };
  expect(await casesOf({ grep: ['home:d', 'shop'] })).toEqual([
    ['home', 'door'],
    ['shop', 'hours'],
  ]);
  expect(await casesOf({ grep: ['lamp'] })).toEqual([['home', 'lamp']]);
  await expect(casesOf({ grep: ['none'] })).rejects.toThrow('no case has "none" in SET:CASE or in a tag; the 3 cases:');
});

it('openEvaluation runs a case with the requested variant', async () => {
  const agent = [
    { variant: 'good', agent: () => 'Hi' },
    { variant: 'bad', agent: () => ({ text: 'Hi', toolCalls: [{ name: 'look', args: {} }] }) },
  ];
  const opened = await openEvaluation({ ...options, agent });
  const { result, record } = await opened.evaluateCase('home', 'lamp', { variant: 'bad' });
  expect(result).toMatchObject({ variant: 'bad', verdict: 'failed' });
  expect(record.info.variants).toMatchObject([{ name: 'bad', summary: { total: 1, exitCode: 1 } }]);
  expect((await opened.evaluateCase('home', 'lamp', { variant: 'good' })).result.verdict).toBe('passed');
  await expect(opened.evaluateCase('home', 'lamp')).rejects.toThrow(
    'name the variant that runs the case: the variants are good, bad',
  );
  await expect(opened.evaluateCase('home', 'lamp', { variant: 'none' })).rejects.toThrow(
    'there is no variant "none"; the variants are good, bad',
  );
  await opened.close();
  const single = await openEvaluation({ ...options, agent: () => 'Hi' });
  await expect(single.evaluateCase('home', 'lamp', { variant: 'good' })).rejects.toThrow(
    'there is no variant "good": there is one agent, without a name',
  );
  await single.close();
});
