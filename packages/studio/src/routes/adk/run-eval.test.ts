import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../../test/folder.ts';
import { homeFiles, studioOf } from '../../__fixtures__/running-studio.ts';

const METRICS = [
  { metricName: 'tool_trajectory_avg_score', threshold: 1 },
  { metricName: 'response_match_score', threshold: 0.7 },
];
type Metrics = readonly { readonly metricName: string }[];

interface CaseMetrics {
  readonly overallEvalMetricResults: Metrics;
  readonly evalMetricResultPerInvocation: readonly { readonly evalMetricResults: Metrics }[];
}

const SET = '/dev/apps/echo/eval_sets/home';

describe('add-session', () => {
  it("saves a conversation as a case with the session's initial state", async () => {
    const studio = await studioOf();
    const { json } = studio;
    const { body } = await json('POST', '/apps/echo/users/ann/sessions', { state: { city: 'Rome', turns: 4 } });
    const { id } = body as { id: string };
    for (const text of ['Hi', 'Bye']) {
      const newMessage = { role: 'user', parts: [{ text }] };
      await json('POST', '/run', { appName: 'echo', userId: 'ann', sessionId: id, newMessage });
    }
    for (const [path, evalId] of [
      ['eval_sets/home/add_session', 'old'],
      ['eval-sets/home/add-session', 'new'],
    ]) {
      const added = { evalId, sessionId: id, userId: 'ann' };
      expect(await json('POST', `/apps/echo/${path}`, added)).toEqual({ status: 200, body: null });
      expect((await json('POST', `/apps/echo/${path}`, added)).status).toBe(400);
      expect((await json('GET', `${SET}/evals/${evalId}`)).body).toMatchObject({
        evalId,
        sessionInput: { appName: 'echo', userId: 'ann', state: { city: 'Rome', turns: 4 } },
        conversation: [
          { userContent: { parts: [{ text: 'Hi' }] }, finalResponse: { parts: [{ text: 'You said: Hi' }] } },
          { userContent: { parts: [{ text: 'Bye' }] } },
        ],
      });
    }
    const missing = { evalId: 'x', sessionId: 'none', userId: 'ann' };
    expect((await json('POST', '/apps/echo/eval_sets/home/add_session', missing)).status).toBe(404);
    expect((await json('POST', '/apps/echo/eval_sets/home/add_session', {})).status).toBe(422);
    // The added cases pass, because the agent gives the same answers again.
    const run = await json('POST', `${SET}/run_eval`, { evalIds: ['old', 'new'], evalMetrics: METRICS });
    expect(run.body).toMatchObject([{ finalEvalStatus: 1 }, { finalEvalStatus: 1 }]);
  });
});

