import { join } from 'node:path';
import { expect, it } from 'vitest';
import { capture } from './__fixtures__/captured-io.ts';
import { evalCase, evalSet, turn } from './__fixtures__/eval-data.ts';
import { folderOf } from './__fixtures__/folder.ts';

const set = evalSet('home', evalCase('a', turn('yes', 'yes')));
const tsconfig = '{ // with a comment\n "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }';

it('an agent can import through path aliases in its tsconfig.json', async () => {
  const folder = folderOf({
    'tsconfig.json': tsconfig,
    'src/lib/same.ts': 'export const same = (text: string): string => text;',
    'agents/room/agent.ts': 'import { same } from "@/lib/same"; export const agent = same;',
    'agents/room/home.evalset.json': set,
  });
  const { code, err } = await capture(['eval', join(folder, 'agents/room')]);
  expect([err, code]).toEqual(['', 0]);
});

it('an agent loads even if its tsconfig.json cannot be read', async () => {
  const folder = folderOf({
    'tsconfig.json': { extends: 'not-installed/tsconfig.json' },
    'agent.ts': 'export const agent = (text: string): string => text;',
    'home.evalset.json': set,
  });
  expect((await capture(['eval', folder])).code).toBe(0);
});

it.each([
  ['agent.ts', '@/lib/none', 'check "paths" of the tsconfig.json nearest to it'],
  ['agent.ts', './none.ts', 'create the file, or fix the path'],
  ['agent.ts', 'no-such-package/deep', 'npm install no-such-package'],
  ['agent.mjs', './none.mjs', 'create the file, or fix the path'],
  ['agent.mjs', '@scope/no-such-package', 'npm install @scope/no-such-package'],
])('a failed import is reported once, with a remedy: %s imports %s', async (name, what, todo) => {
  const folder = folderOf({
    'tsconfig.json': tsconfig,
    [name]: `import { x } from ${JSON.stringify(what)};\nexport const agent = (text) => x(text);`,
    'home.evalset.json': set,
  });
  const { code, err } = await capture(['eval', folder]);
  expect(err).toContain(`the agent module does not load: ${join(folder, name)} imports `);
  expect(err).toContain(`, which is not there: ${todo}`);
  expect(err.trimEnd().split('\n')).toHaveLength(1);
  expect(err).not.toContain('Require stack');
  expect(code).toBe(2);
});
