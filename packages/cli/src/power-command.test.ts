import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { gatedProject } from './__fixtures__/gated-project.ts';

const home = process.cwd();
afterEach(() => process.chdir(home));

const names = Array.from({ length: 20 }, (_, index) => `case ${index}`);
/** An agent that always fails one case in five, and fails another one in five only in its second repeat. */
const agent = `const asked = {};
export default (text) => {
  const index = Number(text.split(' ')[1]);
  asked[text] = (asked[text] ?? 0) + 1;
  return index % 5 === 0 || (index % 5 === 1 && asked[text] === 2) ? 'I do not know' : text;
};`;

describe('power', () => {
  it('shows the drops that a comparison with the last run would detect, by cases and repeats', async () => {
    const { command, run } = gatedProject({ agent, names });
    await run('--repeats', '3');
    const { out, code } = await command('power');
    expect(code).toBe(0);
    expect(out).toContain('20 cases, 3 repeats each, pass rate 73%');
    expect(out.replaceAll(/\s+/g, ' ')).toContain(
      'comparing two runs of these cases would find, 8 times in 10, a fall of about',
    );
    for (const cases of [10, 20, 40, 80]) {
      for (const repeats of [1, 3, 5, 10]) {
        expect(out).toMatch(
          new RegExp(`^${cases} +${repeats} +\\S+(?: points)? +\\S+(?: points)? +${cases * repeats}\\b`, 'm'),
        );
      }
    }
  });

  it('prints the output shown in the guide', async () => {
    const { command, run } = gatedProject({
      agent: agent.replace('index % 5 === 0 || (index % 5 === 1', 'index % 8 === 0 || (index % 4 === 1'),
      names: Array.from({ length: 40 }, (_, index) => `case ${index}`),
    });
    await run('--repeats', '3');
    const shown = (text: string) =>
      text
        .replace(/(?<=with )\S+(?=:)/, 'RUN')
        .split(/\s+/)
        .join(' ')
        .trim();
    const guide = readFileSync(new URL('../../../docs/guide/how-many.md', import.meta.url), 'utf8');
    const [, example = ''] = /```text\n(Power of [^`]*)```/.exec(guide) ?? [];
    expect(shown(example)).toBe(shown((await command('power', 'last')).out));
  });

  it('prints JSON with the same numbers as a report of the run', async () => {
    const { command, run } = gatedProject({ agent, names });
    await run('--repeats', '3');
    const found = JSON.parse((await command('power', 'last', '--json')).out);
    expect(found.plans).toHaveLength(16);
    expect(found.plans).toContainEqual(found.own);
    const report = JSON.parse((await command('report', 'last', '--format', 'json')).out);
    expect(JSON.stringify(report)).toContain(JSON.stringify(found.own));
  });

  it('accepts --min-effect, the smallest change that counts', async () => {
    const { command, run } = gatedProject({ agent, names });
    await run('--repeats', '3');
    const own = async (...flags: string[]) => JSON.parse((await command('power', '--json', ...flags)).out).own;
    expect((await own('--min-effect', '0.5')).all.found).toBeGreaterThan(0.5);
    expect((await own()).all.found).toBeLessThan(0.5);
    expect((await command('power', '--min-effect', '5')).code).toBe(2);
  });

  it('notes that a run without repeats shows only the worst case', async () => {
    const { command, run } = gatedProject({ agent, names });
    await run();
    expect((await command('power')).out.replaceAll(/\s+/g, ' ')).toContain(
      'Every case ran once, so chance alone is taken to decide each repeat: the worst case.',
    );
  });

  it("shows the run's pass rate, and notes when a conservative one is assumed instead", async () => {
    const { command, run } = gatedProject({ agent: 'export default (text) => text;', names: names.slice(0, 5) });
    await run('--repeats', '3');
    const out = (await command('power')).out.replaceAll(/\s+/g, ' ');
    expect(out).toContain('5 cases, 3 repeats each, pass rate 100%');
    expect(out).toContain(
      'So a cautious pass rate of 86% is assumed, as if there were two cases more and one of them had failed.',
    );
  });

  it('rejects a run in which nothing passes, and one whose cases stopped early', async () => {
    const { command, run } = gatedProject({ agent: "export default () => 'I do not know';", names: names.slice(0, 3) });
    await run();
    expect(await command('power')).toMatchObject({
      code: 2,
      err: expect.stringContaining('nothing passes, so the pass rate cannot fall'),
    });
    await run('--repeats', 'auto', '--gate', 'case_pass_rate=0.8');
    expect(await command('power')).toMatchObject({
      code: 2,
      err: expect.stringContaining('a fixed number of repeats'),
    });
  });
});