describe("a run through ADK's route", () => {
  it('returns results in both dialects and stores them where ADK and the command find them', async () => {
    const studio = await studioOf();
    const { json, folder } = studio;
    const old = await json('POST', `${SET}/run_eval`, { evalIds: ['greets', 'a/b c'], evalMetrics: METRICS });
    expect(old.status).toBe(200);
    expect(old.body).toMatchObject([
      {
        evalSetId: 'home',
        evalId: 'greets',
        finalEvalStatus: 1,
        overallEvalMetricResults: [
          { metricName: 'tool_trajectory_avg_score', threshold: 1, score: 1, evalStatus: 1 },
          { metricName: 'response_match_score', threshold: 0.7, score: 1 },
        ],
        evalMetricResultPerInvocation: [{ actualInvocation: {}, expectedInvocation: {} }],
        userId: 'ann',
      },
      { evalId: 'a/b c', finalEvalStatus: 2 },
    ]);
    const answer = await json('POST', '/apps/echo/eval-sets/home/run', {
      eval_case_ids: ['greets'],
      eval_metrics: METRICS,
    });
    expect(answer.body).toMatchObject({ runEvalResults: [{ evalId: 'greets', finalEvalStatus: 1 }] });

    const { body: ids } = await json('GET', '/dev/apps/echo/eval_results');
    expect(ids).toHaveLength(2);
    expect((await json('GET', '/apps/echo/eval-results')).body).toEqual({ evalResultIds: ids });
    for (const id of ids as string[]) {
      const { body } = await json('GET', `/dev/apps/echo/eval_results/${id}`);
      const { evalSetResultId, creationTimestamp } = body as Record<string, unknown>;
      expect(evalSetResultId).toBe(id);
      // ADK's client derives the id this way.
      expect((await json('GET', `/apps/echo/eval-results/echo_home_${creationTimestamp}`)).body).toEqual(body);
    }
    expect((await json('GET', '/dev/apps/echo/eval_results/none')).status).toBe(404);
    expect((await json('GET', '/dev/apps/echo/eval_results/..%2f..%2fhome')).status).toBe(404);

    // A case's conversation can be opened but is not listed; another studio finds it in the results.
    const [{ sessionId }] = old.body as [{ sessionId: string }];
    const path = `/apps/echo/users/ann/sessions`;
    const expected = { id: sessionId, events: [{ author: 'user' }, {}, {}] };
    expect((await json('GET', `${path}/${sessionId}`)).body).toMatchObject(expected);
    expect((await json('GET', path)).body).toEqual([]);
    const other = await studioOf({}, { folder });
    expect((await other.json('GET', `${path}/${sessionId}`)).body).toMatchObject(expected);
  });

  it("opens a case's conversation with its trace for whichever user asks, as ADK's client has only its own", async () => {
    const studio = await studioOf();
    const run = await studio.json('POST', `${SET}/run_eval`, { evalIds: ['greets', 'a/b c'], evalMetrics: METRICS });
    const restarted = await studioOf({}, { folder: studio.folder });
    const cases = run.body as { sessionId: string; userId: string }[];
    expect(cases.map(({ userId }) => userId)).toEqual(['ann', 'test_user_id']);
    for (const { json } of [studio, restarted]) {
      for (const { sessionId, userId } of cases) {
        const { body } = await json('GET', `/apps/echo/users/user/sessions/${sessionId}`);
        expect(body).toMatchObject({ id: sessionId, userId, events: [{ author: 'user' }, {}, {}] });
        const trace = await json('GET', `/dev/apps/echo/debug/trace/session/${sessionId}`);
        const names = (trace.body as { name: string }[]).map(({ name }) => name);
        expect(names).toEqual(['invocation', 'invoke_agent echo']);
      }
    }
    const { body: chat } = await studio.json('POST', '/apps/echo/users/ann/sessions', {});
    const { id } = chat as { id: string };
    expect((await studio.json('GET', `/apps/echo/users/user/sessions/${id}`)).status).toBe(404);
  });

  it("leaves criteria that only measure out of what ADK's web UI counts, but in no other answer", async () => {
    const config = { criteria: {}, agent_criteria: { measure: ['tool_call_count_v1'] } };
    const { json } = await studioOf({ ...homeFiles, 'echo/test_config.json': config });
    await json('POST', `${SET}/run_eval`, { evalIds: ['greets'], evalMetrics: METRICS });
    const { body: ids } = await json('GET', '/dev/apps/echo/eval_results');
    const [id] = ids as string[];
    const metricsIn = async (path: string) => {
      const { body } = await json('GET', `/dev/apps/echo/${path}/${id}`);
      const [entry] = (body as { evalCaseResults: CaseMetrics[] }).evalCaseResults;
      const of = (metrics: Metrics = []) => metrics.map(({ metricName }) => metricName);
      const turns = entry?.evalMetricResultPerInvocation.map(({ evalMetricResults }) => of(evalMetricResults));
      return { case: of(entry?.overallEvalMetricResults), turns };
    };
    const deciding = METRICS.map(({ metricName }) => metricName);
    const all = expect.arrayContaining([...deciding, 'tool_call_count_v1']);
    expect(await metricsIn('eval_results')).toEqual({ case: deciding, turns: [deciding] });
    expect(await metricsIn('eval-results')).toEqual({ case: all, turns: [all] });
  });

  it("has the id with which its set is listed, under which ADK's web UI looks for it", async () => {
    const { 'echo/home.evalset.json': set, ...agent } = homeFiles;
    const other = { ...set, eval_set_id: 'elsewhere' };
    const { json } = await studioOf({ ...agent, 'echo/my-home.evalset.json': other });
    await json('POST', '/dev/apps/echo/eval_sets/my-home/run_eval', { evalIds: ['greets'], evalMetrics: METRICS });
    const { body: ids } = await json('GET', '/dev/apps/echo/eval_results');
    const [id = ''] = ids as string[];
    const { body } = await json('GET', `/dev/apps/echo/eval_results/${id}`);
    expect(body).toMatchObject({ evalSetId: 'my-home', evalSetResultId: id });
    // Composed in the client, from what it was given.
    const { creationTimestamp } = body as { creationTimestamp: number };
    const again = await json('GET', `/dev/apps/echo/eval_results/echo_my-home_${creationTimestamp}`);
    expect(again).toMatchObject({ status: 200, body });
    expect((await json('GET', `/apps/echo/eval-results/${id}`)).body).toMatchObject({ evalSetId: 'elsewhere' });
  });

  it("has a result id that ADK's client can derive, even if the timestamp is a whole second", async () => {
    const result = { eval_set_result_id: 'echo_home_5.0', eval_set_id: 'home', eval_case_results: [] };
    const files = { 'echo/.adk/eval_history/echo_home_5.0.evalset_result.json': { ...result, creation_timestamp: 5 } };
    const { json } = await studioOf({ ...homeFiles, ...files });
    expect((await json('GET', '/dev/apps/echo/eval_results')).body).toEqual(['echo_home_5.0']);
    expect((await json('GET', '/dev/apps/echo/eval_results/echo_home_5')).status).toBe(200);
  });

  it('takes rubrics, judges and other options from the config next to the set', async () => {
    const studio = await studioOf({
      ...homeFiles,
      'echo/test_config.json': { criteria: { tool_trajectory_avg_score: { threshold: 0.5, match_type: 'ANY_ORDER' } } },
    });
    await studio.json('POST', `${SET}/run_eval`, { evalIds: ['greets'], evalMetrics: METRICS.slice(0, 1) });
    const { body } = await studio.json('GET', '/dev/apps/echo/eval_results');
    const [id] = body as string[];
    expect((await studio.json('GET', `/dev/apps/echo/eval_results/${id}`)).body).toMatchObject({
      evalCaseResults: [{ overallEvalMetricResults: [{ threshold: 1, criterion: { match_type: 'ANY_ORDER' } }] }],
    });
  });

  it('writes no results through a link that leads outside the folder', async () => {
    const studio = await studioOf();
    const outside = folderOf({ 'a.txt': '' });
    symlinkSync(outside, join(studio.folder, 'echo/.adk'));
    const answer = await studio.json('POST', `${SET}/run_eval`, { evalIds: ['greets'], evalMetrics: METRICS });
    expect(answer).toMatchObject({ status: 400, body: { detail: expect.stringContaining('leads out of the folder') } });
    expect(readdirSync(outside)).toEqual(['a.txt']);
    expect((await studio.json('GET', '/dev/apps/echo/eval_results')).body).toEqual([]);
  });

  it("is stored in the project's run folder, even if the agent changes the working directory", async () => {
    const agent = `import { tmpdir } from 'node:os';
      export const rootAgent = (message) => {
        process.chdir(tmpdir());
        return 'You said: ' + message;
      };`;
    const home = process.cwd();
    const studio = await studioOf({ ...homeFiles, 'echo/agent.mjs': agent });
    try {
      const asked = { evalIds: ['greets'], evalMetrics: METRICS.slice(1) };
      for (const count of [1, 2]) {
        expect((await studio.json('POST', `${SET}/run_eval`, asked)).status).toBe(200);
        expect((await studio.json('GET', '/api/runs')).body).toMatchObject({ total: count });
      }
      expect((await studio.json('GET', '/list-apps')).status).toBe(200);
      expect(process.cwd()).toBe(home);
    } finally {
      process.chdir(home);
    }
  });

  it('is rejected with reasons before anything runs', async () => {
    const { json } = await studioOf();
    const run = (body: object, set = SET) => json('POST', `${set}/run_eval`, body);
    expect((await run({ evalMetrics: METRICS }, '/dev/apps/echo/eval_sets/none')).status).toBe(400);
    expect((await run({ evalIds: ['none'], evalMetrics: METRICS })).status).toBe(404);
    expect((await run({ evalIds: [], evalMetrics: [] })).status).toBe(400);
    expect((await run({ evalIds: 3, evalMetrics: METRICS })).status).toBe(422);
    expect((await run({ evalMetrics: [{ metricName: 'x' }, { threshold: 1 }] })).status).toBe(422);
    const unknown = await run({ evalMetrics: [{ metricName: 'tool_trajectory', threshold: 1 }] });
    expect(unknown).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('no criterion named "tool_trajectory"') },
    });
    expect((await json('GET', '/dev/apps/echo/eval_results')).body).toEqual([]);
  });
});

describe('metrics-info', () => {
  it('lists installed criteria that have a bounded range', async () => {
    const { json } = await studioOf();
    const { body } = await json('GET', '/dev/apps/echo/metrics-info');
    const { metricsInfo } = body as { metricsInfo: { metricName: string; metricValueInfo: object }[] };
    expect(metricsInfo.map(({ metricName }) => metricName)).toEqual(
      expect.arrayContaining(['tool_trajectory_avg_score', 'response_match_score', 'hallucinations_v1']),
    );
    expect(metricsInfo.map(({ metricName }) => metricName)).not.toContain('tool_call_count_v1');
    for (const { metricValueInfo } of metricsInfo) {
      expect(metricValueInfo).toEqual({
        interval: { minValue: expect.any(Number), maxValue: expect.any(Number), openAtMin: false, openAtMax: false },
      });
    }
  });
});
