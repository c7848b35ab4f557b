import { defineCriterion, noOptions } from '@agent-criteria/core';
import { caseVerdict, createRegistry, resolveEvalConfig, scoreUnit, summariseCase } from '@agent-criteria/core/host';
import { evalSet, scriptedModel, unit } from '@agent-criteria/core/testing';
import { finalResponseQuality } from '@agent-criteria/criteria-llm-judge/pure';
import { perTurnUserSimulatorQuality } from '@agent-criteria/user-simulator/pure';
import { rubricAnswer } from '../../../packages/criteria-llm-judge/src/__fixtures__/judges.ts';
import { rubric } from '../../../packages/criteria-llm-judge/src/__fixtures__/rubrics.ts';
import { asScore, type Status } from '../as-lines-say.ts';
import { areaDriver, type Driver } from '../driver.ts';
import { refusalOf, statusOf, throughCore, turnsOf } from '../through-core.ts';

// The verdict of a case based on its metrics, and cases to which metrics do not apply.

const VALUES = { PASSED: 1, FAILED: 0, NOT_EVALUATED: null } as const;

async function statusOfCase(statuses: readonly Status[]): Promise<Status> {
  // A config without a criterion is rejected.
  if (statuses.length === 0) return statusOf(caseVerdict(false, []));
  const criteria = statuses.map((status, index) =>
    defineCriterion({
      name: `criterion_${index}`,
      origin: { package: 'test', version: '1.0.0' },
      description: 'Stands for one.',
      decides: true,
      range: { min: 0, max: 1, better: 'higher' },
      options: noOptions,
      scope: 'turn',
      evaluate: () => asScore(VALUES[status]),
    }),
  );
  const { evalCase, inference } = turnsOf(1);
  const plan = resolveEvalConfig({
    evalSet: evalSet([evalCase]),
    config: { criteria: Object.fromEntries(criteria.map(({ name }) => [name, 1])) },
    registry: createRegistry(criteria),
    compat: 'adk',
  });
  const { verdict } = summariseCase(plan, evalCase, [await scoreUnit(plan, unit(evalCase), inference)]);
  return statusOf(verdict);
}

interface Again {
  readonly caseRubrics: readonly { readonly id: string }[];
  readonly evaluateCalls: number;
}

export const caseDrivers: readonly Driver[] = [
  areaDriver<{ metricStatuses: readonly Status[] }, Status>('case.status', async ({ input, expected }) => ({
    adk: expected,
    ours: await statusOfCase(input.metricStatuses),
  })),
  areaDriver<{ metric: string; case: string }, { status: Status }>('case.scenario', ({ expected }) => ({
    adk: expected.status,
    ours: refusalOf({
      criterion: perTurnUserSimulatorQuality,
      evalCase: turnsOf(1).evalCase,
      threshold: 1,
      compat: null,
    }),
    lines: ['criterion-that-never-applies'],
    expected: 'NEEDS_UNMET',
  })),
  areaDriver<Again, { error: string }>('case.rerun', async ({ input, expected }) => {
    const { evalCase, inference } = turnsOf(1);
    const rubrics = input.caseRubrics.map(({ id }) => rubric(id, 'FINAL_RESPONSE_QUALITY'));
    const judge = scriptedModel((request) => rubricAnswer(request, () => 'yes'));
    const scores: (number | null)[] = [];
    for (let call = 0; call < input.evaluateCalls; call += 1) {
      const { criterion } = await throughCore({
        criterion: finalResponseQuality,
        evalCase: { ...evalCase, rubrics },
        inference,
        judge,
        threshold: 1,
        compat: null,
      });
      scores.push(criterion.score);
    }
    return { adk: expected, ours: scores, lines: ['input-data'], expected: [1, 1] };
  }),
];
