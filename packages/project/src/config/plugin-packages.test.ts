import { join } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import { createRegistry } from '@agent-criteria/core/host';
import { evalCase, evalSet } from '@agent-criteria/core/testing';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { loadPlan } from '../plan/load-plan.ts';
import { installedCriteria } from './installed-criteria.ts';
import { listCriteria } from './list-criteria.ts';
import { PLUGIN_KEYWORD, pluginPackages } from './plugin-packages.ts';

/** Returns the source of a third-party criterion without dependencies. */
const criterion = (name: string, packageName: string) => `export const it = {
  kind: 'criterion', specVersion: 3, name: '${name}', origin: { package: '${packageName}', version: '1.0.0' },
  description: 'x', decides: true, range: { min: 0, max: 1, better: 'higher' }, scope: 'turn', evaluate: () => ({ value: 1 }),
  options: { jsonSchema: { type: 'object', properties: {} }, '~standard': { version: 1, vendor: 'x', validate: () => ({ value: {} }) } },
};`;

/** Returns the files of a package in node_modules. */
const installed = (name: string, source: string, keywords: unknown = [PLUGIN_KEYWORD]) => ({
  [`node_modules/${name}/package.json`]: {
    name,
    version: '1.0.0',
    type: 'module',
    exports: { '.': './index.js' },
    keywords,
  },
  [`node_modules/${name}/index.js`]: source,
});

const set = evalSet([evalCase('a', [{ user: 'Hi', answer: 'Hello' }])]);

/** Creates a project with an eval set judged by these criteria. */
function project(depends: object, criteria: readonly string[], ...packages: readonly object[]) {
  return folderOf({
    'package.json': { name: 'mine', ...depends },
    'agent/a.test.json': set,
    'agent/test_config.json': { criteria: Object.fromEntries(criteria.map((name) => [name, 1])) },
    ...Object.assign({}, ...packages),
  });
}

async function plan(folder: string) {
  const { plan: found } = await loadPlan({
    evalSet: join(folder, 'agent', 'a.test.json'),
    registry: createRegistry([]),
    only: 'scores',
  });
  return found.criteria.map(({ name, criterion: of }) => `${name} of ${of.origin.package}`);
}

async function problems(folder: string): Promise<string> {
  try {
    await plan(folder);
  } catch (error) {
    if (CriteriaError.is(error)) return error.message;
    throw error;
  }
  throw new Error('there is no problem');
}

const fails = "throw new Error('imported');";
const tone = installed('criteria-tone', criterion('tone', 'criteria-tone'));

describe('third-party criteria', () => {
  it.each(['dependencies', 'devDependencies', 'optionalDependencies'])('are found in packages of %s', async (list) => {
    const scoped = installed('@me/criteria-mood', criterion('mood', '@me/criteria-mood'));
    const depends = { [list]: { 'criteria-tone': '^1.0.0', '@me/criteria-mood': '^1.0.0' } };
    const folder = project(depends, ['mood', 'tone'], tone, scoped);
    expect(await plan(folder)).toEqual(['mood of @me/criteria-mood', 'tone of criteria-tone']);
    expect((await installedCriteria({ folder })).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['mood', 'tone']),
    );
    const { criteria } = await listCriteria({ folder });
    expect(criteria.find(({ name }) => name === 'tone')).toMatchObject({ package: 'criteria-tone', installed: true });
  });

  it('are only searched for in direct dependencies with the keyword', async () => {
    const folder = project(
      {
        dependencies: {
          'criteria-quiet': '1',
          'criteria-odd': '1',
          gone: '1',
          '../outside': '1',
          'criteria-tone': '1',
        },
      },
      ['quiet'],
      installed('criteria-quiet', fails, ['agent-criteria']),
      installed('criteria-odd', fails, 'agent-criteria-plugin'),
      installed('criteria-transitive', fails),
      tone,
      { 'node_modules/outside/package.json': { keywords: [PLUGIN_KEYWORD] } },
    );
    expect(await pluginPackages([join(folder, 'agent')])).toEqual([{ name: 'criteria-tone', from: folder }]);
    const told = await problems(folder);
    expect(told).toContain('there is no criterion named "quiet" (registered: tone); looked in criteria-tone too.');
    expect(told).not.toContain('imported');
  });

  it('are not imported if all required criteria are already known', async () => {
    const folder = project(
      { dependencies: { breaks: '1', 'criteria-tone': '1' } },
      ['tone'],
      tone,
      installed('breaks', fails, []),
    );
    expect(await plan(folder)).toEqual(['tone of criteria-tone']);
    const builtIn = project({ dependencies: { breaks: '1' } }, ['response_match_score'], installed('breaks', fails));
    expect(await plan(builtIn)).toEqual(['response_match_score of @agent-criteria/criteria-rouge']);
  });

  it('are rejected if they share a name with one of our criteria, naming both packages', async () => {
    const taken = installed(
      'criteria-tone',
      `${criterion('tone', 'criteria-tone')}\n${criterion('safety_v1', 'criteria-tone').replace('it =', 'other =')}`,
    );
    const folder = project({ dependencies: { 'criteria-tone': '1' } }, ['tone'], taken);
    expect(await problems(folder)).toContain(
      'criteria-tone and @agent-criteria/criteria-safety both have a criterion named "safety_v1"',
    );
  });

  it('are rejected if two packages provide the same name', async () => {
    const folder = project(
      { dependencies: { 'criteria-tone': '1', other: '1' } },
      ['tone'],
      tone,
      installed('other', criterion('tone', 'other')),
    );
    expect(await problems(folder)).toContain('two packages provide a criterion named "tone": criteria-tone');
  });

  it('are reported with their package if they do not load', async () => {
    const folder = project({ dependencies: { 'criteria-tone': '1' } }, ['tone'], installed('criteria-tone', fails));
    expect(await problems(folder)).toContain('the plugin "criteria-tone" does not load: imported');
    expect((await listCriteria({ folder })).warnings.map(({ message }) => message).join()).toContain('imported');
  });

  it('are not found without a dependency that has the keyword, as the error explains', async () => {
    expect(await problems(project({}, ['tone']))).toContain(
      'no dependency of the project has the keyword "agent-criteria-plugin". If another package provides it, name the package under "plugins"',
    );
  });
});
