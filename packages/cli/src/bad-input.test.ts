import { closeSync, existsSync, ftruncateSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_FILE_BYTES } from '@agent-criteria/project/files';
import { describe, expect, it } from 'vitest';
import { capture } from './__fixtures__/captured-io.ts';
import { echoAgent, evalCase, evalSet, turn } from './__fixtures__/eval-data.ts';
import { folderOf } from './__fixtures__/folder.ts';

const good = evalSet('good', evalCase('a', turn('Hi', 'Hi')), evalCase('b', turn('Hi', 'Hi')));

/**
 * Runs eval on these files and expects exit code 2, no import of the agent, an empty stdout, and these lines on stderr.
 */
async function refused(files: Readonly<Record<string, unknown>>, args: readonly string[], told: readonly string[]) {
  const folder = folderOf({ 'agent.mjs': echoAgent, ...files });
  const inFolder = (text: string) => text.replaceAll('DIR', folder);
  const { code, out, err } = await capture(['eval', join(folder, 'agent.mjs'), ...args.map(inFolder)]);
  expect(err.trimEnd().split('\n')).toEqual(told.map((line) => expect.stringMatching(new RegExp(inFolder(line)))));
  expect(out).toBe('');
  expect(code).toBe(2);
  expect(existsSync(join(folder, 'imported'))).toBe(false);
}

describe('an invalid eval set is rejected', () => {
  const oneBad = (content: unknown, ...told: string[]) => refused({ 'bad.json': content }, ['DIR/bad.json'], told);

  it('if it does not exist', () => refused({}, ['DIR/none.json'], ['^DIR/none.json: there is no such file or folder']));

  it.each([
    ["{'eval_set_id': 's'}", "line 1, column 2: ' is not a JSON quote"],
    ['{\n  "eval_set_id": "s"\n  "eval_cases": []\n}', 'line 3, column 3: a comma is missing before this'],
    ['{"eval_cases": [', 'line 1, column 17: the file ends too early'],
    ['{"a": True}', 'line 1, column 7: True is Python; JSON writes true'],
    ['', 'the file is empty'],
    [Buffer.from('\ufeff{}', 'utf16le'), 'the file is UTF-16; save it as UTF-8'],
  ])('if it is not JSON: %j', (text, told) => oneBad(text, `^DIR/bad.json: .*${told}`));

  it('with the path of every value of the wrong type', () =>
    oneBad(
      {
        eval_set_id: 5,
        eval_cases: [
          { eval_id: 'a', conversation: [{ user_content: { parts: [{ text: 1 }] } }] },
          { eval_id: 'b', conversation: 'Hi' },
          { eval_id: 'c', conversation: [turn('Hi')], session_input: { app_name: 'x', user_id: 'u', state: [] } },
        ],
      },
      '^DIR/bad.json \\$.eval_set_id: ',
      '^DIR/bad.json \\$.eval_cases\\[0\\].conversation\\[0\\].user_content.parts\\[0\\].text: ',
      '^DIR/bad.json \\$.eval_cases\\[1\\].conversation: ',
      '^DIR/bad.json \\$.eval_cases\\[2\\].session_input.state: ',
    ));

  it.each(['DIR/good.json:', 'DIR/good.json:,', 'DIR/good.json: , '])(
    'if the colon is not followed by a case: %j',
    (argument) =>
      refused(
        { 'good.json': good },
        [argument],
        [
          '^DIR/good.json: ?,? ? names no case after the colon \\(an empty variable\\?\\): add case ids, or remove the colon',
        ],
      ),
  );

  it('if it has no cases', () => oneBad(evalSet('s'), '^DIR/bad.json \\$.eval_cases: the set has no case'));

  it('if a conversation has no turns', () =>
    oneBad(
      evalSet('s', evalCase('a')),
      '^DIR/bad.json \\$.eval_cases\\[0\\].conversation: the conversation has no turn',
    ));

  it('if an id is used twice', () =>
    oneBad(
      evalSet('s', evalCase('a', turn('Hi', 'Hi')), evalCase('a', turn('Hi', 'Hi'))),
      '^DIR/bad.json \\$.eval_cases\\[1\\].eval_id: "a" is already the id of \\$.eval_cases\\[0\\]',
    ));

  it.each(['', '// with a comment, which another parser reads\n'])('if it contains prototype keys: %j', (before) =>
    oneBad(
      `${before}{"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "__proto__": {"x": 1}, "conversation": [${JSON.stringify(turn('Hi', 'Hi'))}]}]}`,
      '^DIR/bad.json \\$.eval_cases\\[0\\].*__proto__',
    ),
  );

  it('if the file is of a different kind', () =>
    oneBad({ criteria: { response_match_score: 1 } }, '^DIR/bad.json \\$: this is an eval config, not an eval set'));

  it('if it is over the size limit', async () => {
    const folder = folderOf({ 'agent.mjs': echoAgent, 'bad.json': '{}' });
    const handle = openSync(join(folder, 'bad.json'), 'r+');
    ftruncateSync(handle, MAX_FILE_BYTES + 1);
    closeSync(handle);
    const { code, err } = await capture(['eval', folder, join(folder, 'bad.json')]);
    expect(err).toContain(
      `${join(folder, 'bad.json')}: the file has 65 MiB, more than the limit of 64 MiB; split the eval set`,
    );
    expect(code).toBe(2);
    expect(existsSync(join(folder, 'imported'))).toBe(false);
  });

  it('if the folder has no eval sets', () =>
    refused(
      { 'sets/notes.md': '' },
      ['DIR/sets'],
      ['^DIR/sets: the folder has no eval set: no file in it ends in .evalset.json'],
    ));

  it('if it lacks the requested case', () =>
    refused(
      { 'good.json': good },
      ['DIR/good.json:a,x'],
      ['^DIR/good.json: the eval set "good" has no case "x"; it has: a, b$'],
    ));

  it('if it has a scenario but the simulated user has no model', () =>
    oneBad(
      evalSet(
        's',
        { eval_id: 'led', conversation_scenario: { starting_prompt: 'Hi', conversation_plan: 'Ask.' } },
        evalCase('a', turn('Hi', 'Hi')),
      ),
      '^DIR/bad.json: the model "gemini-2.5-flash" cannot be called: set GEMINI_API_KEY',
    ));
});

