import { join } from 'node:path';
import { expect, it } from 'vitest';
import { capture } from './__fixtures__/captured-io.ts';
import { evalCase, evalSet, turn } from './__fixtures__/eval-data.ts';
import { folderOf } from './__fixtures__/folder.ts';
import { commandFlags } from './command-flags.ts';
import { commands } from './commands.ts';

it('every command rejects an empty string as a run or any other argument, even if there is only one run', async () => {
  const folder = folderOf({
    'agent.mjs': 'export const agent = (text) => text;',
    'x.evalset.json': evalSet('x', evalCase('a', turn('Hi', 'Hi'))),
    'test_config.json': { criteria: { response_match_score: 0.5 } },
  });
  const runs = ['--runs_folder', join(folder, 'runs')];
  expect((await capture(['eval', folder, ...runs])).code).toBe(0);
  const refuses = async (args: readonly string[], where: string) => {
    const { code, out, err } = await capture(args);
    const told = `an empty text was given ${where}: probably a shell variable that is empty or not set`;
    expect([args, code, out, err.includes(told)]).toEqual([args, 2, '', true]);
  };
  for (const command of [
    ['score'],
    ['resume'],
    ['report'],
    ['show'],
    ['label'],
    ['calibrate'],
    ['noise'],
    ['baseline', 'set'],
  ]) {
    await refuses([...command, '', ...runs], 'as argument 1');
  }
  await refuses(['compare', 'last', '', ...runs], 'as argument 2');
  await refuses(['eval', folder, '--baseline', '', ...runs], 'for --baseline');
  for (const { name } of commands) {
    const words = name.split(' ');
    await refuses([...words, ''], 'as argument 1');
    await refuses([...words, 'last', ' '], 'as argument 2');
    for (const [flag, { type }] of Object.entries(commandFlags[name])) {
      if (type === 'boolean') continue;
      const shown = `--${flag.replaceAll('_', '-')}`;
      // This flag takes its value only after an equals sign.
      if (flag !== 'inspect') await refuses([...words, shown, ''], `for ${shown}`);
      await refuses([...words, `${shown}=`], `for ${shown}`);
    }
  }
});
