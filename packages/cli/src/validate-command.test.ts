import { describe, expect, it } from 'vitest';
import { capture } from './__fixtures__/captured-io.ts';
import { evalCase, evalSet, turn } from './__fixtures__/eval-data.ts';
import { folderOf } from './__fixtures__/folder.ts';

const good = evalSet('good', evalCase('a', turn('Hi', 'Hi')), evalCase('b', turn('Hi', 'Hi')));
const result = { eval_set_result_id: 'r', eval_set_id: 'good', eval_case_results: [] };
const session = { app_name: 'home', user_id: 'u', state: {} };
const scenarios = { scenarios: [{ starting_prompt: 'Hi', conversation_plan: 'Ask.' }] };
const config = { criteria: { response_match_score: 0.5 } };

/** A module that exports a criterion. */
const plugin = (more: string) => `export const mine = {
  kind: 'criterion', specVersion: 3, name: 'mine', origin: { package: 'criteria-mine', version: '1.0.0' }, description: 'Mine.',
  decides: true, range: { min: 0, max: 1, better: 'higher' }, scope: 'turn', evaluate: () => ({ value: 1 }), ${more}
  options: { jsonSchema: { type: 'object', properties: {} }, '~standard': { version: 1, vendor: 'x', validate: () => ({ value: {} }) } },
};`;

/** Runs validate in a folder with these files; `DIR` in arguments and messages is the folder. */
async function validate(files: Readonly<Record<string, unknown>>, ...args: string[]) {
  const folder = folderOf(files);
  const { code, out, err } = await capture(['validate', ...args.map((arg) => arg.replace('DIR', folder))]);
  return { code, out: out.replaceAll(folder, 'DIR'), err: err.replaceAll(folder, 'DIR') };
}

