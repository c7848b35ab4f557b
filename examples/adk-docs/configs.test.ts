import { readdirSync } from 'node:fs';
import { CriteriaError } from '@agent-criteria/core';
import { evaluate } from '@agent-criteria/project';
import { knownCriteria } from '@agent-criteria/runner';
import { describe, expect, it } from 'vitest';
import type { Opinion } from './scripted-judge.ts';
import { here, outcome, partsOf, walk } from './walk.ts';

const files = readdirSync(here('configs'));
const FORMS = 'evals/forms.evalset.json';
/** Sets whose case says itself what is to be checked. */
const CHECKED = ['response_checks', 'tool_checks', 'path_checks', 'final_state_checks', 'max_turn_cost'];

describe('configs', () => {
  it('show every criterion, each in more than one form', () => {
    for (const { name } of knownCriteria) {
      const forms = files.filter((file) => file.startsWith(`${name}.`));
      expect(forms, name).toContain(`${name}.number.json`);
      expect(forms.length, name).toBeGreaterThan(1);
    }
  });

  it('are all read, and name the criterion of their file', async () => {
    for (const file of files) {
      const [name = ''] = file.split('.');
      const ofCriterion = CHECKED.includes(name) ? `checks/${name}.evalset.json` : FORMS;
      const set = file.startsWith('per_turn_') ? 'scenarios/evening.evalset.json' : ofCriterion;
      const { plan, warnings } = await walk(set, `configs/${file}`);
      const named = plan.criteria.filter(({ byDefault }) => byDefault !== true);
      expect(named.map(({ name }) => `${name}.`)).toEqual([file.replace(/\.[^.]*\.json$/, '.')]);
      expect(warnings).toEqual([]);
    }
  });
});

describe('tool_trajectory_avg_score', () => {
  const passed = '1 passed';
  const failed = '0 failed';
  const cases = ['as_expected', 'one_call_more', 'another_order', 'another_argument'];
  it.each([
    ['number', [passed, failed, failed, failed]],
    ['exact', [passed, failed, failed, failed]],
    ['in-order', [passed, passed, failed, failed]],
    ['any-order', [passed, passed, passed, failed]],
    ['names-only', [passed, failed, passed, passed]],
  ])('%s', async (form, expected) => {
    const result = await walk(FORMS, `configs/tool_trajectory_avg_score.${form}.json`);
    expect(outcome(result)).toEqual(Object.fromEntries(cases.map((name, index) => [name, expected[index]])));
  });
});

describe('response_match_score', () => {
  it('number: the share of words, whatever their order', async () => {
    expect(outcome(await walk(FORMS, 'configs/response_match_score.number.json'))).toEqual({
      as_expected: '1 passed',
      one_call_more: '1 passed',
      another_order: '1 passed',
      // the, bedroom, is, now: 4 of 5 expected words, among 8.
      another_argument: `${(2 * 0.8 * 0.5) / 1.3} failed`,
    });
  });

  it('object: rougeL minds the order', async () => {
    expect(outcome(await walk(FORMS, 'configs/response_match_score.object.json'))).toMatchObject({
      one_call_more: '1 passed',
      // Nine of the eleven words stand in the same order.
      another_order: `${9 / 11} failed`,
    });
  });
});

