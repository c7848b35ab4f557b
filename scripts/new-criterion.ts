import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCriterion } from '../packages/create-criterion/src/index.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [name, ...rest] = process.argv.slice(2);

function refuse(problem: string): void {
  console.error(problem);
  process.exitCode = 2;
}

if (name === undefined || rest.length > 0 || name.startsWith('-')) {
  refuse(
    'Usage: pnpm new:criterion NAME\n\nMakes packages/criteria-NAME. For a package outside of this repository: npm create @agent-criteria/criterion NAME',
  );
} else if (name.includes('/')) {
  refuse(`"${name}" has a scope: every package here has the scope @agent-criteria. Give the name alone.`);
} else {
  const bare = name.replace(/^criteria-/, '');
  const packages = join(root, 'packages');
  const created = await createCriterion({ name: `@agent-criteria/criteria-${bare}`, into: packages, workspace: true });
  if ('problem' in created) refuse(created.problem);
  else {
    const folder = relative(root, created.folder);
    console.log(`Created ${folder} with the criterion ${created.criterion}. Next:

  pnpm install
  pnpm test ${folder}
  pnpm changeset`);
  }
}
