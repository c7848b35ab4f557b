import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { liveCommands } from '../../../test/live-commands.ts';
import { type Captured, capture } from './__fixtures__/captured-io.ts';
import { evalCase, evalSet, turn } from './__fixtures__/eval-data.ts';
import { folderOf } from './__fixtures__/folder.ts';

/** A line that looks like ours, commands of every CI service, and sequences that a terminal obeys. */
const LINES = [
  '2 passed of 2 cases',
  '::stop-commands::x',
  '##vso[task.complete result=Succeeded;]',
  "##teamcity[testFinished name='a']",
  'section_start:1:a\r\u001b[0K',
  '--- folded',
  '+++',
  '\u001b[8mhidden\u202e\u2028::notice::x',
];
const hostile = (name: string) => `${name}\n${LINES.join('\n')}`;

const agent = `
export const agent = (text) => {
  if (text.startsWith('break')) throw new Error(${JSON.stringify(hostile('broken'))});
  return { text: ${JSON.stringify(hostile('answer'))}, toolCalls: [{ name: ${JSON.stringify(hostile('tool'))}, args: { text } }] };
};`;

const [wrong, broken] = [hostile('::add-mask::'), hostile('--- broken')];
const call = { name: hostile('other'), args: { [hostile('key')]: hostile('value') } };
const set = {
  ...evalSet(
    hostile('set'),
    evalCase(wrong, turn(hostile('Hi'), hostile('expected'), [call])),
    evalCase(broken, turn(hostile('break'), hostile('expected'))),
  ),
  description: LINES.join('\n'),
};

/** Checks that the output contains no live command, and no line that looks like one of ours. */
function expectInert({ out, err }: Captured): void {
  expect(liveCommands(out)).toEqual([]);
  expect(liveCommands(err)).toEqual([]);
  expect(`${out}${err}`).not.toMatch(/^2 passed of 2 cases$/m);
}

describe('control sequences in eval sets, agents and files', () => {
  const project = () => {
    const folder = folderOf({ 'agent.mjs': agent, 's.evalset.json': set });
    const runs = join(folder, 'runs');
    return { folder, command: (...args: string[]) => capture([...args, '--runs_folder', runs]) };
  };

  it.each([[[]], [['--print_detailed_results']]])(
    'are escaped in the output of a run with the flags %j',
    async (flags) => {
      const { folder, command } = project();
      const run = await command('eval', folder, join(folder, 's.evalset.json'), ...flags);
      expect(run.out).toContain('1 failed, 1 error of 2 cases');
      expectInert(run);
    },
  );

  it('are escaped when a run is read, in any format', async () => {
    const { folder, command } = project();
    expectInert(await command('generate', folder, join(folder, 's.evalset.json')));
    expectInert(await command('score'));
    for (const args of [
      ['runs'],
      ['show'],
      ['show', 'last', wrong],
      ['show', 'last', broken],
      ['show', 'last', 'none'],
    ]) {
      expectInert(await command(...args));
      const { out } = await command(...args, '--json');
      expect(out.match(/##(vso|teamcity)?\[/)).toBeNull();
    }
    for (const format of ['console', 'markdown']) expectInert(await command('report', '--format', format));
    const { out: xml } = await command('report', '--format', 'junit');
    // Without the control characters after it, this is plain text for GitLab too.
    expect(liveCommands(xml).filter((found) => !found.startsWith('section_'))).toEqual([]);
    const { out } = await command('report', '--format', 'json');
    expect(out).not.toContain('##');
    expect(JSON.parse(out)).toEqual(JSON.parse((await command('show', '--json')).out));
    expect(JSON.stringify(JSON.parse(out))).toContain('##vso[');
  });

  it('are escaped when eval sets are read, checked and created', async () => {
    const { folder, command } = project();
    expectInert(await capture(['eval_set', 'list', folder]));
    expectInert(await capture(['eval_set', 'show', folder, 's']));
    expectInert(await capture(['eval_set', 'show', folder, 's', wrong]));
    expectInert(await capture(['eval_set', 'show', folder, 's', hostile('none')]));
    expectInert(await capture(['eval', folder, join(folder, 's.evalset.json'), '--case', hostile('none')]));
    expectInert(await command('doctor', folder));
    expectInert(await capture(['validate', folder]));
    expectInert(await capture(['validate', join(folder, hostile('no-file'))]));
    expectInert(await capture([hostile('no-command')]));
    await command('generate', folder, join(folder, 's.evalset.json'));
    expectInert(await command('eval_set', 'create', folder, 'mine'));
    expectInert(await command('eval_set', 'add_session', folder, 'mine', 'last', wrong));
  });

  it('are escaped in error messages', async () => {
    const { folder } = project();
    const file = join(folder, `${LINES.join('\n').replaceAll('/', '')}.evalset.json`);
    writeFileSync(file, JSON.stringify({ ...set, [hostile('odd')]: 1, eval_cases: [{ [hostile('odd')]: 1 }] }));
    writeFileSync(join(folder, 'test_config.json'), JSON.stringify({ criteria: { [hostile('criterion')]: 1 } }));
    for (const args of [
      ['validate', folder],
      ['doctor', folder],
      ['eval', folder, file],
      ['eval_set', 'list', folder],
    ]) {
      const ran = await capture(args);
      expect(ran.code, args.join(' ')).toBe(2);
      expectInert(ran);
    }
    writeFileSync(join(folder, 'agent.mjs'), `throw new Error(${JSON.stringify(hostile('not loaded'))});`);
    writeFileSync(join(folder, 'test_config.json'), '{}');
    expectInert(await capture(['eval', folder, join(folder, 's.evalset.json')]));
    expect(readdirSync(folder)).not.toContain('runs');
    expect(readFileSync(file, 'utf8')).toContain('2 passed');
  });
});
