// Isolated: it mocks a module.
import { join } from 'node:path';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import { knownCriteria } from '@agent-criteria/runner';
import { describe, expect, it, vi } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { listCriteria } from './list-criteria.ts';

/** Simulates a project with only one criteria package installed, because this workspace has all of them. */
vi.mock(import('../files/import-module.ts'), async (original) => {
  const modules = await original();
  const resolveFrom: typeof modules.resolveFrom = async (name, folder) =>
    name.includes('criteria-rouge') ? modules.resolveFrom(name, folder) : undefined;
  return { ...modules, resolveFrom };
});

const plugin = `export const mine = { kind: 'criterion', specVersion: 3, name: 'mine', origin: { package: 'criteria-mine', version: '1.0.0' },
  description: 'Mine.', decides: true, range: { min: 0, max: null, better: 'lower' }, scope: 'turn', evaluate: () => ({ value: 1 }),
  options: { jsonSchema: { type: 'object', properties: {} }, '~standard': { version: 1, vendor: 'x', validate: () => ({ value: {} }) } } };`;

describe('listCriteria', () => {
  it('marks criteria that are installed or built in', async () => {
    const builtIn = { plugins: [toolTrajectory] };
    const { criteria } = await listCriteria({ builtIn });
    expect(criteria.map(({ name }) => name)).toEqual(knownCriteria.map(({ name }) => name));
    const installed = criteria.filter((one) => one.installed).map(({ name }) => name);
    expect(installed).toEqual(['tool_trajectory_avg_score', 'response_match_score']);
  });

  it("lists the criteria of a config's plugins last, and throws for mistakes in the config", async () => {
    const folder = folderOf({
      'config.json': '{ "plugins": ["./mine.mjs"], /* ours */ "criteria": {} }',
      'mine.mjs': plugin,
      'bad.json': { plugins: 5 },
    });
    const { criteria, warnings } = await listCriteria({ config: join(folder, 'config.json') });
    expect(criteria.at(-1)).toMatchObject({ name: 'mine', installed: true, range: 'from 0 up', default: null });
    expect(warnings).toHaveLength(1);
    await expect(listCriteria({ config: join(folder, 'bad.json') })).rejects.toThrow('bad.json $.plugins: ');
  });
});
