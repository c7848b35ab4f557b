import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { packAll, pnpm, root, withNeeds } from './artefacts/pack.ts';
import { run } from './artefacts/run.ts';

// Packs packages for a project that needs them before the first release: `pnpm tarballs cli agent-adk`.
const names = process.argv.slice(2);
const folder = join(root, 'tarballs');
mkdirSync(folder, { recursive: true });
console.log('Building and packing …');
await run('npx', [...pnpm, 'build'], { cwd: root });
const all = await packAll(folder);
const wanted = names.length === 0 ? ['cli'] : names;
const needed = withNeeds(all, wanted);
const asked = needed.filter(({ name }) => wanted.some((one) => name === one || name === `@agent-criteria/${one}`));
const overrides = needed.map(({ name, file }) => `  "${name}": "file:${file}"\n`);

console.log(`
In your project, with npm:

npm install --save-dev ${needed.map(({ file }) => file).join(' ')}

With pnpm, add this to pnpm-workspace.yaml:

overrides:
${overrides.join('')}
and then:

pnpm add --save-dev ${asked.map(({ file }) => file).join(' ')}`);
