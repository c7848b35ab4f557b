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
const plugin = `export const mine = { kind: 'criterion', specVersion: 3, name: 'mine', origin: { package: 'criteria-mine', version: '1.2.3' },
  description: 'Mine.', decides: true, range: { min: 0, max: 1, better: 'higher' }, scope: 'turn', evaluate: () => ({ value: 1 }),
  check: (options, environment) => environment.AGENT_CRITERIA_KEY ? [] : [{ code: 'MISSING_ENVIRONMENT', message: 'AGENT_CRITERIA_KEY is not set' }],
  options: { jsonSchema: { type: 'object', properties: {} }, '~standard': { version: 1, vendor: 'x', validate: () => ({ value: {} }) } } };`;

const doctor = (folder: string, ...more: string[]) =>
  capture(['doctor', folder, '--runs_folder', join(folder, 'runs'), ...more]);

describe('agent-criteria doctor', () => {
  it('shows the configuration without values of variables, and reports no problems', async () => {
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
      `  config: ${join(folder, 'test_config.json')} (found with the eval sets)`,
      `  ${join(folder, '.env')}: AGENT_CRITERIA_KEY; already set: PATH`,
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

  it.each([
    [{}, "ADK's default criteria (default)", "(ADK's defaults: there is no test_config.json next to the eval set)"],
    [
      { 'eval-config.json': { criteria: { response_match_score: 0.5 } } },
      'DIR/eval-config.json (found',
      '(DIR/eval-config.json)',
    ],
    [{ 'agent-criteria.config.json': { config: { criteria: { response_match_score: 0.5 } } } }, 'criteria (DIR/', null],
    [
      {
        'agent-criteria.config.json': { config: './own.json' },
        'own.json': { criteria: { response_match_score: 0.5 } },
      },
      'own.json (DIR/',
      '(DIR/own.json)',
    ],
  ])('names the config that a run would use, with the same wording: %j', async (files, setting, source) => {
    const folder = folderOf({ 'agent.mjs': 'export default (text) => text;', 'home.evalset.json': set, ...files });
    const own = (text: string) => text.replaceAll(folder, 'DIR');
    const lines = own((await doctor(folder, '--offline')).out).split('\n');
    const run = own((await capture(['eval', folder])).out);
    expect(lines.find((line) => line.startsWith('  config: '))).toContain(setting);
    const line = lines.find((one) => one.startsWith('  DIR/home.evalset.json: ')) ?? '';
    expect(/ (\(.*\))$/.exec(line)?.[1] ?? null).toBe(source);
    const judgedBy = /judged by (.*?)(?= case )/.exec(run.replaceAll(/\s+/g, ' '))?.[1] ?? '';
    expect(/ (\([^)]*\))$/.exec(judgedBy)?.[1] ?? null).toBe(source);
  });

  it.each([
    ["const m = 'gemini-2.5-flash';", 'the agent names the model "gemini-2.5-flash", but neither GOOGLE_API_KEY nor'],
    ["new LiteLlm({ model: 'openai/gpt-4o' })", 'the model "openai/gpt-4o", but OPENAI_API_KEY is not set'],
    ["const m = 'claude-sonnet-4-5';", 'the model "claude-sonnet-4-5", but ANTHROPIC_API_KEY is not set'],
  ])("names the agent's missing key and the .env file for it: %s", async (code, told) => {
    const folder = folderOf({ 'agent.mjs': `${code}\nexport const agent = (text) => text;`, 'home.evalset.json': set });
    const { out } = await doctor(folder);
    expect(out).toContain(told);
    expect(out.split('\n').slice(-2)).toEqual(['1 warning, no mistakes.', '']);
    expect(out).toContain(`write it into ${join(folder, '.env')} (no .env was found)`);
    expect(out).toContain('no .env file in the folder of the agent or here');
    // A run prints the same advice before its first case.
    const run = await capture(['eval', folder]);
    expect(run.err).toContain(told);
  });

  it.each([
    ["const m = 'gemini-2.5-flash';", 'GEMINI_API_KEY=hush\n'],
    ["const m = 'gemini-2.5-flash';", 'GOOGLE_GENAI_USE_VERTEXAI=1\nGOOGLE_CLOUD_PROJECT=mine\n'],
    ["const m = 'gpt-4o', options = { apiKey: read() };", 'OTHER=1\n'],
    ["// const m = 'gpt-4o';", 'OTHER=1\n'],
  ])('does not mention a key that is set or may be set: %s', async (code, env) => {
    const folder = folderOf({ 'agent.mjs': `${code}\nthrow new Error();`, 'home.evalset.json': set, '.env': env });
    expect((await doctor(folder)).out).not.toContain('the agent names the model');
    for (const line of env.trim().split('\n')) delete process.env[line.split('=')[0] ?? ''];
  });

  it("names the module that mentions the model if it is not the agent's own", async () => {
    const files = {
      'agent.mjs': "'gpt-4o'",
      'fn.mjs': 'export const agent = (text) => text;',
      'home.evalset.json': set,
    };
    const folder = folderOf(files);
    const { out } = await capture(['doctor', join(folder, 'fn.mjs'), '--runs_folder', join(folder, 'runs')]);
    expect(out).toContain(`${join(folder, 'agent.mjs')}: this module beside the agent names the model "gpt-4o"`);
  });

  it('names the .env file that was read but lacks the key', async () => {
    const folder = folderOf({ 'agent.mjs': "'gpt-4o'", 'home.evalset.json': set, '.env': 'OTHER=1\n' });
    expect((await doctor(folder)).out).toContain(`in ${join(folder, '.env')} (read, but not set there)`);
    delete process.env.OTHER;
  });

  it('reports that there is nothing to evaluate, with a remedy', async () => {
    const before = process.cwd();
    process.chdir(folderOf({}));
    try {
      const { code, out } = await capture(['doctor']);
      expect(out).toContain('there is nothing to evaluate here');
      expect(out).toContain('agent-criteria init writes');
      expect(code).toBe(2);
    } finally {
      process.chdir(before);
    }
    const { out } = await doctor(folderOf({ 'agent.mjs': '' }));
    expect(out).toContain('the agent has no eval set in its folder');
  });

  it('lists everything that would prevent a run, and exits with 2', async () => {
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
    expect(out).toMatch(
      /problem: .*bad\.evalset\.json: this eval set or its config has mistakes: agent-criteria validate /,
    );
    expect(out).not.toContain('No problems found.');
    expect(code).toBe(2);
  });

  it('lists packages, and reports copies of core with different versions', async () => {
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
    'reports a folder in which no run can be saved',
    async () => {
      const folder = folderOf({ 'agent.ts': '' });
      chmodSync(folder, 0o500);
      const { code, out } = await doctor(folder);
      chmodSync(folder, 0o700);
      expect(out).toContain('runs cannot be saved here');
      expect(code).toBe(2);
    },
  );

  it('prints the same findings as JSON', async () => {
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