describe('criteria that a model judges (scripted)', () => {
  const no =
    (caseId: string): Opinion =>
    (question) =>
      question.caseId !== caseId;

  it.each(files.filter((file) => /^(final_response|hallucinations|safety|multi_turn)/.test(file)))(
    '%s: a case of which the judge says no fails, the others pass',
    async (file) => {
      expect(outcome(await walk(FORMS, `configs/${file}`, no('another_order')))).toEqual({
        as_expected: '1 passed',
        one_call_more: '1 passed',
        another_order: '0 failed',
        another_argument: '1 passed',
      });
    },
  );

  it.each(['number', 'object'])('response_evaluation_score.%s: from 1 to 5', async (form) => {
    const result = await walk(FORMS, `configs/response_evaluation_score.${form}.json`, no('as_expected'));
    expect(outcome(result)).toMatchObject({ as_expected: '1 failed', another_order: '5 passed' });
  });

  it('without an opinion a case is not evaluated, which is exit code 3 and no 0', async () => {
    const result = await walk(FORMS, 'configs/final_response_match_v2.number.json', ({ caseId }) =>
      caseId === 'another_order' ? null : true,
    );
    expect(outcome(result)).toMatchObject({ as_expected: '1 passed', another_order: 'null not-evaluated' });
    expect(result.exitCode).toBe(3);
  });

  it('rubrics of the config stand before those of the case, and all count alike', async () => {
    const result = await walk(
      FORMS,
      'configs/rubric_based_final_response_quality_v1.rubrics.json',
      ({ rubric }) => rubric !== 'The answer is one sentence.',
    );
    const first = result.cases[0]?.criteria[0];
    expect(partsOf(first?.turns[0])).toEqual({ plain_words: 1, one_sentence: 0, names_the_room: 1 });
    // Two of three, against a threshold of 0.75.
    expect(first).toMatchObject({ score: 2 / 3, verdict: 'failed' });
  });

  it.each([
    ['rubric_based_final_response_quality_v1', 'The answer names every room that was asked for.'],
    ['rubric_based_tool_use_quality_v1', 'Lights are switched only in rooms that the user named.'],
    [
      'rubric_based_multi_turn_trajectory_quality_v1',
      'No tool is called twice with the same arguments in the whole conversation.',
    ],
  ])('a bare threshold is enough for %s where the case has rubrics of its type', async (name, text) => {
    const asked = new Set<string | null>();
    const result = await walk(FORMS, `configs/${name}.number.json`, ({ rubric }) => {
      asked.add(rubric);
      return true;
    });
    expect(result.exitCode).toBe(0);
    expect(asked).toEqual(new Set([text]));
  });

  it('a bare threshold without any rubric is refused before anything runs', async () => {
    const refused = walk('evals/kitchen.test.json', 'configs/rubric_based_tool_use_quality_v1.number.json');
    await expect(refused).rejects.toThrow('rubrics of the type TOOL_USE_QUALITY');
  });

  it.each(['number', 'object'])('per_turn_user_simulator_quality_v1.%s: judges whom a scenario leads', async (form) => {
    const config = `configs/per_turn_user_simulator_quality_v1.${form}.json`;
    const result = await walk('scenarios/evening.evalset.json', config, ({ turn }) => turn !== 1);
    expect(outcome(result)).toEqual({ evening: `${2 / 3} failed` });
    expect(result.inferences[0]?.inference.ending).toEqual({ by: 'user', reason: 'scripted' });
  });

  it('a criterion with a reference is refused where only a scenario is', async () => {
    const refused = walk('scenarios/evening.evalset.json', 'configs/tool_trajectory_avg_score.exact.json');
    await expect(refused).rejects.toThrow('simulated conversation has none');
  });
});

describe('custom_metrics', () => {
  it('a function with the four arguments of ADK judges like any criterion', async () => {
    const config = 'custom-metric/test_config.json';
    const result = await walk('evals/kitchen.test.json', config);
    expect(outcome(result)).toEqual({ light_and_warmth: '1 passed' });
    const silent = await evaluate({
      agent: () => 'No idea.',
      evalSet: here('evals/kitchen.test.json'),
      config: here(config),
    });
    expect(outcome(silent)).toEqual({ light_and_warmth: '0.5 failed' });
    expect(silent.cases[0]?.reason).toContain('no degrees');
  });
});

describe('checks without a model', () => {
  it.each([
    ['response_checks', '1 passed'],
    ['tool_checks', '1 passed'],
    ['path_checks', '1 passed'],
    ['final_state_checks', '1 passed'],
    // The agent has no model.
    ['max_turn_cost', 'null not-evaluated'],
  ])('%s: a bare threshold is enough where the case says what to check', async (name, result) => {
    expect(outcome(await walk(`checks/${name}.evalset.json`, `configs/${name}.number.json`))).toEqual({
      kitchen: result,
    });
  });
});

describe('files as the pages print them', () => {
  it.each([
    ['trailing-comma', 'hallucinations_v1'],
    ['comments', 'tool_trajectory_avg_score'],
  ])('%s: is read, with a word on Python', async (name, criterion) => {
    const { plan, warnings } = await walk(FORMS, `__fixtures__/${name}.json`);
    expect(plan.criteria.map((planned) => planned.name)).toEqual([criterion]);
    expect(warnings.map(({ code, message }) => [code, message])).toEqual([
      ['NOT_JSON', expect.stringMatching(/comments or trailing commas.*Python/)],
    ]);
  });

  it('one closing brace too many: the error names file, line, column and the slip', async () => {
    const error: unknown = await walk(FORMS, '__fixtures__/one-brace-too-many.json').catch((thrown) => thrown);
    if (!CriteriaError.is(error)) throw error;
    expect(error.problems).toHaveLength(1);
    expect(error.problems[0]).toMatchObject({ code: 'NOT_JSON', file: here('__fixtures__/one-brace-too-many.json') });
    expect(error.message).toMatch(/line 12, column 3: .*an extra closing }/);
  });
});
