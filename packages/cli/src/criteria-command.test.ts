// Isolated: it mocks a module.
import { join } from 'node:path';
import { knownCriteria } from '@agent-criteria/runner';
import { describe, expect, it, vi } from 'vitest';
import { capture } from './__fixtures__/captured-io.ts';
import { folderOf } from './__fixtures__/folder.ts';

/** Simulates a project in which two packages are not installed, because this workspace has all of them. */
vi.mock(import('@agent-criteria/project/config'), async (original) => {
  const project = await original();
  const listCriteria: typeof project.listCriteria = async (options) => {
    const { criteria, warnings } = await project.listCriteria(options);
    const isMissing = (name: string) => /criteria-(safety|vertex)/.test(name);
    return { criteria: criteria.map((one) => (isMissing(one.package) ? { ...one, installed: false } : one)), warnings };
  };
  return { ...project, listCriteria };
});

const plugin = `export const mine = { kind: 'criterion', specVersion: 3, name: 'mine', origin: { package: 'criteria-mine', version: '1.0.0' },
  description: 'Mine.', decides: true, range: { min: 0, max: null, better: 'lower' }, needs: { rubrics: { type: 'MINE' } }, scope: 'turn', evaluate: () => ({ value: 1 }),
  options: { jsonSchema: { type: 'object', properties: {} }, '~standard': { version: 1, vendor: 'x', validate: () => ({ value: {} }) } } };`;

describe('agent-criteria criteria', () => {
  it('lists all our criteria, installed or not, with the columns used in the documentation', async () => {
    const { code, out, err } = await capture(['criteria']);
    const [header, ...lines] = out.split('\n');
    const rows = lines.filter((line) => !line.startsWith(' '));
    expect(header?.trim().split(/ {2,}/)).toEqual([
      'criterion',
      'reference',
      'rubrics',
      'model',
      'simulated users',
      'range',
      'default',
      'installed',
    ]);
    expect(rows[0]?.trim().split(/ {2,}/)).toEqual([
      'tool_trajectory_avg_score',
      'yes',
      'no',
      'no',
      'no',
      '0 to 1',
      '1',
      'yes',
    ]);
    expect(rows[1]?.trim().split(/ {2,}/)).toEqual([
      'response_match_score',
      'yes',
      'no',
      'no',
      'no',
      '0 to 1',
      '0.8',
      'yes',
    ]);
    expect(rows.slice(0, knownCriteria.length).map((row) => row.split(' ')[0])).toEqual(
      knownCriteria.map(({ name }) => name),
    );
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
    expect(err).toBe('');
    expect(code).toBe(0);
  });

  it('prints how to install missing packages', async () => {
    const { out } = await capture(['criteria']);
    expect(out).toContain('To install the others:\n');
    expect(out).toContain('\n  npm install --save-dev @agent-criteria/criteria-safety\n    safety_v1\n');
    expect(out).not.toContain('npm install --save-dev @agent-criteria/criteria-rouge');
  });

  it("lists the criteria of a config's plugins last", async () => {
    const folder = folderOf({ 'config.json': { plugins: ['./mine.ts'], criteria: { mine: 3 } }, 'mine.ts': plugin });
    const { out } = await capture(['criteria', '--config-file-path', join(folder, 'config.json')]);
    const lines = out.split('\n');
    const row = lines[2 * knownCriteria.length + 1];
    expect(lines[2 * knownCriteria.length + 2]).toBe('  Mine. (criteria-mine)');
    expect(row?.trim().split(/ {2,}/)).toEqual(['mine', 'no', 'yes', 'no', 'yes', 'from 0 up', '-', 'yes']);
  });

  it('lists the criteria of the config in the working folder, and turns its mistakes into warnings', async () => {
    const before = process.cwd();
    const config = { plugins: ['./mine.ts'], criteria: { mine: 3 } };
    try {
      process.chdir(folderOf({ 'test_config.json': config, 'mine.ts': plugin }));
      const { out, err } = await capture(['criteria']);
      expect(out).toContain('\n  Mine. (criteria-mine)\n');
      expect(err).toBe('');
      process.chdir(folderOf({ 'test_config.json': config }));
      const broken = await capture(['criteria']);
      expect(broken.err).toContain('mine.ts');
      expect(broken.out).toContain('response_match_score');
      expect(broken.code).toBe(0);
    } finally {
      process.chdir(before);
    }
  });

  it("lists the project's criteria, each with its description", async () => {
    const folder = folderOf({ 'agent-criteria.config.json': { plugins: ['./mine.ts'] }, 'mine.ts': plugin });
    const before = process.cwd();
    process.chdir(folder);
    try {
      const { out } = await capture(['criteria']);
      expect(out).toContain('\nmine ');
      expect(out).toContain('\n  Mine. (criteria-mine)\n');
      for (const { description } of knownCriteria) expect(out).toContain(`  ${description.slice(0, 80)}`);
    } finally {
      process.chdir(before);
    }
  });

  it('prints the same list as JSON, with packages and descriptions', async () => {
    const { out, code } = await capture(['criteria', '--json']);
    const rows = JSON.parse(out);
    expect(rows).toHaveLength(knownCriteria.length);
    expect(rows[1]).toEqual({
      name: 'response_match_score',
      package: '@agent-criteria/criteria-rouge',
      installed: true,
      description: expect.any(String),
      referenceBased: true,
      needsRubrics: false,
      judgedByModel: false,
      simulatedUsers: false,
      range: '0 to 1',
      default: 0.8,
    });
    const other = rows.find(({ name }: { name: string }) => name === 'multi_turn_task_success_v1');
    expect(other).toMatchObject({ installed: false, default: null, judgedByModel: true });
    expect(code).toBe(0);
  });

  it.each([
    [['criteria', 'rouge'], 'criteria takes no arguments, but got "rouge"'],
    [['criteria', '--all'], 'there is no flag --all; this command has --config-file-path, --json'],
    [['criteria', '--config_file_path', 'none.json'], 'none.json: there is no such file'],
  ])('rejects %j', async (args, told) => {
    const { code, out, err } = await capture(args);
    expect(err).toContain(told);
    expect(out).toBe('');
    expect(code).toBe(2);
  });

  it('rejects an invalid config', async () => {
    const folder = folderOf({ 'config.json': { plugins: ['./none.ts'], criteria: {} }, 'bad.json': { plugins: 5 } });
    expect(await capture(['criteria', '--config_file_path', join(folder, 'config.json')])).toMatchObject({
      code: 2,
      out: '',
    });
    expect((await capture(['criteria', '--config_file_path', join(folder, 'bad.json')])).err).toContain(
      'bad.json $.plugins: ',
    );
  });
});
