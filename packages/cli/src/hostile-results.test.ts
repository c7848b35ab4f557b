import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { adkMetric, adkResult, adkTurn } from './__fixtures__/adk-result.ts';
import { capture } from './__fixtures__/captured-io.ts';
import { folderOf } from './__fixtures__/folder.ts';

// Results that someone else wrote, damaged or forged: `score --from` rejects them, or gives the scores they deserve.

const WORDS = 'response_match_score';
const turn = (answer: string) => adkTurn('Hello', answer);
/** A case that the file calls passed, although the agent's answer was wrong. */
const lie = {
  id: 'wrong',
  status: 1,
  overall: [adkMetric(WORDS, 0.8, 1, 1)],
  turns: [{ actual: turn('zzz'), expected: turn('Hello there'), metrics: [adkMetric(WORDS, 0.8, 1, 1)] }],
};
const whole = () => JSON.parse(JSON.stringify(adkResult('rooms', [lie])));
/** Returns the result with one value replaced. */
function changed(path: readonly (string | number)[], value: unknown): string {
  const result = whole();
  let place = result;
  for (const key of path.slice(0, -1)) place = place[key];
  place[path.at(-1) ?? ''] = value;
  return JSON.stringify(result);
}
const one = ['eval_case_results', 0] as const;
const actual = [...one, 'eval_metric_result_per_invocation', 0, 'actual_invocation'] as const;

const files: readonly (readonly [name: string, text: string])[] = [
  ['nothing', ''],
  ['null', 'null'],
  ['a list', '[]'],
  ['a number', '1e400'],
  ['half of it', JSON.stringify(whole()).slice(0, 300)],
  ['a text in a text in a text', JSON.stringify(JSON.stringify(JSON.stringify(whole())))],
  ['ten thousand levels', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
  ['no cases', changed(['eval_case_results'], [])],
  ['cases that are no list', changed(['eval_case_results'], { 0: 'passed' })],
  ['a case that is null', changed([...one], null)],
  ['a case without an id', changed([...one, 'eval_id'], null)],
  ['an id of the prototype', changed([...one, 'eval_id'], '__proto__')],
  ['keys of the prototype', JSON.stringify(whole()).replace('{', '{"__proto__":{"eval_status":1},')],
  ['one key twice', JSON.stringify(whole()).replace('{', '{"eval_case_results":[],')],
  ['no turns', changed([...one, 'eval_metric_result_per_invocation'], [])],
  ['turns that are null', changed([...one, 'eval_metric_result_per_invocation'], null)],
  ['an answer that is a number', changed([...actual, 'final_response'], 1)],
  ['parts that are a text', changed([...actual, 'final_response', 'parts'], 'Hello there')],
  [
    'an actual turn that is the expected one, in another spelling',
    changed([...actual, 'finalResponse'], turn('Hello there')),
  ],
  ['a score that is a text', changed([...one, 'overall_eval_metric_results', 0, 'score'], '1')],
  ['a threshold below every score', changed([...one, 'overall_eval_metric_results', 0, 'threshold'], -1)],
  ['a status that there is not', changed([...one, 'final_eval_status'], 7)],
  ['what it is', JSON.stringify(whole())],
];

it.each(files)(
  'score --from never passes a wrong answer, and blames the file for mistakes in it: %s',
  async (_, text) => {
    const folder = folderOf({});
    const file = join(folder, 'r.evalset_result.json');
    writeFileSync(file, text);
    const { code, out, err } = await capture(['score', '--from', file, '--runs_folder', join(folder, 'runs')]);
    expect([1, 2, 3]).toContain(code);
    expect(`${out}${err}`).not.toMatch(/\n {4}at |INTERNAL|TypeError|RangeError|1 passed of 1 case/);
    if (code === 2) expect(err).toMatch(/r\.evalset_result\.json|none of the recorded metrics can be judged here/);
  },
);
