import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { evalCase, turn } from '@agent-criteria/core/eval-set';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { capture } from './__fixtures__/captured-io.ts';
import { keptFolderOf } from './__fixtures__/folder.ts';

const home = process.cwd();
afterEach(() => process.chdir(home));

const names = Array.from({ length: 30 }, (_, index) => `case ${index}`);
/** The source of an agent that answers the first `right` cases correctly. */
const agent = (right: number) =>
  `export default (text) => (Number(text.split(' ')[1]) < ${right} ? text : 'I do not know');`;
const set = (list: readonly string[]) => ({
  eval_set_id: 'home',
  eval_cases: list.map((name) => evalCase(name.replace(' ', '-'), [turn(name, { answer: name })])),
});

describe('compare', () => {
  let folder: string;
  const runs = new Map<string, string>();

  /** Runs the command and replaces run ids in its output with names. */
  async function command(...args: readonly string[]) {
    process.chdir(folder);
    const result = await capture([...args, '--runs_folder', join(folder, 'runs')], {});
    const named = [...runs].reduce((text, [name, id]) => text.replaceAll(id, name), result.out);
    return { ...result, out: named };
  }

  async function run(name: string, ...args: readonly string[]): Promise<void> {
    const { out } = await command('eval', ...args, '--json');
    runs.set(name, (JSON.parse(out) as { run: { id: string } }).run.id);
  }

  beforeAll(async () => {
    folder = keptFolderOf({
      'all.mjs': agent(30),
      'half.mjs': agent(14),
      'home.evalset.json': set(names),
      'few/home.evalset.json': set(names.slice(0, 4)),
      'other.evalset.json': { ...set(['case 0']), eval_set_id: 'other' },
      'test_config.json': { criteria: { response_match_score: 1 } },
      'few/test_config.json': { criteria: { response_match_score: 0.5 } },
    });
    await run('ALL', 'all.mjs', 'home.evalset.json');
    await run('HALF', 'half.mjs', 'home.evalset.json');
    await run('FEW', 'all.mjs', 'few/home.evalset.json');
    await run('OTHER', 'all.mjs', 'other.evalset.json');
    await run('BOTH', 'home.evalset.json', '--variant', 'a=all.mjs', '--variant', 'b=half.mjs');
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const id = (name: string) => runs.get(name) as string;

  it('finds a regression, shows both answers for each lost case, and exits with 1', async () => {
    const { out, code } = await command('compare', id('ALL'), id('HALF'));
    expect(code).toBe(1);
    expect(out).toContain('The pass rate fell by 53 points (-69 to -31), 30 paired cases, p < 0.001: a regression.\n');
    expect(out).toContain(
      '  home:case-14  passed -> failed\n    before: case 14\n    now:    I do not know\n    why:    response_match_score: 0 is below',
    );
    expect(out).toContain('  ... and 6 more\n');
    expect(out).toContain('Note: the agents have different names: all.mjs and half.mjs.');
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(120);
  });

  it('finds an improvement and exits with 0 if the runs are swapped', async () => {
    const { out, code } = await command('compare', id('HALF'), id('ALL'));
    expect(code).toBe(0);
    expect(out).toMatch(/: an improvement\.\n/);
  });

  it('compares variants, and asks for a variant to be named if there are several', async () => {
    const { code, out } = await command('compare', `${id('BOTH')}#a`, `${id('BOTH')}#b`);
    expect(code).toBe(1);
    expect(out).toMatch(/^Comparing \S*BOTH#b with \S*BOTH#a, 30 paired cases\n/);
    const { code: refused, err } = await command('compare', id('ALL'), id('BOTH'));
    expect(refused).toBe(2);
    expect(err).toMatch(/has several variants: name one, such as \S+#a or \S+#b/);
    expect((await command('compare', id('ALL'), `${id('BOTH')}#aa`)).err).toContain(
      'has no variant "aa"; did you mean "a"?',
    );
  });

  it('leaves out cases that only one run has, and does not compare rates under different thresholds', async () => {
    const { out, code } = await command('compare', id('FEW'), id('ALL'));
    expect(code).toBe(0);
    expect(out).toContain('Left out, only in the new run: home:case-4, home:case-5');
    expect(out).toContain('Not compared: pass rate, because criteria, thresholds or judges differ');
    expect(out).toContain('Note: the threshold of response_match_score was 0.5 and is 1.');
  });

  it('exits with 3 if the runs have no cases in common', async () => {
    const { out, code } = await command('compare', id('ALL'), id('OTHER'));
    expect(code).toBe(3);
    expect(out).toContain('Nothing was compared: the runs have no case in common.');
  });

  it('exits with 2 for a missing run, the same run twice, and an invalid share', async () => {
    expect(await command('compare', 'nothing')).toMatchObject({ code: 2 });
    expect((await command('compare', id('ALL'), id('ALL'))).err).toContain('cannot be compared with itself');
    expect((await command('compare', id('ALL'), id('HALF'), '--min-effect', '5')).err).toContain(
      'a share of the scale',
    );
    expect((await command('compare')).err).toMatch(/is the only finished, judged run of all cases.*or name two runs/s);
  });

  it('prints JSON and Markdown', async () => {
    const json = await command('compare', id('ALL'), id('HALF'), '--json');
    expect(JSON.parse(json.out)).toMatchObject({
      outcome: 'regression',
      cases: { paired: 30 },
      criteria: [{ verdict: 'regression' }],
    });
    const { out } = await command('compare', id('ALL'), id('HALF'), '--format', 'markdown');
    expect(out).toContain('**The pass rate fell by 53 points');
    expect(out).toContain('| <code>home&#58;case-14</code> | passed | failed | <code>case 14</code> |');
  });

  it('writes a page with every case of both runs side by side, and still prints the result', async () => {
    const { out, code } = await command('compare', id('ALL'), id('HALF'), '--output', 'kept/compared.html');
    expect(code).toBe(1);
    expect(out).toContain(': a regression.');
    expect(out).toMatch(/\nWritten: kept\/compared\.html\n$/);
    const page = readFileSync(join(folder, 'kept/compared.html'), 'utf8');
    const [, title = ''] = /<title>(.*?)<\/title>/.exec(page) ?? [];
    expect(title).toMatch(new RegExp(`${id('HALF')} compared with .*${id('ALL')}$`));
    const blocks = [...page.matchAll(/<script type="application\/json" id="([^"]+)">(.*?)<\/script>/gs)];
    const block = (name: string) => JSON.parse(blocks.find(([, found]) => found === name)?.[2] ?? 'null');
    const { comparison, cases } = block('comparison').runs;
    expect(comparison.outcome).toBe('regression');
    expect(cases).toHaveLength(30);
    expect(cases[0]).toMatchObject({ caseId: 'case-14', change: 'lost' });
    expect(block('base-0').evalCase.evalId).toBe('case-14');
    expect(block('candidate-29').evalCase.evalId).toBe(cases[29].caseId);

    // When two variants of one run are compared, each side has its own answers.
    await command('compare', `${id('BOTH')}#a`, `${id('BOTH')}#b`, '--format', 'html', '--output', 'both');
    const both = readFileSync(join(folder, 'both'), 'utf8');
    expect(both.match(/id="(base|candidate)-\d+"/g)).toHaveLength(60);

    const { out: markdown } = await command('compare', id('ALL'), id('HALF'), '--format', 'markdown');
    const json = await command('compare', id('ALL'), id('HALF'), '--json', '--output', 'compared.md');
    expect(readFileSync(join(folder, 'compared.md'), 'utf8').replaceAll(id('ALL'), 'ALL')).toBe(
      markdown.replaceAll('HALF', id('HALF')),
    );
    expect(JSON.parse(json.out)).toMatchObject({ outcome: 'regression' });
    expect(json.err).toContain('Written: compared.md');
    expect((await command('compare', id('ALL'), id('HALF'), '--output', 'a.pdf')).err).toContain(
      'the extension of "a.pdf" is not a format of comparisons: use one of .html (html), .md (markdown)',
    );
    expect((await command('compare', id('ALL'), id('HALF'), '--output', 'a.constructor')).err).toContain(
      'the extension of "a.constructor" is not a format of comparisons',
    );
  });
});
