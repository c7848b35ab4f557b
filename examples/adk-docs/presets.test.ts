import { join } from 'node:path';
import { evaluate } from '@agent-criteria/project';
import { afterAll, describe, expect, it } from 'vitest';
import { command, emptyFolder, inFolder, started } from './command.ts';
import { judgedBy, type Opinion } from './scripted-judge.ts';
import { KEYS, registryOf } from './walk.ts';

const PRESETS: Readonly<Record<string, readonly string[]>> = {
  ci: ['tool_trajectory_avg_score', 'response_match_score'],
  correctness: ['final_response_match_v2', 'hallucinations_v1'],
  quality: ['rubric_based_final_response_quality_v1', 'safety_v1'],
  tools: ['rubric_based_tool_use_quality_v1', 'tool_trajectory_avg_score'],
  'public-facing': ['hallucinations_v1', 'safety_v1'],
};

const root = emptyFolder();
afterAll(() => root.remove());
const made = new Map<string, Promise<string>>();

/** The folder that `init --preset` makes, once for each preset. */
function projectOf(preset: string): Promise<string> {
  const make = async () => {
    const folder = join(root.path, preset);
    const { code, err } = await command(['init', folder, '--preset', preset], root.path);
    expect([code, err]).toEqual([0, '']);
    return folder;
  };
  const folder = made.get(preset) ?? make();
  made.set(preset, folder);
  return folder;
}

/** Its agent on its eval set, judged by its config. */
async function evaluatePreset(preset: string, opinion: Opinion) {
  const folder = await projectOf(preset);
  return evaluate({
    agent: folder,
    evalSet: join(folder, 'workshop.evalset.json'),
    registry: registryOf(),
    policies: judgedBy(opinion),
    environment: KEYS,
  });
}

describe.each(Object.entries(PRESETS))('init --preset %s', (preset, criteria) => {
  it('judges by the criteria of the guide, and its example passes', async () => {
    const { plan, cases, exitCode } = await evaluatePreset(preset, () => true);
    expect(plan.criteria.map(({ name }) => name)).toEqual(criteria);
    expect(plan.warnings).toEqual([]);
    expect(cases.map(({ verdict }) => verdict)).toEqual(['passed', 'passed', 'passed']);
    expect(exitCode).toBe(0);
  });

  it.each(criteria.filter((name) => !['tool_trajectory_avg_score', 'response_match_score'].includes(name)))(
    'a no of %s fails the case, and no other',
    async (name) => {
      const result = await evaluatePreset(
        preset,
        (question) => question.criterion !== name || question.caseId !== 'open_on_saturday',
      );
      expect(result.cases.map(({ caseId, verdict }) => [caseId, verdict])).toEqual([
        ['closed_on_sunday', 'passed'],
        ['open_on_saturday', 'failed'],
        ['asks_for_the_day_then_books', 'passed'],
      ]);
      expect(result.cases[1]?.criteria.map((one) => [one.name, one.score])).toEqual(
        criteria.map((one) => [one, one === name ? 0 : 1]),
      );
      expect(result.exitCode).toBe(1);
    },
  );
});

it('a rubric of a preset that is met by half counts by half', async () => {
  const result = await evaluatePreset('quality', ({ rubric }) => !rubric?.includes('in plain words'));
  expect(result.cases.map(({ criteria }) => criteria[0]?.score)).toEqual([0.5, 0.5, 0.5]);
  expect(result.exitCode).toBe(1);
});

it('the preset for CI runs with the command alone', async () => {
  const folder = await projectOf('ci');
  const { code, out } = await inFolder((elsewhere) =>
    started(['eval', folder, join(folder, 'workshop.evalset.json')], elsewhere),
  );
  expect(code).toBe(0);
  expect(out).toContain('3 passed of 3 cases');
});
