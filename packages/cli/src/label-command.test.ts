import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentText, defineCriterion, noOptions } from '@agent-criteria/core';
import { evalCase, turn } from '@agent-criteria/core/eval-set';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { capture } from './__fixtures__/captured-io.ts';
import { keptFolderOf } from './__fixtures__/folder.ts';
import type { Io, Keyboard } from './io.ts';

const home = process.cwd();
afterEach(() => process.chdir(home));

const numbers = Array.from({ length: 60 }, (_, index) => index);

/** A criterion that passes answers that contain "please", and gives its reason. */
const polite = defineCriterion({
  name: 'polite',
  origin: { package: 'test', version: '1.0.0' },
  description: 'The answer is polite.',
  decides: true,
  range: { min: 0, max: 1, better: 'higher' },
  options: noOptions,
  scope: 'turn',
  evaluate: ({ actual }) =>
    contentText(actual.finalResponse).includes('please')
      ? { value: 1, reason: 'it says please' }
      : { value: 0, reason: 'it does not say please' },
});
const place = Symbol.for('agent-criteria/cli/labelled-criterion');
Object.assign(globalThis, { [place]: polite });
const config = "export default { plugins: [globalThis[Symbol.for('agent-criteria/cli/labelled-criterion')]] };";

describe('label and calibrate', () => {
  let folder: string;

  async function command(args: readonly string[], more: Partial<Io> = {}) {
    process.chdir(folder);
    return capture([...args, '--runs_folder', join(folder, 'runs')], more);
  }

  /** Simulates a person typing; `null` is Ctrl-C. */
  function typing(...keys: readonly (string | null)[]): () => Keyboard {
    const typed = keys.flatMap((one) => (one === null ? [null] : [...one]));
    return () => ({ echo: false, key: async () => typed.shift() ?? null, close: () => undefined });
  }

  const type = (keys: readonly (string | null)[], ...args: readonly string[]) =>
    command(['label', 'last', '--criterion', 'polite', '--by', 'ada', ...args], { keyboard: typing(...keys) });

  async function labels(): Promise<readonly string[]> {
    await command(['label', 'last', '--criterion', 'polite', '--export', 'labels.csv']);
    return readFileSync(join(folder, 'labels.csv'), 'utf8').split('\r\n').slice(1, -1);
  }

  const calibration = async () => JSON.parse((await command(['calibrate', 'last', '--json'])).out || 'null');

  beforeAll(async () => {
    folder = keptFolderOf({
      'agent.mjs': `export default (text) => (Number(text.split(' ')[1]) % 3 === 0 ? 'No.' : 'Wait, please.');`,
      'agent-criteria.config.mjs': config,
      'home.evalset.json': {
        eval_set_id: 'home',
        eval_cases: numbers.map((index) =>
          evalCase(`case-${index}`, [turn(`case ${index}`, { answer: 'Yes, please.' })]),
        ),
      },
      'test_config.json': { criteria: { polite: 1 } },
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  afterEach(() => rmSync(join(folder, 'labels.csv'), { force: true }));

  /** Creates a new run without labels. */
  const run = () => command(['eval', 'agent.mjs', 'home.evalset.json']);

  it("show the answer first, and the judge's verdict only after the label", async () => {
    await run();
    const { out, code } = await type(['pIt is friendly.\r', 'q']);
    expect(code).toBe(0);
    const [before = '', after = ''] = out.split('Reason (or Enter): ');
    expect(before).toMatch(
      /1 of 60 {2}home:case-\d+, turn 1\n {2}user: case \d+\n {2}agent: .*\n {2}expected: Yes, please\.\n/,
    );
    expect(before).toContain('polite: The answer is polite.');
    expect(before).not.toContain('judge');
    expect(after).toMatch(/^\nThe criterion says: (pass: it says please|fail: it does not say please)\n/);
    expect(out).toContain(
      'Labelled 1 now; 1 of 60 by ada in total. To see how far the criterion agrees: agent-criteria calibrate',
    );
  });

  it('keep every label when interrupted, and later continue from there', async () => {
    await run();
    expect((await type(['p\r', 'f\r', 's', 'p', null])).code).toBe(0);
    expect((await labels()).filter((line) => line.includes(',ada,'))).toHaveLength(3);
    const { out } = await type(['f\r']);
    expect(out).toContain('Labelling polite as ada. Labelled so far: 3 of 60 by ada.');
    expect(out).toMatch(/4 of 60 {2}home/);
    expect(out).toContain('Labelled 1 now; 4 of 60 by ada in total.');
  });

  it('print whose labels count, and the number of other people who have labelled', async () => {
    await run();
    await type(['p\r', 'f\r', 'q']);
    const other = await type(['p\r', 'q'], '--by', 'ben');
    expect(other.out).toContain('Labelling polite as ben. Labelled so far: 0 of 60 by ben, 2 by one other person.');
    expect(other.out).toContain('Labelled 1 now; 1 of 60 by ben, 2 by one other person in total.');
    const third = await type(['q'], '--by', 'cleo');
    expect(third.out).toMatch(/Labelled so far: 0 of 60 by cleo, [23] by 2 other people\./);
  });

  it('ask for a name if the user name is unknown', async () => {
    await run();
    const label = (environment: Record<string, string>, ...args: string[]) =>
      command(['label', 'last', '--criterion', 'polite', ...args], { keyboard: typing('p\r', 'q'), environment });
    const hint =
      'Your user name is unknown (USER is not set), so your labels are kept as those of "anonymous"; give your name with --by NAME.\n';
    const nameless = await label({});
    expect(nameless.err).toBe(hint);
    expect(nameless.out).toContain('Labelling polite as anonymous. Labelled so far: 0 of 60 by anonymous.');
    expect((await label({ USER: 'ada' })).err).toBe('');
    expect((await label({}, '--by', 'ada')).err).toBe('');
    writeFileSync(
      join(folder, 'one.csv'),
      'eval_set_id,eval_id,repeat,turn,metric_name,label\nhome,case-1,1,1,polite,pass',
    );
    expect((await command(['label', 'last', '--import', 'one.csv'], { environment: {} })).err).toBe(hint);
  });

  it('undo the last label', async () => {
    await run();
    const { out } = await type(['p\r', 'u', 'f\r', 'q']);
    expect(out).toContain('Labelled 1 now; 1 of 60 by ada in total.');
    expect((await labels()).filter((line) => /,(pass|fail),/.test(line))).toEqual([
      expect.stringContaining(',fail,,ada,'),
    ]);
    expect((await type(['u', 'q'])).out).toContain('There is nothing to undo yet.');
  });

  it('keep the labels of different people apart, and import those from a spreadsheet only once', async () => {
    await run();
    const rows = numbers.map((index) => `home,case-${index},1,1,polite,${index % 3 === 1 ? 'pass' : 'fail'},too short`);
    writeFileSync(
      join(folder, 'mine.csv'),
      ['eval_set_id,eval_id,repeat,turn,metric_name,label,reason', ...rows].join('\n'),
    );
    const args = ['label', 'last', '--import', 'mine.csv', '--by'];
    expect((await command([...args, 'ben'])).out).toBe('Imported 60 labels from mine.csv.\n');
    expect((await command([...args, 'ben'])).out).toBe('Imported 0 labels from mine.csv; 60 were there already.\n');
    expect((await command([...args, 'cleo'])).out).toBe('Imported 60 labels from mine.csv.\n');
    expect(await calibration()).toMatchObject({
      people: ['ben', 'cleo'],
      kinds: [{ things: 60, table: { bothPass: 20, judgePassesOnly: 20, peoplePassOnly: 0, bothFail: 20 } }],
    });
  });

  it('show how often the judge agrees and where it does not, and write a file to commit', async () => {
    const { out, code } = await command(['calibrate', 'last', '--output', 'judges.json']);
    expect(code).toBe(0);
    expect(out).toContain(
      'polite: criterion and people agree on 67% (54 to 79%), by 60 labelled answers, kappa 0.4; "fail" for every answer would agree on 67%: slight agreement.',
    );
    expect(out).toMatch(/criterion: pass +20 +20\n/);
    expect(out).toContain('Pass rate by people, of these 60 cases: exactly 33%, as all are labelled\n');
    expect(out).toContain('Pass rate by people, of cases like these: 33% (');
    expect(out).toContain(
      'Where they differ: polite\n  home:case-2, turn 1\n    criterion: pass: it says please\n    ben: fail: too short',
    );
    expect(out).toContain('  ... and 10 more');
    const file = readFileSync(join(folder, 'judges.json'), 'utf8');
    expect(JSON.parse(file)).toMatchObject({
      kind: 'agent-criteria measurements',
      entries: [{ measured: 'agreement', criterion: 'polite', people: 2, things: 60, beyondChance: true }],
    });
    expect(file).not.toContain('too short');
    const narrow = await command(['calibrate', 'last'], { width: { out: 80, err: 80 } });
    for (const line of narrow.out.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('draw by verdict on request, record this, and weight the labels accordingly', async () => {
    await run();
    const keys = Array.from({ length: 24 }, () => 'p\r');
    const { out } = await type(keys, '--draw', 'by-verdict');
    expect(out).toContain('Drawn by verdict: about as many that passed as failed, mixed.');
    const rows = (await labels()).filter((line) => line.includes(',pass,,ada,'));
    expect(rows).toHaveLength(24);
    for (const row of rows) expect(row).toContain(',by-verdict,');
    const failed = rows.filter((row) => Number(/case-(\d+)/.exec(row)?.[1]) % 3 === 0).length;
    expect(failed).toBeGreaterThan(0);
    expect(failed).toBeLessThan(rows.length);
    const { kinds } = await calibration();
    expect(kinds[0]).toMatchObject({ draw: { drawn: 'by-verdict' }, passRate: { these: { value: 1 } } });
    expect((await type(['q'], '--draw', 'verdict')).err).toContain('--draw must be one of "by-verdict", "random"');
  });

  it('warn that imported labels are not a random sample', async () => {
    await run();
    const failed = numbers.filter((index) => index % 3 === 0);
    const rows = failed.map((index) => `home,case-${index},1,1,polite,${index % 2 ? 'pass' : 'fail'}`);
    writeFileSync(join(folder, 'mine.csv'), ['eval_set_id,eval_id,repeat,turn,metric_name,label', ...rows].join('\n'));
    expect((await command(['label', 'last', '--import', 'mine.csv', '--by', 'ben'])).out).toBe(
      'Imported 20 labels from mine.csv.\npolite: the labelled answers are no random sample: 0% of them pass by the criterion, and 100% of the others. agent-criteria calibrate weights them by verdict.\n',
    );
    const { out } = await command(['calibrate', 'last']);
    const [, , first = ''] = out.split('\n');
    expect(first).toMatch(/^polite: the labelled answers are no random sample: 0% of them pass by the criterion/);
    const none = 'none of the 40 verdicts "pass" has a label: label 10 of them';
    expect(out).toContain(`Pass rate by people, of these 60 cases: unknown, because ${none}`);
    expect(out).not.toContain('corrected');
  });

  it('exit with 3 without labels, and with 2 for mistakes', async () => {
    await run();
    expect(await command(['calibrate', 'last'])).toMatchObject({
      code: 3,
      err: expect.stringContaining('has no labels'),
    });
    expect((await command(['calibrate', 'last', '--criterion', 'polit'])).err).toContain('did you mean "polite"?');
    expect((await command(['label', 'last', '--criterion', 'polite', '--rubric', 'kind'])).err).toContain(
      'has no rubric "kind"',
    );
    expect((await command(['label', 'last'])).err).toContain('labelling needs a terminal');
    writeFileSync(join(folder, 'bad.csv'), 'eval_set_id,eval_id,label\nhome,case-99,pass\nhome,case-1,perhaps\n');
    const { err, code } = await command(['label', 'last', '--import', 'bad.csv']);
    expect(code).toBe(2);
    expect(err).toContain('line 2, column eval_id');
    expect(err).toContain('line 3, column label');
  });
});
