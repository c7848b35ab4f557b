import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fittingAnswer, startFakeGemini } from '@agent-criteria/test-servers';
import { describe, expect, it } from 'vitest';
import { type AdkCase, adkMetric, adkResult, adkTurn } from './__fixtures__/adk-result.ts';
import { capture } from './__fixtures__/captured-io.ts';
import { folderOf } from './__fixtures__/folder.ts';
import { during, useGemini } from './__fixtures__/judged-project.ts';

/** A judge that approves of everything. */
const judge = fittingAnswer((_path, _asked, schema) => {
  const labels = Array.isArray(schema.enum) ? schema.enum : [];
  return labels.includes('invalid') ? 'valid' : labels.includes('no') ? 'yes' : undefined;
});

const TOOLS = 'tool_trajectory_avg_score';
const WORDS = 'response_match_score';
const FILE = 'shop/.adk/eval_history/shop_rooms_1.evalset_result.json';

/** Creates a case of one turn, with the same scores for the turn and the case. */
function oneTurn(
  id: string,
  status: number,
  turn: readonly [actual: object, expected: object | null],
  ...metrics: unknown[]
) {
  const [actual, expected] = turn as readonly [Record<string, unknown>, Record<string, unknown> | null];
  return { id, status, overall: metrics, turns: [{ actual, expected, metrics }] };
}

const good = oneTurn(
  'good',
  1,
  [adkTurn('Hello', 'Hello there'), adkTurn('Hello', 'Hello there')],
  adkMetric(TOOLS, 1, 1, 1),
  adkMetric(WORDS, 0.8, 1, 1),
);
const flag = (value: unknown) => [{ name: 'switch', args: { on: value }, id: null }];

function project(cases: readonly AdkCase[], more: Readonly<Record<string, unknown>> = {}) {
  const folder = folderOf({ [FILE]: adkResult('rooms', cases), ...more });
  const runs = join(folder, 'runs');
  const file = join(folder, FILE);
  const score = (...args: string[]) =>
    capture(['score', '--from', file, ...args, '--runs_folder', runs], { environment: process.env });
  const compared = (out: string) => out.slice(out.indexOf('Compared with ADK')).split('\n').slice(0, -1);
  return { folder, file, runs, score, compared };
}

