import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { capture } from './__fixtures__/captured-io.ts';
import { evalCase, evalSet, turn } from './__fixtures__/eval-data.ts';
import { folderOf } from './__fixtures__/folder.ts';

const set = evalSet('home', evalCase('a', turn('Hi', 'Hi')));
const core = (version: string) => ({
  name: '@agent-criteria/core',
  version,
  type: 'module',
  exports: { './package.json': './package.json' },
});
const other = {
  name: '@agent-criteria/judge',
  version: '0.3.0',
  type: 'module',
  exports: { './package.json': './package.json' },
};
const plugin = `export const mine = { kind: 'criterion', specVersion: 2, name: 'mine', origin: { package: 'criteria-mine', version: '1.2.3' },
  description: 'Mine.', decides: true, range: { min: 0, max: 1, better: 'higher' }, scope: 'turn', evaluate: () => ({ value: 1 }),
  check: (options, environment) => environment.AGENT_CRITERIA_KEY ? [] : [{ code: 'MISSING_ENVIRONMENT', message: 'AGENT_CRITERIA_KEY is not set' }],
  options: { jsonSchema: { type: 'object', properties: {} }, '~standard': { version: 1, vendor: 'x', validate: () => ({ value: {} }) } } };`;

const doctor = (folder: string, ...more: string[]) =>
  capture(['doctor', folder, '--runs_folder', join(folder, 'runs'), ...more]);

describe('agent-criteria doctor', () => {
  it('tells what is in force, by name only, and that all is well', async () => {
    const folder = folderOf({
      'agent.ts': 'throw new Error("nobody imports me");',
      'home.evalset.json': set,
      'test_config.json': { criteria: { mine: 1 } },
      'agent-criteria.config.json': { plugins: ['./mine.mjs'] },
      'mine.mjs': plugin,
      '.env': 'AGENT_CRITERIA_KEY=hush\nPATH=other\n',
    });
    const { code, out, err } = await capture(['doctor', folder, '--runs_folder', join(folder, 'runs')], {
      environment: { PATH: '/bin' },
    });
    for (const line of [
      `  Node ${process.versions.node} (>=20.19 is required)`,
      `  ${join(folder, 'agent-criteria.config.json')}`,
      `  ${join(folder, '.env')}: AGENT_CRITERIA_KEY; set already: PATH`,
      `  ${join(folder, 'agent.ts')}`,
      `  ${join(folder, 'home.evalset.json')}: 1 case, judged by mine (${join(folder, 'test_config.json')})`,
      '  criterion mine of criteria-mine 1.2.3',
      `  0 runs in ${join(folder, 'runs')}`,
      'No problems found.',
    ]) {
      expect(out.split('\n')).toContain(line);
    }
    expect(out + err).not.toContain('hush');
    expect(code).toBe(0);
    delete process.env.AGENT_CRITERIA_KEY;
  });

  it('tells everything that stands in the way, with exit code 2', async () => {
    const folder = folderOf({
      'readme.md': '',
      'home.evalset.json': set,
      'test_config.json': { criteria: { mine: 1 }, plugins: ['./mine.mjs'] },
      'mine.mjs': plugin,
      'bad/bad.evalset.json': '{',
    });
    const { code, out } = await doctor(folder);
    expect(out).toContain('the folder has no agent');
    expect(out).toMatch(/problem: .*AGENT_CRITERIA_KEY is not set/);
    expect(out).toMatch(/problem: .*bad\.evalset\.json: this is not JSON/);
    expect(out).not.toContain('No problems found.');
    expect(code).toBe(2);
  });

  it('finds packages, and copies of core that are of different versions', async () => {
    const modules = {
      'agent.ts': '',
      'node_modules/@agent-criteria/core/package.json': core('0.9.0'),
      'node_modules/@agent-criteria/judge/package.json': other,
      'node_modules/@agent-criteria/judge/node_modules/@agent-criteria/core/package.json': core('0.8.0'),
    };
    const { code, out } = await doctor(folderOf(modules));
    expect(out).toContain('  @agent-criteria/core 0.9.0\n');
    expect(out).toContain('  @agent-criteria/judge 0.3.0\n');
    expect(out).toMatch(/problem: there are 3 copies of @agent-criteria\/core: .*0\.9\.0 in .*0\.8\.0 in /);
    expect(code).toBe(2);
  });

  it.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
    'finds a folder where no run can be kept',
    async () => {
      const folder = folderOf({ 'agent.ts': '' });
      chmodSync(folder, 0o500);
      const { code, out } = await doctor(folder);
      chmodSync(folder, 0o700);
      expect(out).toContain('runs cannot be saved here');
      expect(code).toBe(2);
    },
  );

  it('says the same as JSON', async () => {
    const folder = folderOf({ 'agent.ts': '', 'home.evalset.json': set });
    const { out, code } = await doctor(folder, '--json');
    expect(JSON.parse(out)).toMatchObject({
      node: process.versions.node,
      agent: join(folder, 'agent.ts'),
      config: null,
      sets: [
        { cases: 1, config: null, criteria: [{ name: 'tool_trajectory_avg_score' }, { name: 'response_match_score' }] },
      ],
      runs: { count: 0 },
      problems: [],
    });
    expect(code).toBe(0);
  });
});
