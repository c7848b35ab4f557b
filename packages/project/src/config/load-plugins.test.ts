import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { loadPlugins } from './load-plugins.ts';

const whole = `kind: 'criterion', specVersion: 3, name: 'mine', origin: { package: 'mine', version: '1.0.0' }, description: 'Mine.',
  decides: true, range: { min: 0, max: 1, better: 'higher' }, scope: 'turn',
  options: { jsonSchema: { type: 'object' }, '~standard': { version: 1, vendor: 'x', validate: () => ({ value: {} }) } }`;

async function mistake(code: string): Promise<unknown> {
  const folder = folderOf({ 'mine.mjs': code });
  return loadPlugins(['./mine.mjs'], folder, 'test_config.json').catch((error: unknown) => error);
}

describe('loadPlugins', () => {
  it.each([
    ['criteria-tone', 'the plugin "criteria-tone" is not installed: npm install --save-dev criteria-tone'],
    ['@me/tone/pure', 'the plugin "@me/tone/pure" is not installed: npm install --save-dev @me/tone'],
    // Paths and installed packages get no install line.
    ['./tone.mjs', 'the plugin "./tone.mjs" does not load'],
    ['here/nothing', 'the plugin "here/nothing" does not load'],
    ['here', 'the plugin "here" does not load'],
  ])('rejects %s, with an install line only for a missing package', async (name, message) => {
    const folder = folderOf({
      'node_modules/here/package.json': {
        name: 'here',
        type: 'module',
        exports: { '.': './a.js', './package.json': './package.json' },
      },
      'node_modules/here/a.js': "import 'absent';",
    });
    await expect(loadPlugins([name], folder)).rejects.toThrow(message);
  });

  it('rejects a plain object, advising to wrap it', async () => {
    expect(
      await mistake("export const mine = { name: 'mine', description: 'x', evaluate: () => ({ value: 1 }) };"),
    ).toMatchObject({
      message: expect.stringContaining('"mine" is a plain object: wrap it in defineCriterion(…)'),
      problems: [{ code: 'INVALID_PLUGIN', file: 'test_config.json', path: '$.plugins[0]' }],
    });
    expect(await mistake('export const limit = { most: 5 };')).toMatchObject({
      message: expect.stringContaining('a plugin package must export its criteria'),
    });
  });

  it('rejects a misspelt method, giving its name and the file', async () => {
    expect(await mistake(`export const mine = { ${whole}, evalute: () => ({ value: 1 }) };`)).toMatchObject({
      problems: [
        {
          file: 'test_config.json',
          path: '$.plugins[0]',
          message: '"./mine.mjs": the criterion "mine" has no evaluate method; is "evalute" a misspelling of it?',
        },
      ],
    });
    expect(await mistake(`export const mine = { ${whole}, evaluate: () => ({ value: 1 }) };`)).toMatchObject([
      { name: 'mine' },
    ]);
  });

  it('rejects a plugin built for another version of core, with advice', async () => {
    const folder = folderOf({
      'node_modules/@agent-criteria/core/package.json': { type: 'module', exports: './index.js' },
      'node_modules/@agent-criteria/core/index.js': 'export const isCallSkipped = () => false;',
      'mine.mjs': "import { isUnmadeCall } from '@agent-criteria/core'; export const mine = isUnmadeCall;",
    });
    await expect(loadPlugins(['./mine.mjs'], folder)).rejects.toThrow(
      /does not provide an export named 'isUnmadeCall'.*; it was built for another version of @agent-criteria\/core: install a newer version/,
    );
  });
});