describe('agent-criteria validate', () => {
  it('recognises every kind of file, by content and by name', async () => {
    const files = {
      'one.json': good,
      'two.json': [{ query: 'Hi', reference: 'Hi' }],
      'three.json': result,
      'four.json': JSON.stringify(JSON.stringify(result)),
      'five.json': session,
      'six.json': scenarios,
      'seven.json': { count: 2, model_name: 'm' },
      'eight.json': config,
      'camel.json': { evalSetId: 's', evalCases: [evalCase('a', turn('Hi', 'Hi'))] },
    };
    const { code, out } = await validate(files, ...Object.keys(files).map((name) => `DIR/${name}`));
    expect(out.split('\n')).toEqual([
      'ok  DIR/one.json: eval set, 2 cases, judged by tool_trajectory_avg_score, response_match_score',
      'ok  DIR/two.json: eval set, 1 case, judged by tool_trajectory_avg_score, response_match_score',
      'ok  DIR/three.json: result, 0 cases',
      'ok  DIR/four.json: result, 0 cases',
      'ok  DIR/five.json: session input, for home',
      'ok  DIR/six.json: scenarios, 1 scenario',
      'ok  DIR/seven.json: user simulation config, 2 scenarios',
      'ok  DIR/eight.json: config, response_match_score',
      expect.stringMatching(/^ok {2}DIR\/camel.json: eval set, 1 case/),
      expect.stringMatching(/^9 files: no mistakes/),
      '',
    ]);
    expect(code).toBe(0);
  });

  it('recognises JSON Lines, and a project config, whose plugins it loads', async () => {
    const { code, out } = await validate(
      {
        'lines.evalset.jsonl': `${JSON.stringify(evalCase('a', turn('Hi', 'Hi')))}\n`,
        'agent-criteria.config.json': { plugins: ['./mine.mjs'] },
        'test_config.json': { criteria: { mine: 1 } },
        'mine.mjs': plugin(''),
      },
      'DIR',
    );
    expect(out.trimEnd().split('\n')).toEqual([
      'ok  DIR/agent-criteria.config.json: project config',
      'ok  DIR/lines.evalset.jsonl: eval set, 1 case, judged by mine',
      'ok  DIR/test_config.json: config, mine',
      '3 files: no mistakes',
    ]);
    expect(code).toBe(0);
    const bad = await validate({ 'agent-criteria.config.json': { concurrency: { agents: 0 } } }, 'DIR');
    expect(bad.err).toContain('agent-criteria.config.json $.concurrency.agents: ');
    expect(bad.code).toBe(2);
  });

  it("checks only ADK's files in a folder", async () => {
    const { code, out } = await validate(
      {
        'a.evalset.json': good,
        'deep/test_config.json': config,
        '.adk/eval_history/r.evalset_result.json': result,
        '.vscode/x.evalset.json': '{',
        'node_modules/x/x.evalset.json': '{',
        'package.json': { name: 'x' },
        'tsconfig.json': '{ // comment',
        'list.json': [1],
        'other/scenarios.json': scenarios,
      },
      'DIR',
    );
    expect(out).toContain('4 files: no mistakes, 3 skipped\n');
    expect(out).toContain('--  DIR/package.json: skipped, not a file that agent-criteria reads\n');
    expect(code).toBe(0);
  });

  it('checks a named file, whatever its content, even if its folder is named as well', async () => {
    const files = {
      'led/visit.session.json': session,
      'led/odd.json': { a: 1 },
      'led/other.json': { b: 1 },
      'led/good.test.json': good,
    };
    for (const args of [
      ['DIR/led', 'DIR/led/visit.session.json', 'DIR/led/odd.json'],
      ['DIR/led/odd.json', 'DIR/led/visit.session.json', 'DIR/led'],
    ]) {
      const { code, out, err } = await validate(files, ...args);
      expect(out).toContain('ok  DIR/led/visit.session.json: session input, for home\n');
      expect(out).toContain('ok  DIR/led/good.test.json: eval set, 2 cases');
      expect(out).toContain('3 files: 1 mistake');
      expect(err).toContain('DIR/led/odd.json $: this is not an eval set');
      expect(out).toContain('--  DIR/led/other.json: skipped, ');
      expect(code).toBe(2);
    }
  });

  it('reports every mistake in every file once, and the files without mistakes', async () => {
    const { code, out, err } = await validate(
      {
        'a.evalset.json': evalSet('a', evalCase('x'), { eval_id: 5, conversation: [turn('Hi')] }),
        'good.evalset.json': good,
        'broken.test.json': '{"eval_set_id": ',
        'test_config.json': { criteria: { response_match_score: 80, made_up: 1 } },
        'r.evalset_result.json': { eval_set_result_id: 5 },
      },
      'DIR',
    );
    const told = err.trimEnd().split('\n');
    expect(told.filter((line) => line.includes('made_up'))).toHaveLength(1);
    for (const place of [
      'DIR/a.evalset.json $.eval_cases[0].conversation: ',
      'DIR/a.evalset.json $.eval_cases[1].eval_id: ',
      'DIR/broken.test.json: this is not JSON',
      'DIR/test_config.json $.criteria.response_match_score: the threshold 80',
      'DIR/r.evalset_result.json $.eval_set_result_id: ',
    ]) {
      expect(told).toContainEqual(expect.stringContaining(place));
    }
    expect(out).toContain('ok  DIR/good.evalset.json');
    for (const file of ['a.evalset.json', 'broken.test.json', 'test_config.json', 'r.evalset_result.json']) {
      expect(out).toContain(`no  DIR/${file}`);
    }
    expect(out).toMatch(/5 files: \d+ mistakes\n$/);
    expect(code).toBe(2);
  });

  it('checks eval sets against a different config', async () => {
    const files = { 'a.json': good, 'other.json': { criteria: { respnse_match_score: 1 } } };
    const { code, err } = await validate(files, 'DIR/a.json', '--config_file_path', 'DIR/other.json');
    expect(err).toContain('did you mean "response_match_score"?');
    expect(err.trimEnd().split('\n')).toHaveLength(1);
    expect(code).toBe(2);
  });

  it('checks a config on its own, plugins included', async () => {
    const { code, err } = await validate({ 'c.json': { criteria: { mine: 1 }, plugins: ['./none.ts'] } }, 'DIR/c.json');
    expect(err).toContain('DIR/c.json $.plugins[0]: ');
    expect(code).toBe(2);
    expect((await validate({ 'c.json': {} }, 'DIR/c.json')).err).not.toContain('eval_cases');
  });

  it('prints warnings, and still exits with 0', async () => {
    const { code, out, err } = await validate({ 'a.evalset.json': `// mine\n${JSON.stringify(good)}` }, 'DIR');
    expect(err).toContain('warning: DIR/a.evalset.json: the file has comments or trailing commas');
    expect(err.trimEnd().split('\n')).toHaveLength(1);
    expect(out).toContain('1 file: no mistakes, 1 warning');
    expect(code).toBe(0);
  });

  it('only warns of missing variables, because they may be set where the set runs', async () => {
    const files = {
      'a.evalset.json': good,
      'test_config.json': { criteria: { mine: 1 }, plugins: ['./mine.ts'] },
      'mine.ts': plugin(
        `check: (_options: unknown, environment: { KEY?: string }) => environment.KEY ? [] : [{ code: 'MISSING_ENVIRONMENT', message: 'KEY is not set' }],`,
      ),
    };
    const { code, out, err } = await validate(files, 'DIR');
    expect(err).toMatch(/^warning: .*KEY is not set\n$/);
    expect(out).toContain('2 files: no mistakes, 1 warning');
    expect(code).toBe(0);
  });

  it('prints the same results as JSON', async () => {
    const { code, out, err } = await validate(
      { 'a.json': good, 'b.json': '{' },
      'DIR/a.json',
      'DIR/b.json',
      'DIR/c.json',
      '--json',
    );
    const { files, problems } = JSON.parse(out);
    expect(files[0]).toEqual({ file: 'DIR/a.json', kind: 'eval set', problems: [], warnings: [] });
    expect(files[1]).toMatchObject({ kind: null, problems: [{ code: 'NOT_JSON', file: 'DIR/b.json' }] });
    expect(problems).toMatchObject([{ code: 'FILE_NOT_FOUND', file: 'DIR/c.json' }]);
    expect(err).toBe('');
    expect(code).toBe(2);
  });

  it.each([
    [[], 'name files or folders'],
    [['DIR/none'], 'DIR/none: there is no such file or folder'],
    [['DIR'], 'there is nothing to check in DIR'],
    [['DIR/package.json'], 'DIR/package.json $: this is not an eval set, config, result'],
  ])('rejects %j', async (args, told) => {
    const { code, err } = await validate({ 'package.json': { name: 'x' } }, ...args);
    expect(err).toContain(told);
    expect(code).toBe(2);
  });
});
