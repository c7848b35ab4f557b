import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Asked, fittingAnswer, startFakeGemini } from '@agent-criteria/test-servers';
import { describe, expect, it } from 'vitest';
import { during, judgedProject, useGemini } from './__fixtures__/judged-project.ts';

const match = { final_response_match_v2: { threshold: 0.8, judge_model_options: { num_samples: 1 } } };

/** A judge that approves of everything, except where `bad` says otherwise. */
const judge = (bad: (asked: Asked) => boolean) =>
  fittingAnswer((_path, asked, schema) => {
    const labels = Array.isArray(schema.enum) ? schema.enum : [];
    return labels.includes('invalid') ? (bad(asked) ? 'invalid' : 'valid') : undefined;
  });

/** A judge that rejects the greeting every second time. */
function waveringJudge() {
  let asked = 0;
  return judge(({ text }) => text.includes('Hello there.') && asked++ % 2 === 1);
}

const filesOf = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();

describe('noise', () => {
  it('judges the same answers again without the cache, counts flips, and leaves the run unchanged', async () => {
    const gemini = await during(startFakeGemini({ answer: waveringJudge() }));
    useGemini(gemini);
    const { command, folder, wasImported } = judgedProject(match);
    await command('eval', 'DIR');
    const imported = wasImported();
    const before = filesOf(join(folder, 'runs'));
    const sent = gemini.requests.length;
    const { code, out, err } = await command(
      'noise',
      'last',
      '--repeats',
      '4',
      '--output',
      join(folder, 'noise.json'),
      '--output',
      join(folder, 'noise.md'),
    );
    expect(err).toContain('Judging 2 conversations 4 times each, without the cache: 24 calls.\n');
    expect(code).toBe(0);
    expect(gemini.requests.length - sent).toBe(24);
    expect(out).toMatch(/^Noise of the judges of \S+, the same answers judged 4 times\n/);
    expect(out).toContain(
      'final_response_match_v2: 1 of 6 verdicts was not the same each time, 50% (2 to 98%) of a case on average.',
    );
    expect(out).toContain('home:one: passed 2 of 4 times');
    expect(out).toContain("without the judge's share: unknown, because each case ran only once");
    expect(readFileSync(join(folder, 'noise.md'), 'utf8')).toContain('| <code>home&#58;one</code> | 2 of 4 times |');
    expect(filesOf(join(folder, 'runs'))).toEqual(before);
    expect(wasImported()).toBe(imported);
    expect(JSON.parse(readFileSync(join(folder, 'noise.json'), 'utf8'))).toMatchObject({
      kind: 'agent-criteria measurements',
      entries: [{ measured: 'noise', criterion: 'final_response_match_v2', repeats: 4, judges: ['gemini-2.5-flash'] }],
    });
  });

  it('estimates its calls and runs nothing with --dry-run', async () => {
    const gemini = await during(startFakeGemini({ answer: judge(() => false) }));
    useGemini(gemini);
    const { command, newestRun } = judgedProject(match);
    await command('eval', 'DIR', 'home:one');
    const sent = gemini.requests.length;
    const { out, code } = await command('noise', newestRun(), '--repeats', '10', '--dry-run', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ total: { calls: { min: 10, max: 10 } } });
    expect(gemini.requests.length).toBe(sent);
  });

  it('stops at the budget, and reports that its numbers cover only part of the run', async () => {
    const gemini = await during(startFakeGemini({ answer: judge(() => false) }));
    useGemini(gemini);
    const { command, folder } = judgedProject(match);
    await command('eval', 'DIR');
    const sent = gemini.requests.length;
    const args = ['noise', '--repeats', '5', '--max-calls', '10', '--output', join(folder, 'noise.json')];
    const { err, code } = await command(...args);
    expect(code).toBe(3);
    expect(err).toMatch(/Exit code 3: (nothing was judged twice|not everything was judged)/);
    expect(gemini.requests.length - sent).toBeLessThanOrEqual(10);
    expect(existsSync(join(folder, 'noise.json'))).toBe(false);
  });

  it('is rejected without --repeats, with fewer than 2, or if no criterion calls a model', async () => {
    const { command } = judgedProject({ response_match_score: 0.5 });
    await command('eval', 'DIR');
    expect((await command('noise')).err).toContain('say how many times to judge the answers');
    expect((await command('noise', '--repeats', '1')).err).toContain('judge the same answers at least twice');
    expect((await command('noise', '--repeats', '3', '--output', 'noise.txt')).err).toContain(
      'the extension of "noise.txt" must be .json (numbers to commit) or .md (Markdown)',
    );
    expect(await command('noise', '--repeats', '3')).toMatchObject({
      code: 2,
      err: expect.stringContaining('no criterion of the run'),
    });
  });
});
