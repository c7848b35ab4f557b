import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fittingAnswer, startFakeGemini } from '@agent-criteria/test-servers';
import { expect, it } from 'vitest';
import { during, judgedProject, useGemini } from './__fixtures__/judged-project.ts';

const match = { final_response_match_v2: { threshold: 0.8, judge_model_options: { num_samples: 1 } } };
const config = (more: object) => ({ criteria: match, ...more });

/** Creates a project whose judge approves of everything. */
async function project(gates: object) {
  const answer = fittingAnswer((_path, _asked, schema) => (Array.isArray(schema.enum) ? 'valid' : undefined));
  useGemini(await during(startFakeGemini({ answer })));
  const made = judgedProject(
    match,
    { instruments: ['judges.json'] },
    {
      'judges.json': { kind: 'agent-criteria measurements', format: 1, entries: [] },
      'test_config.json': config({ agent_criteria: { gates } }),
    },
  );
  process.chdir(made.folder);
  return made;
}

const home = process.cwd();
const never = 'the judge of final_response_match_v2 was never measured: see agent-criteria calibrate';

it('reports and gates warn of an unmeasured judge until it is measured, and again if its model changes', async () => {
  const { command, folder } = await project({ pass_rate: 0.1 });
  try {
    const first = await command(
      'eval',
      'DIR',
      '--output',
      join(folder, 'run.md'),
      '--output',
      join(folder, 'run.html'),
    );
    expect(first.out).toContain('\nthe judge was never measured: see agent-criteria calibrate\n');
    expect((await command('show', 'last')).out).toContain(never);
    expect(first.out).toContain('rests on a judge that was never measured: see agent-criteria calibrate');
    expect(readFileSync(join(folder, 'run.md'), 'utf8')).toContain(
      '- the judge of `final_response_match_v2` was never measured',
    );
    expect(readFileSync(join(folder, 'run.html'), 'utf8')).toContain(never);

    await command('noise', 'last', '--repeats', '2', '--output', join(folder, 'judges.json'));
    const onlyNoise = 'how far the judge of final_response_match_v2 agrees with people was never measured';
    for (const args of [
      ['show', 'last'],
      ['report', 'last'],
      ['score', 'last'],
    ]) {
      const { out } = await command(...args);
      expect(out.replace(/\s+/g, ' ')).toContain(onlyNoise);
      expect(out).not.toContain(never);
      // A gate's result is saved with the run, and the gate is checked again only when the run is scored again. Noise
      // alone does not show whether a judge is right.
      expect(out).toContain(
        args[0] === 'score'
          ? 'rests on a judge whose agreement with people was never measured: see agent-criteria calibrate'
          : 'rests on a judge that was never measured',
      );
    }
    const { statistics } = JSON.parse((await command('show', 'last', '--json')).out);
    expect(statistics[0].judges).toMatchObject([
      { criterion: 'final_response_match_v2', noise: { repeats: 2, judges: ['gemini-2.5-flash'] }, differs: null },
    ]);

    const other = await command('score', 'last', '--judge-model', 'gemini-2.5-pro');
    expect(other.out.replace(/\s+/g, ' ')).toContain(
      'was measured with gemini-2.5-flash; this run used gemini-2.5-pro: measure it again',
    );
    expect(other.out).toContain(
      'rests on a judge that was measured with gemini-2.5-flash; this run used gemini-2.5-pro',
    );
  } finally {
    process.chdir(home);
  }
});

it('a measurement file that cannot be read is an error before anything runs', async () => {
  const { command, folder, wasImported } = await project({});
  try {
    writeFileSync(join(folder, 'judges.json'), '{}');
    const { code, err } = await command('eval', 'DIR');
    expect(code).toBe(2);
    expect(err).toContain('not a file of measurements');
    expect(existsSync(join(folder, 'runs'))).toBe(false);
    expect(wasImported()).toBe(false);
  } finally {
    process.chdir(home);
  }
});