describe('an invalid config is rejected', () => {
  const oneBad = (config: unknown, ...told: string[]) =>
    refused({ 'good.json': good, 'bad.json': config }, ['DIR/good.json', '--config_file_path', 'DIR/bad.json'], told);

  it('if it does not exist', () =>
    refused(
      { 'good.json': good },
      ['DIR/good.json', '--config_file_path=DIR/none.json'],
      ['^DIR/none.json: there is no such file$'],
    ));

  it.each([
    [80, 'the threshold 80 is outside the range of response_match_score, 0 to 1; did you mean 0.8\\?'],
    [-0.1, 'the threshold -0.1 is outside the range'],
    [true, 'true is not a threshold; write a number'],
    ['0.8', 'the text "0.8" is not a threshold; write the number 0.8, without quotes'],
    [null, 'null is not a threshold; write a number'],
  ])('if a threshold is %j', async (threshold, told) => {
    await oneBad(
      { criteria: { response_match_score: threshold } },
      `^DIR/bad.json \\$.criteria.response_match_score: ${told}`,
    );
    await oneBad(
      { criteria: { response_match_score: { threshold } } },
      `^DIR/bad.json \\$.criteria.response_match_score.*: ${told.split(';')[0]}`,
    );
  });

  it('if a threshold is missing', () =>
    oneBad(
      { criteria: { response_match_score: {} } },
      '^DIR/bad.json \\$.criteria.response_match_score: response_match_score needs a threshold',
    ));

  it('if a criterion is unknown', () =>
    oneBad(
      { criteria: { respnse_match_score: 0.8, made_up: 1 } },
      '^DIR/bad.json \\$.criteria.respnse_match_score: there is no criterion named "respnse_match_score"; did you mean "response_match_score"\\?$',
      '^DIR/bad.json \\$.criteria.made_up: there is no criterion named "made_up" \\(registered: ',
    ));

  it('if an option of a criterion is misspelt', () =>
    oneBad(
      { criteria: { tool_trajectory_avg_score: { threshold: 1, mach_type: 'EXACT' } } },
      '^DIR/bad.json \\$.criteria.tool_trajectory_avg_score.mach_type: .*did you mean "match_type"\\?',
    ));

  it('if a top-level key is misspelt', () =>
    oneBad({ critera: { response_match_score: 1 } }, '^DIR/bad.json \\$.critera: .*did you mean "criteria"\\?'));

  it.each([{}, { criteria: {} }])('if it has no criteria: %j', (config) =>
    oneBad(config, '^DIR/bad.json \\$.criteria: the config has no criteria'),
  );

  it('if it is null', () => oneBad('null', '^DIR/bad.json \\$: the config is null'));

  it('if it contains prototype keys', () =>
    oneBad('{"criteria": {"response_match_score": 1}, "__proto__": {}}', '^DIR/bad.json \\$.*__proto__'));

  it('if it is found next to an eval set, along with the mistakes in the set', () =>
    refused(
      { 'x/good.json': good, 'x/test_config.json': { criteria: { response_match_score: 80 } } },
      ['DIR/x/good.json'],
      ['^DIR/x/test_config.json \\$.criteria.response_match_score: the threshold 80'],
    ));
});