describe('score --from', () => {
  it('judges recorded ADK results by the recorded criteria and thresholds, and saves this as a run', async () => {
    const { score, compared, runs } = project([good]);
    const { code, out, err } = await score();
    expect([code, err]).toEqual([0, '']);
    expect(compared(out)[0]).toBe('Compared with ADK: 4 of 4 scores equal, no difference');
    const [id = ''] = readdirSync(runs);
    const shown = await capture(['show', id, '--runs_folder', runs]);
    expect(shown.out).toContain('1 passed of 1 case');
    const again = await capture(['score', id, '--runs_folder', runs]);
    expect([again.code, again.err]).toEqual([0, '']);
    expect(again.out).toContain(`judged by ${TOOLS} >= 1, ${WORDS} >= 0.8\n`);
  });

  it('reads JSON in a JSON string, as older versions of ADK write it', async () => {
    const { folder, file, runs } = project([good]);
    const older = folderOf({ 'old.evalset_result.json': JSON.stringify(readFileSync(file, 'utf8')) });
    const { code, out } = await capture([
      'score',
      '--from',
      join(older, 'old.evalset_result.json'),
      '--runs_folder',
      runs,
    ]);
    expect([code, folder === older]).toEqual([0, false]);
    expect(out).toContain('4 of 4 scores equal');
  });

  it('lists a difference with its explanation, and lists none with --compat adk', async () => {
    const called = [adkTurn('On', 'Done', flag(true)), adkTurn('On', 'Done', flag(1))] as const;
    const { score, compared } = project([oneTurn('bool', 1, called, adkMetric(TOOLS, 1, 1, 1))]);
    const { code, out } = await score();
    expect(code).toBe(1);
    const lines = compared(out);
    expect(lines[0]).toBe('Compared with ADK: 0 of 2 scores equal, 2 differences, 2 explained');
    expect(lines[1]).toMatch(
      /^ {2}bool, tool_trajectory_avg_score: ADK 1, here 0: with --compat adk it is the same: .*true-is-not-one/,
    );
    const same = await score('--compat', 'adk');
    expect([same.code, compared(same.out)[0]]).toEqual([0, 'Compared with ADK: 2 of 2 scores equal, no difference']);
  });

  it('exits with 3 if all cases passed but a difference has no explanation', async () => {
    const wrong = oneTurn(
      'wrong',
      1,
      [adkTurn('Hi', 'Hello there'), adkTurn('Hi', 'Hello there')],
      adkMetric(WORDS, 0.8, 0.9, 1),
    );
    const { score, compared } = project([wrong]);
    const { code, out } = await score();
    expect(compared(out)).toEqual([
      'Compared with ADK: 0 of 2 scores equal, 2 differences, 0 explained',
      '  wrong, response_match_score: ADK 0.9, here 1: not explained',
      '  wrong, turn 1, response_match_score: ADK 0.9, here 1: not explained',
      expect.stringContaining('Exit code 3'),
      expect.stringContaining('Saved as run'),
    ]);
    expect(code).toBe(3);
  });

  it('leaves out an unknown metric with a warning', async () => {
    const own = oneTurn(
      'own',
      1,
      [adkTurn('Hi', 'Hello there'), adkTurn('Hi', 'Hello there')],
      adkMetric(WORDS, 0.8, 1, 1),
      adkMetric('politeness', 0.5, 0.7, 1),
    );
    const { score, compared } = project([own]);
    const { code, out } = await score();
    expect(code).toBe(3);
    expect(compared(out)[1]).toContain(
      'own, politeness: ADK 0.7, here not judged: this is not a criterion that agent-criteria knows',
    );
  });

  it('reports a metric that ADK did not evaluate but that is evaluated here', async () => {
    const crashed = oneTurn(
      'crashed',
      1,
      [adkTurn('Hi', 'Hello there'), adkTurn('Hi', 'Hello there')],
      adkMetric(TOOLS, 1, 1, 1),
      adkMetric(WORDS, 0.8, null, 3),
    );
    const { score, compared } = project([crashed]);
    const { code, out } = await score();
    expect(code).toBe(0);
    expect(compared(out)[1]).toBe(
      '  crashed, response_match_score: ADK not evaluated, here 1: ADK did not evaluate it, and the file does not say why: see the log of that run',
    );
  });

  it('uses criteria and thresholds of a config instead, and reports where they differ', async () => {
    const half = oneTurn(
      'half',
      2,
      [adkTurn('Hi', 'Hello there'), adkTurn('Hi', 'Hello')],
      adkMetric(WORDS, 0.8, 0.6666666666666666, 2),
    );
    const { folder, score, compared } = project([half], { 'loose.json': { criteria: { [WORDS]: 0.5 } } });
    const { code, out } = await score('--config-file-path', join(folder, 'loose.json'));
    expect(code).toBe(0);
    expect(compared(out)[1]).toContain('the threshold is 0.5 here, and was 0.8 there');
  });

  it('reads several entries for a case, and turns that ADK pooled, as repeats', async () => {
    const turn = (answer: string, score: number) => ({
      actual: adkTurn('Hi', answer),
      expected: adkTurn('Hi', 'Hello'),
      metrics: [adkMetric(WORDS, 0.5, score, score >= 0.5 ? 1 : 2)],
    });
    const pooled: AdkCase = {
      id: 'hi',
      status: 1,
      overall: [adkMetric(WORDS, 0.5, 0.5, 1)],
      turns: [turn('Hello', 1), turn('Bye', 0)],
    };
    const one = project([pooled]);
    const { code, out } = await one.score();
    expect([code, one.compared(out)[0]]).toEqual([0, 'Compared with ADK: 3 of 3 scores equal, no difference']);
    expect(out).toContain('2 repeats each');
    const apart = (answer: string, score: number): AdkCase => ({
      id: 'hi',
      status: score >= 0.5 ? 1 : 2,
      overall: turn(answer, score).metrics,
      turns: [turn(answer, score)],
    });
    const two = project([apart('Hello', 1), apart('Bye', 0)]);
    const apartOut = (await two.score()).out;
    expect(two.compared(apartOut)[0]).toBe('Compared with ADK: 4 of 4 scores equal, no difference');
  });

  it('does not score a case whose inference failed in ADK', async () => {
    const { score } = project([good, { id: 'broken', status: 2, overall: [], turns: [] }]);
    const { code, out } = await score();
    expect(code).toBe(3);
    expect(out).toContain('ADK recorded that the agent failed, and the result does not say why');
  });

  it('prints one JSON document that includes the differences', async () => {
    const { score } = project([good]);
    const { out } = await score('--json');
    expect(JSON.parse(out).recordedByAdk).toEqual({ scores: 4, equal: 4, explained: 0, differences: [] });
  });

  it('judges selected cases, and rejects a run given together with a file', async () => {
    const { score, compared } = project([good, { ...good, id: 'other' }]);
    const { out } = await score('--case', 'other');
    expect(compared(out)[0]).toContain('4 of 4 scores equal');
    expect((await score('last')).code).toBe(2);
  });

  it('judges an ADK result file that eval has written', async () => {
    const { folder, file, runs } = project([good]);
    await capture(['score', '--from', file, '--runs_folder', runs]);
    const written = join(folder, 'ours.evalset_result.json');
    await capture(['report', '--output', written, '--runs_folder', runs]);
    const { code, out } = await capture(['score', '--from', written, '--runs_folder', runs]);
    expect([code, out.includes('no difference')]).toEqual([0, true]);
  });
});

