import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import { parseEvalConfig } from '@agent-criteria/formats/parse';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { readEvalConfig } from '../config/read-eval-config.ts';
import { validateFiles } from '../doctor/validate-files.ts';
import { planMigration, writeMigration } from '../editing/plan-migration.ts';
import { isAgentsCliConfig, readYamlFile, translateAgentsCliConfig } from './agents-cli-config.ts';
import { findEvalConfig } from './find-eval-config.ts';

const yaml = `
metrics_to_run:
  - response_quality
  - FINAL_RESPONSE_QUALITY   # of the service
  - safety
  - grounding
  - politeness
custom_metrics:
  - name: response_quality
    custom_function_file: response_quality.py
  - name: politeness
    prompt_template: "Is the answer polite? {response}"
  - name: final_response_quality
    metric_spec_parameters: { rubric_group_key: horizon }
judge_model: gemini-pro
`;

describe('an agents-cli config', () => {
  it('is translated to criteria, with warnings for metrics that have none', async () => {
    const file = join(folderOf({ 'eval_config.yaml': yaml }), 'eval_config.yaml');
    const value = await readYamlFile(file);
    expect(isAgentsCliConfig(value)).toBe(true);
    const { config, warnings } = translateAgentsCliConfig(value);
    expect(config).toEqual({ criteria: { rubric_based_final_response_quality_v1: 0.8, safety_v1: 0.8 } });
    expect(parseEvalConfig(config).warnings).toEqual([]);
    expect(warnings.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      expect.stringMatching(/^\$\.metrics_to_run\[0\]: "response_quality" is a Python function/),
      '$.metrics_to_run[3]: no criterion corresponds to "grounding": it is left out',
      expect.stringMatching(
        /^\$\.metrics_to_run\[4\]: "politeness" is a prompt of its own: write what it asks as rubrics/,
      ),
      expect.stringMatching(/^\$\.custom_metrics\[2\].*is not among metrics_to_run/),
      expect.stringMatching(
        /^\$\.custom_metrics\[2\]\.metric_spec_parameters: .*not only those of the group "horizon"/,
      ),
      '$.judge_model: unknown key "judge_model": it is left out; a config of agents-cli has metrics_to_run and custom_metrics',
    ]);
  });

  it('is translated with a warning for every parameter of a metric that is left out', () => {
    const custom = {
      name: 'safety',
      metric_spec_parameters: { rubric_group_key: 'horizon', threshold: 0.9 },
      judgeModel: 'gemini-pro',
    };
    const other = { name: 'hallucination', metricSpecParameters: {} };
    const { config, warnings } = translateAgentsCliConfig({
      metrics_to_run: ['safety', 'hallucination'],
      custom_metrics: [custom, other, { name: 'safety', metric_spec_parameters: 'horizon' }],
    });
    expect(config.criteria).toEqual({ safety_v1: 0.8, hallucinations_v1: 0.8 });
    expect(warnings.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      expect.stringContaining('not only those of the group "horizon"'),
      '$.custom_metrics[0]: "safety" also sets metric_spec_parameters.threshold and judgeModel, which are left out',
      '$.custom_metrics[2]: "safety" also sets metric_spec_parameters, which is left out',
    ]);
  });

  it('is distinguished from configs of ADK and from other YAML files', () => {
    expect(isAgentsCliConfig({ criteria: {}, metrics_to_run: [] })).toBe(false);
    expect(isAgentsCliConfig({ custom_metrics: { a: {} } })).toBe(false);
    expect(isAgentsCliConfig(null)).toBe(false);
  });

  it.each([
    ['eval_config.yaml', yaml, 'eval_config.json'],
    ['eval_config.json', JSON.stringify({ metrics_to_run: ['safety'] }), 'test_config.json'],
  ])('is recognised whether it is named or found near an eval set: %s', async (name, text, target) => {
    const folder = folderOf({ [name]: text, 'datasets/a.evalset.json': {} });
    const file = join(folder, name);
    const recognised = new RegExp(
      `this is a config of agents-cli.*agent-criteria migrate .*${target} writes .*safety as safety_v1`,
    );
    await expect(readEvalConfig(undefined, { config: file })).rejects.toThrow(recognised);
    const { warnings } = await findEvalConfig(join(folder, 'datasets/a.evalset.json'));
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringMatching(recognised)]);
    const checked = await validateFiles({ environment: {}, builtIn: { plugins: [toolTrajectory] }, paths: [file] });
    expect(checked.problems).toEqual([]);
    expect(checked.files).toMatchObject([{ kind: 'agents-cli config' }]);
    expect(checked.warnings[0]?.message).toMatch(recognised);
  });

  it('is written as a config by migrate, with a note on thresholds', async () => {
    const folder = folderOf({ 'eval_config.yaml': yaml });
    const to = join(folder, 'test_config.json');
    const plan = await planMigration({ from: join(folder, 'eval_config.yaml'), to });
    expect(plan.configs).toMatchObject([{ to, same: false }]);
    expect(plan.configs[0]?.warnings.at(-1)?.message).toContain('each criterion has 0.8');
    expect(existsSync(to)).toBe(false);
    await writeMigration(plan);
    expect(Object.keys(JSON.parse(readFileSync(to, 'utf8')).criteria)).toHaveLength(2);
  });

  it('is rejected if nothing can be translated', async () => {
    const folder = folderOf({ 'eval_config.yaml': 'metrics_to_run: [grounding]' });
    const { problems } = await planMigration({ from: join(folder, 'eval_config.yaml'), to: join(folder, 'a.json') });
    expect(problems[0]?.message).toContain('no criterion corresponds to any of its metrics');
  });
});

describe('a YAML file', () => {
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'
    .split('')
    .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[index]}`).join()}]`)
    .join('\n')}\nmetrics_to_run: [*h]`;

  it.each([
    ['with aliases that expand to gigabytes', bomb],
    ['with a syntax error', 'a: [1,\nb: }'],
    ['with 200,000 nested lists', '['.repeat(200_000)],
    ['over the size limit', `a: "${'x'.repeat(2 * 1024 * 1024)}"`],
  ])('%s is rejected', async (_what, text) => {
    const file = join(folderOf({ 'eval_config.yaml': text }), 'eval_config.yaml');
    await expect(readYamlFile(file)).rejects.toMatchObject({ code: expect.stringMatching(/NOT_JSON|FILE_TOO_LARGE/) });
  });

  it('does not pollute prototypes', async () => {
    const file = join(folderOf({ 'a.yaml': '__proto__:\n  polluted: true\nmetrics_to_run: [safety]' }), 'a.yaml');
    const value = await readYamlFile(file);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(translateAgentsCliConfig(value).config).toEqual({ criteria: { safety_v1: 0.8 } });
  });

  it('is rejected with the advice to write JSON if it is not an agents-cli config', async () => {
    const file = join(
      folderOf({ 'test_config.yaml': 'criteria: { tool_trajectory_avg_score: 1 }' }),
      'test_config.yaml',
    );
    await expect(readEvalConfig(undefined, { config: file })).rejects.toThrow(
      'configs are JSON: write it as test_config.json',
    );
  });
});