describe('eval', () => {
  it('reports the mistakes in all files and arguments together, and those in a shared config only once', async () => {
    const folder = folderOf({
      'agent.mjs': echoAgent,
      'a.json': evalSet('a'),
      'b.json': '{',
      'good.json': good,
      'bad.json': { criteria: { made_up: 1 } },
    });
    const path = (name: string) => join(folder, name);
    const sets = ['a.json', 'b.json', 'none.json', 'good.json:x'].map(path);
    const { code, err } = await capture(['eval', path('nobody'), ...sets, '--config_file_path', path('bad.json')]);
    const lines = err.trimEnd().split('\n');
    expect(lines.map((line) => line.slice(folder.length + 1).split(/[: ]/)[0])).toEqual([
      'none.json',
      'a.json',
      'bad.json',
      'b.json',
      'good.json',
      'nobody',
    ]);
    expect(code).toBe(2);
  });

  it.each([
    [[], 'name an agent and an eval set: agent-criteria eval AGENT EVALSET'],
    [['no-such-agent'], 'no-such-agent: there is no such file or folder; name the module or the folder of the agent'],
    [['http://127.0.0.1:9'], 'name at least one eval set: agent-criteria eval AGENT EVALSET'],
    [
      ['agent', 'set', '--num_runs', '0'],
      '--num-runs must be a whole number above 0, at most 10000, or auto:MAX, such as auto:60, not "0"',
    ],
    [
      ['agent', 'set', '--num_runs', 'many'],
      '--num-runs must be a whole number above 0, at most 10000, or auto:MAX, such as auto:60, not "many"',
    ],
    [['agent', 'set', '--compat', 'adk2'], '--compat must be "adk", not "adk2"'],
    [['agent', 'set', '--hlep'], 'there is no flag --hlep; did you mean --help?'],
    [['agent', 'set', '--colour', 'red'], 'there is no flag --colour; see agent-criteria eval --help all'],
  ])('rejects %j as a usage error', async (args, told) => {
    const { code, out, err } = await capture(['eval', ...args]);
    expect(err).toContain(told);
    expect(out).toBe('');
    expect(code).toBe(2);
  });
});

