import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { echoAgent, homeSet } from '../__fixtures__/running-studio.ts';
import { findSets } from '../sets/find-sets.ts';
import type { App } from './app.ts';
import { findApps } from './find-apps.ts';

const named = async (path: string) => (await findApps(path)).map(({ name, agent }) => [name, agent !== null]);

describe('findApps()', () => {
  it('finds the agents of a folder and of the folders below it', async () => {
    const folder = folderOf({
      'agent.mjs': echoAgent,
      'evals/home.evalset.json': homeSet,
      'more/weather/agent.ts': '',
      'src/index.ts': 'export const nothing = 1;',
      'node_modules/x/agent.ts': '',
      '.hidden/agent.ts': '',
    });
    expect(await named(folder)).toEqual([
      [basename(folder), true],
      ['more.weather', true],
    ]);
  });

  it('finds folders that contain only eval sets', async () => {
    const folder = folderOf({ 'python_agent/home.evalset.json': homeSet, 'python_agent/agent.py': '' });
    expect(await named(folder)).toEqual([['python_agent', false]]);
  });

  it('gives eval sets the only agent below them that has none of its own', async () => {
    const folder = folderOf({
      'desk/home.evalset.json': homeSet,
      'desk/agent/agent.mjs': echoAgent,
      'desk/scenarios/visitors.evalset.json': homeSet,
      'other/agent.mjs': echoAgent,
      'other/evals/home.evalset.json': homeSet,
    });
    const [desk, ...others] = await findApps(folder);
    expect(desk).toEqual({
      name: 'desk',
      folder: join(folder, 'desk'),
      agent: join(folder, 'desk', 'agent', 'agent.mjs'),
    });
    expect(others.map(({ name }) => name)).toEqual(['other']);
    expect((await findSets(desk as App, others)).map(({ id }) => id)).toEqual(['home', 'scenarios.visitors']);
    expect(await named(join(folder, 'desk'))).toEqual([['desk', true]]);
  });

  it('leaves eval sets without an agent if several below them could be theirs', async () => {
    const folder = folderOf({
      'home.evalset.json': homeSet,
      'one/agent.mjs': echoAgent,
      'two/agent.mjs': echoAgent,
    });
    expect(await named(folder)).toEqual([
      [basename(folder), false],
      ['one', true],
      ['two', true],
    ]);
  });

  it('keeps an agent with eval sets of its own apart from the sets above it', async () => {
    const folder = folderOf({
      'desk/home.evalset.json': homeSet,
      'desk/agent/agent.mjs': echoAgent,
      'desk/agent/evals/own.evalset.json': homeSet,
    });
    expect(await named(folder)).toEqual([
      ['desk', false],
      ['desk.agent', true],
    ]);
  });

  it('accepts a module and the URL of an app', async () => {
    const folder = folderOf({ 'echo/main.mjs': echoAgent });
    expect(await findApps(join(folder, 'echo/main.mjs'))).toEqual([
      { name: 'echo', folder: join(folder, 'echo'), agent: join(folder, 'echo/main.mjs') },
    ]);
    expect(await named('http://127.0.0.1:8000/apps/weather')).toEqual([['weather', true]]);
    expect(await named('http://127.0.0.1:8000/?app=weather')).toEqual([['weather', true]]);
  });

  it('gives advice if there is neither an agent nor an eval set', async () => {
    await expect(findApps(folderOf({ 'a.txt': '' }))).rejects.toThrow('agent-criteria init');
    await expect(findApps(join(folderOf({}), 'none'))).rejects.toThrow('there is no such file or folder');
  });
});
