import '@agent-criteria/criteria-rouge';
import '@agent-criteria/criteria-trajectory';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { evaluate } from '@agent-criteria/project';
import { describe, expect, it } from 'vitest';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const samples = here('../../../shared/fixtures/contributing/samples/evaluation');

describe('the example, evaluated', () => {
  it('passes all cases but the one that fails on purpose, and says why', async () => {
    const result = await evaluate({ agent: here('.'), evalSet: here('home-automation.evalset.json') });
    const bad = result.cases.filter((one) => one.verdict !== 'passed');
    expect(bad.map((one) => [one.caseId, one.verdict])).toEqual([
      ['fails_on_purpose_fahrenheit_read_as_celsius', 'failed'],
    ]);
    expect(bad[0]?.reason).toContain('args.temperature');
    expect(result).toMatchObject({ exitCode: 1, total: 12 });
    // Everything was scored: no verdict rests on a part of the turns.
    expect(result.cases.flatMap((one) => one.criteria.map((criterion) => criterion.coverage))).toEqual(
      Array(24).fill(1),
    );
  });

  it('gives the same result again, whatever the order in which conversations end', async () => {
    const options = { agent: here('.'), evalSet: here('home-automation.evalset.json') };
    const [first, second] = await Promise.all([
      evaluate({ ...options, concurrency: { agents: 1 } }),
      evaluate({ ...options, concurrency: { agents: 12 } }),
    ]);
    const scores = ({ cases }: typeof first) =>
      cases.map(({ caseId, verdict, criteria }) => [caseId, verdict, criteria.map(({ score }) => score)]);
    expect(scores(second)).toEqual(scores(first));
  });

  // ADK's own samples are not part of this repository.
  it.skipIf(!existsSync(samples)).each([
    ['basic_criteria/home_automation.evalset.json', 'basic_criteria/eval_config.json', 2],
    ['test_file_vs_evalset/multi_session.evalset.json', 'test_file_vs_evalset/eval_config.json', 2],
    ['test_file_vs_evalset/single_turn.test.json', 'test_file_vs_evalset/eval_config.json', 1],
  ])("passes ADK's %s, untouched", async (evalSet, config, total) => {
    const result = await evaluate({
      agent: here('agent.ts'),
      evalSet: `${samples}/${evalSet}`,
      config: `${samples}/${config}`,
    });
    expect(result.cases.map((one) => [one.caseId, one.verdict, one.reason])).toEqual(
      result.cases.map((one) => [one.caseId, 'passed', undefined]),
    );
    expect(result.total).toBe(total);
  });
});
