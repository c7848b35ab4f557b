import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRun, run } from '@agent-criteria/runner';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { smallProject, threeCases } from '../__fixtures__/small-project.ts';
import { setsOfAgent } from '../files/find-files.ts';
import { executeRun } from './execute-run.ts';
import { prepareRun } from './prepare-run.ts';

describe('prepareRun', () => {
  it("prepares all of the agent's sets by default, without importing it", async () => {
    const {
      folder: agent,
      options,
      asked,
      runs,
    } = smallProject({
      'other.evalset.json': threeCases('other'),
    });
    const prepared = await prepareRun({ ...options, agent });
    expect(prepared.sets.map(({ plan }) => plan.evalSet.evalSetId)).toEqual(['home', 'other']);
    expect(prepared).toMatchObject({ repeats: 1, judged: true, source: { kind: 'new' }, warnings: [] });
    expect(prepared.agents[0]?.agent?.file).toBe(join(agent, 'agent.mjs'));
    expect([asked(), runs()]).toEqual([null, []]);
  });

  it('accepts sets by id and path, and cases by id', async () => {
    const { folder: agent, options } = smallProject();
    const idsOf = async (more: object) =>
      (await prepareRun({ ...options, agent, ...more })).sets.flatMap(({ plan }) =>
        plan.evalSet.evalCases.map(({ evalId }) => evalId),
      );
    expect(await idsOf({ evalSets: ['home:one'] })).toEqual(['one']);
    expect(await idsOf({ evalSets: [join(agent, 'home.evalset.json')], cases: ['three'] })).toEqual(['three']);
    await expect(idsOf({ cases: ['tree'] })).rejects.toThrow('did you mean "three"');
  });

  it('reports mistakes in the sets, the config and the agent together', async () => {
    const { folder, options } = smallProject({
      'bad.evalset.json': '{',
      'test_config.json': { criteria: { response_match_score: true } },
    });
    const evalSets = ['bad', 'home', 'none'].map((id) => join(folder, `${id}.evalset.json`));
    const prepared = prepareRun({ ...options, agent: join(folder, 'no-agent.ts'), evalSets });
    const files = await prepared.catch(({ problems }) => problems.map(({ file }: { file: string }) => file));
    expect(files).toEqual(
      expect.arrayContaining(['bad.evalset.json', 'test_config.json', 'no-agent.ts'].map((name) => join(folder, name))),
    );
  });
});

describe('setsOfAgent', () => {
  it("returns the agent's folder if it contains eval sets, or else an empty list", async () => {
    const { folder } = smallProject();
    expect(await setsOfAgent(folder)).toEqual([folder]);
    expect(await setsOfAgent(join(folder, 'agent.mjs'))).toEqual([folder]);
    expect(await setsOfAgent(folderOf({ 'agent.mjs': '' }))).toEqual([]);
    expect(await setsOfAgent('http://127.0.0.1:9/')).toEqual([]);
  });
});

describe('prepareRun with a run to resume', () => {
  it('continues an interrupted run to the same totals as an uninterrupted one', async () => {
    const {
      folder: agent,
      options,
      asked,
    } = smallProject({
      'agent-criteria.config.json': { concurrency: { agents: 1, scoring: 1 } },
    });
    const whole = await executeRun(await prepareRun({ ...options, agent }));
    const before = asked()?.length ?? 0;

    const stop = new AbortController();
    const { folder, outcome } = await executeRun(await prepareRun({ ...options, agent }), {
      drain: stop.signal,
      onEvent: ({ type }) => type === 'unit-started' && stop.abort(),
    });
    expect(outcome.finished).toBe(false);
    const prepared = await prepareRun({ ...options, source: { kind: 'resume' } });
    expect(prepared).toMatchObject({ source: { kind: 'resume', folder }, repeats: 1, judged: true });
    const resumed = await executeRun(prepared);
    expect(resumed.outcome.finished).toBe(true);
    expect(openRun(folder).summary).toEqual(openRun(whole.folder).summary);
    // Together, the interrupted and the resumed run execute each case once.
    expect(asked()?.slice(before).toSorted()).toEqual(['break', 'one', 'three']);
  });

  it('reruns only cases that ended in an error', async () => {
    const { folder: agent, options, asked } = smallProject();
    await executeRun(await prepareRun({ ...options, agent }));
    writeFileSync(join(agent, 'repaired'), '');
    const { outcome } = await executeRun(await prepareRun({ ...options, source: { kind: 'resume', run: 'last' } }));
    expect(outcome.summary.verdicts).toMatchObject({ passed: 3, error: 0 });
    expect(asked()).toHaveLength(4);
    expect(asked()?.at(-1)).toBe('break');
  });

  it('rejects a run whose agent was a value', async () => {
    const { folder: agent, options, runsFolder } = smallProject();
    const { sets } = await prepareRun({ ...options, agent });
    await run({ sets, agent: (text) => text, folder: join(runsFolder, 'of-a-value') });
    await expect(prepareRun({ ...options, source: { kind: 'resume', run: 'of-a' } })).rejects.toMatchObject({
      code: 'AGENT_NOT_FOUND',
    });
  });
});

describe('prepareRun with a run to judge again', () => {
  it('judges recorded inferences by a different config without running the agent', async () => {
    const {
      folder: agent,
      options,
      asked,
    } = smallProject({
      'agent.mjs': "export const agent = () => 'one two three four';",
      'strict.json': { criteria: { response_match_score: 1 } },
      'loose.json': { criteria: { response_match_score: 0.1 } },
    });
    const { folder } = await executeRun(
      await prepareRun({ ...options, agent, config: join(agent, 'strict.json'), cases: ['one', 'three'] }),
    );
    const prepared = await prepareRun({
      ...options,
      source: { kind: 'rescore', run: folder },
      config: join(agent, 'loose.json'),
    });
    expect(prepared).toMatchObject({ agents: [{ agent: null }], source: { kind: 'rescore', folder }, judged: true });
    const { outcome } = await executeRun(prepared);
    expect(outcome.summary.verdicts).toMatchObject({ passed: 2, failed: 0 });
    expect(openRun(folder, { scoring: 1 }).summary.verdicts).toMatchObject({ passed: 0, failed: 2 });
    expect(openRun(folder).info.scoring).toBe(2);
    expect(asked()).toBeNull();
  });

  it('judges only chosen cases, and rejects those that the run does not have', async () => {
    const { folder: agent, options } = smallProject();
    const { folder } = await executeRun(await prepareRun({ ...options, agent, cases: ['one', 'three'] }));
    const source = { kind: 'rescore', run: folder } as const;
    const { sets } = await prepareRun({ ...options, source, cases: ['three'] });
    expect(sets.map(({ plan }) => plan.evalSet.evalCases.length)).toEqual([1]);
    const missing = prepareRun({ ...options, source, cases: ['break'] });
    await expect(missing).rejects.toMatchObject({ code: 'UNKNOWN_CASE' });
  });
});
