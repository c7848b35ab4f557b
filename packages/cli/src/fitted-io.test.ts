// Long: runs many commands.
import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { allRuns } from '../../../test/runs.ts';
import { capture } from './__fixtures__/captured-io.ts';
import { evalCase, evalSet, turn } from './__fixtures__/eval-data.ts';
import { folderOf } from './__fixtures__/folder.ts';

const examples = resolve(import.meta.dirname, '../../../examples');
const home = process.cwd();
// In published packages, our modules that the example agents import are JavaScript, which Node loads.
beforeAll(() => void vi.stubEnv('JITI_TRY_NATIVE', 'true'));
afterEach(() => process.chdir(home));

/** An agent whose answer and whose call arguments have no space to break at. */
const longCalls = `export const agent = (text) => ({
  userContent: { parts: [{ text }] },
  finalResponse: { parts: [{ text: 'https://example.org/' + 'a'.repeat(150) }] },
  intermediateData: { toolUses: [{ name: 'read_file', args: { path: '/' + 'folder/'.repeat(30), lines: [1, 2, 3, 4, 5, 6] } }] },
});`;

/** Creates a project with everything that makes lines wide. */
function wideProject(): string {
  const expecting = { tool_uses: [{ name: 'read_file', args: { path: `/${'folder/'.repeat(29)}`, lines: [1, 2] } }] };
  return folderOf({
    'agent.mjs': longCalls,
    'broken.mjs': `export const agent = () => { throw new Error('no_service_at_${'x'.repeat(90)}'); };`,
    'a.evalset.json': evalSet('a', {
      ...evalCase('a_case_with_a_name_that_goes_on_for_more_than_sixty_columns_of_a_terminal', {
        ...turn('Read the file.', 'Done, as you wanted it.'),
        intermediate_data: expecting,
      }),
    }),
    'test_config.json': { criteria: { tool_trajectory_avg_score: 1, response_match_score: 0.8, safety_v1: 0.9 } },
    'old_config.json': { criteria: { tool_trajectory_avg_scoree: 1 } },
  });
}

// Output that fits into the narrowest width nearly always fits into wider ones.
describe.each(allRuns ? [60, 80, 100] : [60])('at %i columns', (columns) => {
  const width = { out: columns, err: columns };
  const wide = async (args: readonly string[]): Promise<string> => {
    const { out, err } = await capture(args, { width, color: true });
    expect(out + err, args.join(' ')).not.toBe('');
    for (const line of stripVTControlCharacters(`${out}\n${err}`).split('\n'))
      expect(stringWidth(line), `${args.join(' ')}\n${line}`).toBeLessThanOrEqual(columns);
    return stripVTControlCharacters(out);
  };

  it.each([
    ['home-automation', ['home-automation.evalset.json']],
    ['museum-desk', ['museum.evalset.json']],
    ['judge-criterion', ['energy.evalset.json']],
    ['dice', ['dice.evalset.json']],
    ['tiny-workbench', ['hours.evalset.json', 'tickets.evalset.json']],
  ])('no command prints a wider line for %s', async (name, sets) => {
    const runs = join(folderOf({ x: '' }), 'runs');
    process.chdir(join(examples, name));
    const out = await wide(['eval', '.', ...sets, '--runs_folder', runs, '--print_detailed_results']);
    expect(out).toContain('Saved as run');
    const kept = ['--runs_folder', runs];
    await wide(['show', ...kept]);
    await wide(['report', ...kept]);
    await wide(['report', ...kept, '--print_detailed_results']);
    await wide(['runs', ...kept]);
    await wide(['estimate', '.', ...sets]);
    await wide(['validate', ...sets]);
    await wide(['doctor', '.', '--offline']);
    await wide(['criteria']);
  });

  it('no command prints a wider line, even if a word is wider', async () => {
    const folder = wideProject();
    process.chdir(folder);
    const runs = ['--runs_folder', join(folder, 'runs')];
    await wide(['eval', 'agent.mjs', 'a.evalset.json', ...runs, '--exclude_criteria', 'safety_v1']);
    await wide(['eval', 'agent.mjs', 'a.evalset.json:no_such_case', ...runs]);
    await wide(['eval', 'agent.mjs', 'a.evalset.json', '--config_file_path', 'old_config.json']);
    await wide(['validate', 'a.evalset.json', '--config_file_path', 'old_config.json']);
    const evaluated = ['--config_file_path', 'ok_config.json', ...runs];
    cpSync(join(examples, 'home-automation/test_config.json'), join(folder, 'ok_config.json'));
    await wide(['eval', 'agent.mjs', 'a.evalset.json', ...evaluated]);
    await wide(['eval', 'broken.mjs', 'a.evalset.json', '--repeats', '3', ...evaluated]);
    await wide(['eval', 'a.evalset.json', '--variant', 'one=agent.mjs', '--variant', 'two=broken.mjs', ...evaluated]);
    await wide(['report', ...runs]);
    await wide(['show', ...runs]);
    await wide(['runs', ...runs]);
    await wide(['doctor', 'agent.mjs', '--offline']);
  });
});

it('fittedIo() leaves JSON unchanged', async () => {
  const folder = wideProject();
  process.chdir(folder);
  cpSync(join(examples, 'home-automation/test_config.json'), join(folder, 'test_config.json'));
  const json = await capture(['eval', 'agent.mjs', 'a.evalset.json', '--json'], { width: { out: 60, err: 60 } });
  expect(JSON.parse(json.out)).toMatchObject({ summary: { total: 1 } });
});

it('fittedIo() keeps a call on the same line as its sign', async () => {
  process.chdir(join(examples, 'home-automation'));
  const args = ['eval', '.', 'home-automation.evalset.json'];
  const { out } = await capture(args, { width: { out: 60, err: 60 } });
  expect(out).toContain('    calls     - set_temperature(');
  expect(out).not.toMatch(/^ *(calls +)?[-+]$/m);
});
