import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { snippetFiles } from './snippets.ts';
import { strictness } from './strictness.ts';
import { problemsIn, programOf } from './type-check.ts';

// The types, as users meet them: every example, every snippet of the READMEs and the guide, in one program for each
// strictness. `pnpm artefacts` does the same with what we publish.

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** The TypeScript of a folder, from the root. */
function sourcesIn(folder: string): string[] {
  const found = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return found
    .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
    .map((file) => join(root, folder, file));
}

// One example needs @google/adk: `pnpm test:adk` checks it.
const examples = readdirSync(join(root, 'examples')).filter((name) => name !== 'adk-agent');
const written = [
  ...examples.flatMap((name) => sourcesIn(join('examples', name))),
  ...sourcesIn('test/consumer'),
  join(root, 'packages/vitest/src/__fixtures__/matcher-types.ts'),
];
const texts = Object.fromEntries(
  Object.entries(snippetFiles()).map(([file, code]) => [join(root, 'test', '.snippets', file), code]),
);
const files = [...written, ...Object.keys(texts)];

describe.each(Object.entries(strictness))('with %s', (_name, flags) => {
  it('every example and every snippet compiles', { timeout: 120_000 }, () => {
    expect(files.length).toBeGreaterThan(60);
    expect(problemsIn(programOf(written, texts, flags), files)).toEqual([]);
  });
});
