import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrateEvalData } from '@agent-criteria/formats/migration';
import { parseEvalSet, writeEvalSet } from '@agent-criteria/formats/parse';
import { findEvalSets } from '@agent-criteria/project/files';
import { describe, expect, it } from 'vitest';
import { command, inFolder } from './command.ts';
import { here, walk } from './walk.ts';

const json = (path: string): unknown => JSON.parse(readFileSync(here(path), 'utf8'));
const initialSession = json('old-format/initial.session.json');
const verdicts = async (path: string, config?: Parameters<typeof walk>[1]) => {
  const result = await walk(path, config);
  return Object.fromEntries(result.cases.map(({ caseId, verdict, reason }) => [caseId, reason ?? verdict]));
};

describe('a test file and an eval set', () => {
  it('one session of two turns, judged by the test_config.json beside it', async () => {
    const { cases, plan } = await walk('evals/kitchen.test.json');
    expect(plan.criteria.map(({ name, threshold }) => [name, threshold])).toEqual([
      ['tool_trajectory_avg_score', 1],
      ['response_match_score', 0.8],
    ]);
    expect(cases.map(({ caseId, verdict }) => [caseId, verdict])).toEqual([['light_and_warmth', 'passed']]);
    expect(cases[0]?.criteria.map(({ turns }) => turns.length)).toEqual([2, 2]);
  });

  it("with Python's comments and trailing commas, as the page prints it, it means the same", async () => {
    const { cases, warnings } = await walk('__fixtures__/hash-comments.test.json');
    expect(cases.map(({ caseId, verdict }) => [caseId, verdict])).toEqual([['number_#1', 'passed']]);
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringMatching(/comments.*Python/)]);
  });

  it('two sessions, each from its own start state', async () => {
    const { cases, inferences } = await walk('evals/two_sessions.evalset.json');
    expect(cases.map(({ caseId, verdict }) => [caseId, verdict])).toEqual([
      ['session_01', 'passed'],
      ['session_02', 'passed'],
    ]);
    expect(inferences.map(({ inference }) => inference.state)).toEqual([
      { initial: {}, final: {} },
      { initial: { light_bedroom: true }, final: { light_bedroom: true, light_kitchen: true } },
    ]);
    // Seven of seven words in another order: the wording of the last answer is not that of the reference.
    expect(cases[1]?.criteria[1]?.turns.map(({ value }) => value)).toEqual([1, 1, 1]);
  });

  it('both survive reading and writing, key for key', () => {
    for (const path of ['evals/kitchen.test.json', 'evals/two_sessions.evalset.json', 'evals/languages.evalset.json']) {
      expect(writeEvalSet(parseEvalSet(json(path)).value), path).toEqual(json(path));
    }
  });

  it('a folder means all files of both names in it', async () => {
    const found = await findEvalSets(here('evals'));
    expect(found.map((file) => file.replaceAll('\\', '/').split('/').at(-1))).toEqual([
      'forms.evalset.json',
      'kitchen.test.json',
      'languages.evalset.json',
      'two_sessions.evalset.json',
    ]);
  });
});

describe('files from before eval sets', () => {
  it('a test file with its initial session becomes one case, which passes', async () => {
    const migrated = migrateEvalData(json('old-format/light.test.json'), { id: 'light', initialSession });
    expect(migrated).toMatchObject({ format: 'old-test', warnings: [] });
    const written = writeEvalSet(migrated.value);
    expect(written).toMatchObject({
      eval_set_id: 'light',
      eval_cases: [
        {
          eval_id: 'light',
          session_input: { app_name: 'adk_docs_agent', user_id: 'resident', state: { light_kitchen: false } },
          conversation: [
            {
              user_content: { role: 'user', parts: [{ text: 'Turn on the light in the kitchen.' }] },
              final_response: { role: 'model', parts: [{ text: 'The light in the kitchen is on now.' }] },
              intermediate_data: { tool_uses: [{ name: 'set_light', args: { room: 'kitchen', on: true } }] },
            },
            { intermediate_data: { tool_uses: [{ name: 'get_temperature', args: { room: 'bedroom' } }] } },
          ],
        },
      ],
    });
    // What is written is a new file: it is read as one, and means the same.
    expect(parseEvalSet(written).value).toEqual(migrated.value);
  });

  it.each(['old-format/light.test.json', 'old-format/rooms.evalset.json'])('%s is judged as it is', async (path) => {
    const names = path.includes('light') ? ['light'] : ['kitchen', 'bedroom'];
    expect(await verdicts(path)).toEqual(Object.fromEntries(names.map((name) => [name, 'passed'])));
  });
});

describe('the command', () => {
  const run = (...args: string[]) => inFolder((folder) => command(args, folder));

  it('evaluates the agent of a folder on one case of a set, in detail', async () => {
    const { code, out } = await run(
      'eval',
      here('.'),
      `${here('evals/two_sessions.evalset.json')}:session_02`,
      `--config_file_path=${here('configs/tool_trajectory_avg_score.in-order.json')}`,
      '--print_detailed_results',
    );
    expect(code).toBe(0);
    expect(out).toContain('session_02');
    expect(out).not.toContain('session_01');
    expect(out).toContain('set_light({"room":"kitchen","on":true})');
    expect(out).toContain('How warm is the bedroom?');
    expect(out).toMatch(/1 passed/);
  });

  it('fails with exit code 1 where the agent does something else, and shows the call', async () => {
    const config = here('configs/tool_trajectory_avg_score.any-order.json');
    const set = here('evals/forms.evalset.json');
    const { code, out } = await run('eval', here('agent.ts'), set, '--config_file_path', config);
    expect(code).toBe(1);
    expect(out).toMatch(/another_argument: failed/);
    expect(out).toContain('- set_light({"room":"bedroom","on":true})');
    expect(out).toContain('+ set_light({"room":"bedroom","on":false})');
    expect(out).toMatch(/3 passed, 1 failed/);
  });

  it('says what is wrong with a config, and runs nothing: exit code 2', async () => {
    const config = here('__fixtures__/one-brace-too-many.json');
    const set = here('evals/kitchen.test.json');
    const { code, out, err } = await run('eval', here('.'), set, '--config_file_path', config);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toMatch(/one-brace-too-many\.json.*line 12, column 3/);
  });

  it('migrates an old file with its session, and the new file passes', async () => {
    await inFolder(async (folder) => {
      const migrated = join(folder, 'light.test.json');
      const session = ['--initial_session_file', here('old-format/initial.session.json')];
      const { code, err } = await command(
        ['migrate', here('old-format/light.test.json'), migrated, ...session],
        folder,
      );
      expect([code, err]).toEqual([0, '']);
      const written: unknown = JSON.parse(readFileSync(migrated, 'utf8'));
      const expected = migrateEvalData(json('old-format/light.test.json'), { id: 'light', initialSession });
      expect(written).toEqual(writeEvalSet(expected.value));
      expect((await command(['eval', here('.'), migrated], folder)).code).toBe(0);
    });
  });

  it('validate reads every file, and finds what a scenario lacks that is judged by a reference', async () => {
    const good = await run('validate', here('evals'), here('old-format'));
    expect([good.code, good.err]).toEqual([0, '']);
    const bad = await run('validate', here('scenarios'));
    expect(bad.code).toBe(2);
    expect(bad.err).toContain('no default criterion applies to any case of the eval set "scenario"');
  });
});
