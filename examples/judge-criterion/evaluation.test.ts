import { fileURLToPath } from 'node:url';
import { evaluate } from '@agent-criteria/project';
import { loadProjectConfig } from '@agent-criteria/project/config';
import { expect, it } from 'vitest';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const evaluated = loadProjectConfig(here('agent-criteria.config.ts')).then((project) =>
  evaluate({ agent: here('agent.ts'), evalSet: here('energy.evalset.json'), project, environment: {} }),
);

it('comes from the config by its path, and fails the answer whose numbers nobody understands', async () => {
  const { cases, problems, warnings } = await evaluated;
  expect({ problems, warnings }).toEqual({ problems: [], warnings: [] });
  expect(cases.map(({ caseId, verdict }) => [caseId, verdict])).toEqual([
    ['electricity', 'passed'],
    ['gas', 'failed'],
    ['price_then_thanks', 'passed'],
  ]);
  expect(cases[1]?.reason).toContain('Nothing says what 31 measures.');
});

it('asks nobody about an answer without numbers', async () => {
  const { cases, calls } = await evaluated;
  const thanks = cases[2]?.criteria[0]?.turns[1]?.score;
  expect(thanks).toMatchObject({ value: null, missing: 'not-applicable', reason: 'the answer has no number' });
  expect(calls.map(({ key, turn }) => [key.caseId, turn])).not.toContainEqual(['price_then_thanks', 1]);
  // Two samples of three agree, so that the third is not asked for.
  expect(calls).toHaveLength(3 * 2);
});
