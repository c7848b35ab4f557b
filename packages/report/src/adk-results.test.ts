import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evalCase, inference } from '@agent-criteria/core/testing';
import { parseEvalSetResult } from '@agent-criteria/formats/parse';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hostileRun, hostileText } from './__fixtures__/hostile.ts';
import { criterion, runOf, textOf } from './__fixtures__/runs.ts';
import { everyVerdict, inCompat, oddShapes, onlyMeasured, runOfAll, unfinishedRun } from './__fixtures__/shapes.ts';
import { adkResultId, adkResults, saveEvalHistory, writeAdkResults } from './adk-results.ts';

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'agent-criteria-report-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const hasPython = (() => {
  try {
    execFileSync('python3', ['-c', 'import json']);
    return true;
  } catch {
    return false;
  }
})();

describe('an ADK result file', () => {
  it("has ADK's format: snake case, two-space indentation, nulls, numeric statuses", async () => {
    const run = runOf([everyVerdict]);
    const text = await textOf(adkResults(run));
    const read = JSON.parse(text);
    expect(text.replace(/"creation_timestamp": (\d+)\.0/, '"creation_timestamp": $1')).toBe(
      `${JSON.stringify(read, null, 2)}\n`,
    );
    expect(text).toContain('"creation_timestamp": 1795262460.0');
    expect(Object.keys(read)).toEqual([
      ...['eval_set_result_id', 'eval_set_result_name', 'eval_set_id', 'eval_case_results', 'creation_timestamp'],
    ]);
    expect(read.eval_set_result_id).toBe('lamp_rooms_1795262460.0');
    expect(read.eval_set_result_name).toBe('lamp_rooms_1795262460.0');
    const statuses = read.eval_case_results.map((one: Record<string, unknown>) => [one.eval_id, one.final_eval_status]);
    expect(Object.fromEntries(statuses)).toEqual({ right: 1, wrong: 2, unclear: 3, broken: 2, skipping: 1 });
    expect(read.eval_case_results[0]).toMatchObject({
      eval_set_file: 'rooms',
      eval_set_id: 'rooms',
      eval_metric_results: null,
      session_details: null,
      user_id: 'test_user_id',
      eval_metric_result_per_invocation: [{ eval_metric_results: [{}, {}, { criterion: null, eval_status: 4 }] }],
      overall_eval_metric_results: [
        {
          metric_name: 'words',
          threshold: 0.8,
          score: 1,
          eval_status: 1,
          custom_function_path: null,
          criterion: { threshold: 0.8 },
        },
        { metric_name: 'kind', eval_status: 1 },
        // ADK rejects a criterion that has no threshold.
        { metric_name: 'count', threshold: null, criterion: null, eval_status: 4 },
      ],
    });
  });

  it('contains the true verdict, coverage, reasons and whether the run is finished, under agent_criteria', async () => {
    const read = JSON.parse(await textOf(adkResults(unfinishedRun())));
    expect(read.eval_case_results[1].agent_criteria).toMatchObject({
      verdict: 'failed',
      reason: 'words: 0.7999999 is below the threshold 0.8: 1 of 4 words is missing',
      criteria: { kind: { verdict: 'not-evaluated', coverage: 2 / 3 } },
      run_finished: false,
    });
    expect(read.eval_case_results[2].agent_criteria).toMatchObject({ verdict: 'not-evaluated', run_finished: false });
  });

  it('attaches the score of a whole conversation only to its last turn', async () => {
    const turns = ['Hello.', 'Goodbye.'].map((user) => ({ user, answer: user }));
    const parts = [
      { id: 'kept', kind: 'rubric', text: 'It keeps the thread.', value: 0, reason: 'It forgot.' },
    ] as const;
    const spec = {
      criteria: [criterion('thread', { scope: 'conversation' })],
      cases: [
        {
          evalCase: evalCase('talk', turns),
          repeats: [{ inference: inference(turns), scores: { thread: [{ parts }] } }],
        },
      ],
    };
    const [entry] = JSON.parse(await textOf(adkResults(runOf([spec])))).eval_case_results;
    const rubrics = [{ rubric_id: 'kept', rationale: 'It forgot.', score: 0 }];
    const said = { metric_name: 'thread', score: 0, eval_status: 2, details: { rubric_scores: rubrics } };
    expect(entry.overall_eval_metric_results).toMatchObject([said]);
    expect(entry.eval_metric_result_per_invocation).toMatchObject([
      {
        eval_metric_results: [{ metric_name: 'thread', score: null, eval_status: 3, details: { rubric_scores: null } }],
      },
      { eval_metric_results: [said] },
    ]);
  });

  it('can be read back with all its cases', async () => {
    for (const spec of [everyVerdict, oddShapes, onlyMeasured, inCompat]) {
      const { value, warnings } = parseEvalSetResult(JSON.parse(await textOf(adkResults(runOf([spec])))));
      expect(warnings).toEqual([]);
      const ids = new Set(value.evalCaseResults?.map(({ evalId }) => evalId));
      expect([...ids]).toEqual(spec.cases.map(({ evalCase }) => evalCase.evalId));
    }
  });

  it('accepts any string except lone surrogates, which Python rejects', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, async (text) => {
        // No run contains this key, because every parser rejects it.
        fc.pre(text !== '__proto__');
        const written = await textOf(adkResults(hostileRun(text)));
        const whole = (value: string) => value.replace(/\p{Surrogate}/gu, '\ufffd');
        const read = JSON.parse(written);
        expect(read.eval_set_id).toBe(whole(text));
        expect(read.eval_case_results[0].eval_id).toBe(whole(`${text}0`));
        const [call] =
          read.eval_case_results[0].eval_metric_result_per_invocation[0].expected_invocation.intermediate_data
            .tool_uses;
        expect(call.args[whole(text)]).toEqual(text === 'list' ? [text] : whole(text));
      }),
    );
    const slashes = await textOf(adkResults(hostileRun('\\ud800 \ud800')));
    expect(JSON.parse(slashes).eval_set_id).toBe('\\ud800 \ufffd');
  });

  it.runIf(hasPython)('can be parsed by Python, for every shape of run', async () => {
    const folder = emptyFolder();
    await writeAdkResults(runOfAll(), folder);
    await writeAdkResults(hostileRun('\ud800<\u0000"\\\n'), folder);
    const script = `
import glob, json, sys
names = sorted(glob.glob(sys.argv[1] + '/*.evalset_result.json'))
for name in names:
    with open(name, encoding='utf-8') as file:
        result = json.load(file)
    assert isinstance(result['creation_timestamp'], float)
    assert name.endswith('/' + result['eval_set_result_id'] + '.evalset_result.json')
    for entry in result['eval_case_results']:
        assert type(entry['final_eval_status']) is int
    json.dumps(result, ensure_ascii=False).encode('utf-8')
print(len(names))`;
    expect(execFileSync('python3', ['-c', script, folder], { encoding: 'utf8' }).trim()).toBe('5');
  });

  it('contains a single set, which must be named if there are several', async () => {
    const run = runOfAll();
    expect(JSON.parse(await textOf(adkResults(run, { setId: 'measured' }))).eval_set_id).toBe('measured');
    await expect(textOf(adkResults(run))).rejects.toThrow(
      /have one eval set each, but the run has 4 \("rooms", .*choose one/,
    );
    await expect(textOf(adkResults(run, { setId: 'none' }))).rejects.toMatchObject({ code: 'USAGE' });
  });
});

