// Long: creates a package and runs its tests.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { createCriterion } from '../packages/create-criterion/src/index.ts';
import { placeOf } from './house.ts';
import { type Package, problemsOf } from './rules.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
// Below create-criterion, so that the new package can resolve core.
const into = mkdtempSync(join(root, 'packages', 'create-criterion', '.new-'));
writeFileSync(join(into, '.gitignore'), '*\n');
afterAll(() => rmSync(into, { recursive: true, force: true }));

// types.test.ts checks that it compiles.
test('a new criterion package complies with the repository rules and passes its conformance test', async () => {
  const name = 'criteria-tone-of-voice';
  const made = await createCriterion({ name: `@agent-criteria/${name}`, into, workspace: true });
  const folder = join(into, name);
  expect(made).toEqual({ folder, criterion: 'tone_of_voice' });

  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const subject: Package = {
    folder: name,
    manifest: JSON.parse(read('package.json')),
    place: placeOf(name)!,
    readme: read('README.md'),
    sources: readdirSync(join(folder, 'src')).map((file) => ({ path: `src/${file}`, text: read(`src/${file}`) })),
  };
  expect(problemsOf(subject)).toEqual([]);
  expect(read('tsup.config.ts')).toContain("from '../../tsup.preset.ts'");

  const node = (script: string, ...args: string[]) =>
    execFileSync(process.execPath, [join(root, 'node_modules', script), ...args], {
      cwd: folder,
      stdio: 'pipe',
      encoding: 'utf8',
    });
  const conditions = "['@agent-criteria/source', 'module', 'node', 'import', 'default']";
  writeFileSync(
    join(folder, 'vitest.config.ts'),
    `const conditions = ${conditions};
    export default { resolve: { conditions }, ssr: { resolve: { conditions, externalConditions: conditions } } };`,
  );
  expect(node('vitest/vitest.mjs', 'run', '--no-color')).toMatch(/Tests\s+1 passed/);
});
