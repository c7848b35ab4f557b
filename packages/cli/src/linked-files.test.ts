import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { capture } from './__fixtures__/captured-io.ts';
import { evalCase, evalSet, turn } from './__fixtures__/eval-data.ts';
import { folderOf } from './__fixtures__/folder.ts';

/** Creates a project with one finished run, in a folder where links lead from `work` to `real`. */
async function project(): Promise<string> {
  const folder = realpathSync(
    folderOf({
      'work/agent.mjs': 'export const agent = (text) => text;',
      'work/x.evalset.json': evalSet('x', evalCase('a', turn('Hi', 'Hi'))),
      'work/test_config.json': { criteria: { response_match_score: 0.5 } },
      'work/sc.json': { scenarios: [{ starting_prompt: 'p', conversation_plan: 'plan' }] },
      'work/si.json': { app_name: 'x', user_id: 'u', state: {} },
      'work/old.test.json': [{ query: 'Hi', reference: 'Hi' }],
    }),
  );
  mkdirSync(join(folder, 'real'));
  const runs = ['--runs_folder', join(folder, 'runs')];
  expect((await capture(['eval', join(folder, 'work'), join(folder, 'work/x.evalset.json'), ...runs])).code).toBe(0);
  return folder;
}

/** Every command that writes one of the user's files. */
const writers: readonly (readonly [file: string, args: readonly string[], content: string])[] = [
  [
    'y.evalset.json',
    [
      'eval_set',
      'add_eval_case',
      'WORK',
      'y',
      '--scenarios-file',
      'WORK/sc.json',
      '--session-input-file',
      'WORK/si.json',
    ],
    JSON.stringify(evalSet('y')),
  ],
  [
    'base.json',
    ['baseline', 'set', 'last', '--output', 'WORK/base.json', 'RUNS'],
    '{ "kind": "agent-criteria baseline" }',
  ],
  ['run.junit.xml', ['report', 'last', '--output', 'WORK/run.junit.xml', 'RUNS'], 'old'],
  ['run.csv', ['report', 'last', '--output', 'WORK/run.csv', 'RUNS'], 'old'],
  ['run.json', ['report', 'last', '--output', 'WORK/run.json', 'RUNS'], 'old'],
];

describe.skipIf(process.platform === 'win32')('a file that a command writes', () => {
  it.each(writers)(
    'stays a link if it is one, and its target keeps its permissions: %s',
    async (name, args, content) => {
      const folder = await project();
      const [work, real] = [join(folder, 'work'), join(folder, 'real')];
      writeFileSync(join(real, 'target'), content);
      chmodSync(join(real, 'target'), 0o600);
      // A link to a link.
      symlinkSync('../real/target', join(work, 'between'));
      symlinkSync('between', join(work, name));
      const given = args.flatMap((arg) =>
        arg === 'RUNS' ? ['--runs_folder', join(folder, 'runs')] : [arg.replace('WORK', work)],
      );
      const { code, err } = await capture(given);
      expect([code, err.includes('cannot be written')]).toEqual([0, false]);
      expect(readFileSync(join(real, 'target'), 'utf8')).not.toBe(content);
      expect(statSync(join(real, 'target')).mode & 0o777).toBe(0o600);
      for (const link of [name, 'between']) expect(lstatSync(join(work, link)).isSymbolicLink()).toBe(true);
    },
  );
});