it('an unknown flag before any command is rejected with a suggestion', async () => {
  const told = async (flag: string) => (await capture([flag])).err;
  expect(await told('--hlep')).toBe('there is no flag --hlep; did you mean --help?\n');
  expect(await told('--vresion')).toBe('there is no flag --vresion; did you mean --version?\n');
});

describe('mistakes in one config', () => {
  const refused = async (config: object, args: readonly string[] = []) => {
    const folder = folderOf({
      'agent.mjs': 'export const agent = (text) => text;',
      'good.test.json': good,
      'test_config.json': config,
    });
    const { err, code } = await capture(['eval', folder, ...args]);
    expect(code).toBe(2);
    return err;
  };

  it('list the registered criteria only once', async () => {
    const err = await refused({ criteria: { foo: 1, bar: 1, tool_trajectry: 1 } });
    expect(err.match(/registered: /g)).toHaveLength(1);
    expect(err).toContain('there is no criterion named "bar"\n');
    expect(err).toContain('did you mean "tool_trajectory_avg_score"?');
  });

  it('list the keys common to all criteria among the known ones', async () => {
    expect(await refused({ criteria: { response_match_score: { threshold: 1, zzzz: 1 } } })).toContain(
      'unknown key "zzzz"; known are threshold, min_coverage, when_not_applicable, language and type',
    );
  });
});

describe('an agent that cannot be loaded is rejected', () => {
  const withAgent = async (files: Readonly<Record<string, unknown>>, agent: string) => {
    const folder = folderOf({ 'good.json': good, ...files });
    const result = await capture(['eval', join(folder, agent), join(folder, 'good.json')]);
    expect(result.code).toBe(2);
    expect(result.out).toBe('');
    return { ...result, folder };
  };

  it('if its path does not exist or contains no module', async () => {
    expect((await withAgent({}, 'nobody')).err).toContain(
      'nobody: there is no such file or folder; name the module or the folder',
    );
    expect((await withAgent({ 'empty/readme.md': '' }, 'empty')).err).toContain(
      'empty: the folder has no agent: expected one of ',
    );
    expect((await withAgent({ 'agent.py': '' }, 'agent.py')).err).toContain('agent.py: this is a Python agent');
  });

  it('if its module exports no agent', async () => {
    expect((await withAgent({ 'a.ts': 'export const helper = 1;' }, 'a.ts')).err).toContain(
      'a.ts: the module exports no agent: export it as rootAgent, agent or default (it exports helper)',
    );
  });

  it('with a single line if its module throws at the top level', async () => {
    const { err, folder } = await withAgent({ 'a.ts': 'throw new Error("no gas");\n' }, 'a.ts');
    const file = join(folder, 'a.ts');
    // Vitest shifts the column.
    expect(err.replace(/:1:\d+/, '')).toBe(`${file}: the agent module does not load: no gas (at ${file})\n`);
  });

  it('if its folder has no agent or only one in Python, which is reported before a missing eval set', async () => {
    const folder = folderOf({ 'empty/.gitkeep': '', 'py/agent.py': '', 'ts/agent.ts': 'export const agent = String;' });
    const errorOf = async (name: string) => (await capture(['eval', join(folder, name)])).err;
    expect(await errorOf('empty')).toContain('empty: the folder has no agent: expected one of ');
    expect(await errorOf('py')).toContain('py: this is a Python agent');
    expect(await errorOf('ts')).toContain(
      `there is no eval set in the folder of the agent ${join(folder, 'ts')}; name one`,
    );
  });

  it("with the user's own stack frames if its module throws inside a function", async () => {
    const source = 'const menu: string[] = [];\n\nfunction cook(): never {\n  throw new Error("no gas");\n}\ncook();\n';
    const { err, folder } = await withAgent({ 'a.ts': source }, 'a.ts');
    const file = join(folder, 'a.ts');
    expect(err).toBe(
      `${file}: the agent module does not load: no gas (at ${file}:4:9)\nError: no gas\n    at cook (${file}:4:9)\n    at ${file}:6:1\n`,
    );
  });
});
