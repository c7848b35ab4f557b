import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { adkAgentSource } from '../../packages/project/src/init/adk-agent-source.ts';
import { snippets } from '../snippets.ts';
import { strictness } from '../strictness.ts';
import { problemsIn, programOf } from '../type-check.ts';

// Checks the example and the snippets that need @google/adk; test/types.test.ts checks all others.

const example = join(import.meta.dirname, '../../examples/adk-agent');
const written = readdirSync(example, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
  .map((file) => join(example, file));
const made = [{ file: 'init-agent.ts', code: adkAgentSource }, ...snippets('typescript')];
const texts = Object.fromEntries(made.map(({ file, code }) => [join(import.meta.dirname, '.snippets', file), code]));
const files = [...written, ...Object.keys(texts)];

it.each(Object.entries(strictness))('the types of agent-adk compile under %s', { timeout: 120_000 }, (_name, flags) => {
  expect(snippets('typescript')).toHaveLength(4);
  expect(problemsIn(programOf(written, texts, flags), files)).toEqual([]);
});