describe('score --from with a judge', () => {
  const MATCH = 'final_response_match_v2';
  const KIND = 'rubric_based_final_response_quality_v1';
  const judgeOptions = { judge_model: 'gemini-2.5-flash', judge_model_config: null, num_samples: 1 };
  const judged = (adkScore: number) =>
    oneTurn(
      'talk',
      adkScore === 1 ? 1 : 2,
      [adkTurn('Hi', 'Hello there'), adkTurn('Hi', 'Hello')],
      adkMetric(MATCH, 0.5, adkScore, adkScore === 1 ? 1 : 2, { judge_model_options: judgeOptions }),
    );

  it('calls the judge again, and notes that it may answer differently', async () => {
    const gemini = await during(startFakeGemini({ answer: judge }));
    useGemini(gemini);
    const { score, compared } = project([judged(0)]);
    const { code, out, err } = await score('--no_cache');
    expect([code, err]).toEqual([0, '']);
    expect(compared(out)[1]).toContain(`talk, ${MATCH}: ADK 0, here 1: a model or service gave it`);
    expect(gemini.requests).toHaveLength(1);
  });

  it('reports what is missing, and how to proceed without it', async () => {
    useGemini({ url: 'http://127.0.0.1:9' }, '');
    const { code, err } = await project([judged(1)]).score();
    expect(code).toBe(2);
    expect(err).toContain('GEMINI_API_KEY');
    expect(err).toContain('or choose other criteria with --config-file-path');
  });

  it('passes the rubrics that ADK recorded to the judge', async () => {
    const gemini = await during(startFakeGemini({ answer: judge }));
    useGemini(gemini);
    const rubrics = [
      { rubric_id: 'kind', rubric_content: { text_property: 'The answer is kind.' }, description: null, type: null },
    ];
    const metric = adkMetric(KIND, 0.5, 1, 1, { judge_model_options: judgeOptions, rubrics });
    const { score, compared } = project([oneTurn('talk', 1, [adkTurn('Hi', 'Hello'), adkTurn('Hi', 'Hello')], metric)]);
    const { code, out, err } = await score();
    expect([code, err]).toEqual([0, '']);
    expect(compared(out)[0]).toBe('Compared with ADK: 2 of 2 scores equal, no difference');
    expect(JSON.stringify(gemini.requests[0])).toContain('The answer is kind.');
  });
});

describe('show and report on a result file', () => {
  it('print the scores that ADK recorded, and never more than was judged', async () => {
    const crashed = { ...good, id: 'crashed', overall: [adkMetric(TOOLS, 1, 1, 1), adkMetric(WORDS, 0.8, null, 3)] };
    const { file } = project([good, crashed]);
    const whole = await capture(['show', file]);
    expect(whole.code).toBe(0);
    expect(whole.out).toContain('1 passed, 1 not-evaluated of 2 cases');
    const one = await capture(['show', file, 'good']);
    expect(one.out).toContain('Hello there');
    const report = await capture(['report', file, '--format', 'markdown']);
    expect(report.out).toContain('ADK did not evaluate it');
    expect((await capture(['show', file, 'god'])).err).toContain('did you mean "good"');
    expect((await capture(['show', file, '--judge_prompt'])).code).toBe(2);
  });
});