describe('the id of an ADK result', () => {
  const run = runOf([everyVerdict], { startedAt: 1, endedAt: 1778989037305 });
  const idOf = (setId: string, agent = 'core') =>
    adkResultId({ ...run, info: { ...run.info, agent } }, { ...run.sets[0]!, id: setId });

  it.each([
    ['core', 'core_core_1778989037.305'],
    ['a/b', 'core_a_b_1778989037.305'],
    ['a\\b:c', 'core_a_b_c_1778989037.305'],
    ['nul\u0000', 'core_nul__1778989037.305'],
    ['..', 'core____1778989037.305'],
    ['', 'core___1778989037.305'],
    ['ünïcode 日本', 'core_ünïcode 日本_1778989037.305'],
  ])('escapes the set id %j: %s', (setId, id) => {
    expect(idOf(setId)).toBe(id);
  });

  it.each([
    ['agents/lamp/agent.ts', 'lamp'],
    ['agents/lamp/', 'lamp'],
    ['http://localhost:8000/apps/lamp', 'lamp'],
    ['..', undefined],
  ])('begins with the folder of the agent %s', (agent, name) => {
    expect(idOf('s', agent)).toMatch(name === undefined ? /^[^/\\]+_s_/ : new RegExp(`^${name}_s_`));
  });

  it('is a short path segment, whatever the ids', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (setId, agent) => {
        const id = idOf(setId, agent);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what to look for.
        expect(id).not.toMatch(/[/\\:*?"<>|\u0000-\u001f]|^\.+$|\p{Surrogate}/u);
        expect(Buffer.byteLength(`${id}_99.evalset_result.json`)).toBeLessThan(255);
      }),
    );
  });
});

describe('saveEvalHistory()', () => {
  it("writes one file per set where ADK expects it, named after the agent's folder", async () => {
    const folder = join(emptyFolder(), 'lamp');
    mkdirSync(folder);
    writeFileSync(join(folder, 'agent.ts'), '');
    const names = ['rooms', 'odd_shapes', 'measured', 'compat'].map(
      (id) => `lamp_${id}_1795262460.0.evalset_result.json`,
    );
    const history = join(folder, '.adk', 'eval_history');
    expect(await saveEvalHistory(runOfAll(), folder)).toEqual(names.map((name) => join(history, name)));
    expect(await saveEvalHistory(runOfAll(), join(folder, 'agent.ts'))).toHaveLength(4);
    expect(readdirSync(history).sort()).toEqual([...names].sort());
    expect(JSON.parse(readFileSync(join(history, names[1]!), 'utf8'))).toMatchObject({ eval_set_id: 'odd/shapes' });
  });

  it('keeps apart sets whose ids map to the same file name', async () => {
    const folder = emptyFolder();
    const sets = ['a/b', 'a\\b', 'A_b'].map((id) => ({ ...onlyMeasured, id }));
    const files = await writeAdkResults(runOf(sets), folder, { appName: 'app' });
    expect(files.map((file) => JSON.parse(readFileSync(file, 'utf8')).eval_set_id)).toEqual(['a/b', 'a\\b', 'A_b']);
    expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(3);
    for (const file of files) {
      const { eval_set_result_id: id } = JSON.parse(readFileSync(file, 'utf8'));
      expect(file.endsWith(`${id}.evalset_result.json`)).toBe(true);
    }
  });

  it('explains why it cannot write a file', async () => {
    const folder = emptyFolder();
    await expect(saveEvalHistory(runOfAll(), join(folder, 'none'))).rejects.toMatchObject({ code: 'WRITE_FAILED' });
    writeFileSync(join(folder, '.adk'), '');
    await expect(saveEvalHistory(runOfAll(), folder)).rejects.toThrow(/cannot be created/);
  });
});
