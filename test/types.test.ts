// Long: compiles every example and every snippet.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type ts from 'typescript';
import { afterAll, describe, expect, it } from 'vitest';
import { createCriterion } from '../packages/create-criterion/src/index.ts';
import { closedOptions } from './closed-options.ts';
import { allRuns } from './runs.ts';
import { snippetFiles } from './snippets.ts';
import { strictness } from './strictness.ts';
import { problemsIn, programOf } from './type-check.ts';
import { completionsAt, mistakes, typedFile, typedTexts } from './typed-sets.ts';

// Checks the types as users see them: every example, every snippet in the READMEs and the guide, and a new criterion
// package, in one program per strictness. `pnpm artefacts` does the same with the published files.

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Lists the TypeScript files in a folder, without node_modules, which would take longer to walk than to check. */
function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : sourcesIn(path);
    return path.endsWith('.ts') ? [join(root, path)] : [];
  });
}

// Examples whose agents have packages of their own are checked by `pnpm test:adk` and `pnpm test:ai-sdk`.
const examples = readdirSync(join(root, 'examples')).filter(
  (name) => !existsSync(join(root, 'examples', name, 'agent', 'package.json')),
);

// Below create-criterion, so that the new package can resolve core.
const into = mkdtempSync(join(root, 'packages', 'create-criterion', '.new-'));
writeFileSync(join(into, '.gitignore'), '*\n');
afterAll(() => rmSync(into, { recursive: true, force: true }));
const name = 'criteria-tone-of-voice';
await createCriterion({ name: `@agent-criteria/${name}`, into, workspace: true });
const created = sourcesIn(join(relative(root, into), name, 'src'));

const written = [
  ...created,
  ...examples.flatMap((name) => sourcesIn(join('examples', name))),
  ...sourcesIn('test/consumer'),
  join(root, 'packages/vitest/src/__fixtures__/matcher-types.ts'),
];
const texts = Object.fromEntries(
  Object.entries(snippetFiles()).map(([file, code]) => [join(root, 'test', '.snippets', file), code]),
);
const files = [...written, ...Object.keys(texts)];

const program = (flags: ts.CompilerOptions, more: readonly string[] = []) =>
  programOf([...written, ...more], { ...texts, ...typedTexts }, flags);

/** Tests the types of valid and invalid eval sets and configs. */
function typedSets(of: ts.Program): void {
  const told = (index: number) => problemsIn(of, [typedFile(index)]);

  it('a valid eval set and config compile', { timeout: 120_000 }, () => {
    expect(told(0)).toEqual([]);
  });

  it.each(mistakes.map(([code, said], index) => [code, said, index + 1] as const))(
    'a single error is reported for %s',
    (_code, said, index) => {
      const problems = told(index);
      expect(problems).toHaveLength(1);
      expect(problems[0]).toContain(said);
    },
  );
}

/** Code that compiles with every flag nearly always compiles with fewer, so only `.ci/run` checks this. */
if (allRuns) {
  describe('in TypeScript with plain strict', () => {
    const strict = program(strictness['plain strict']);

    it('every example, every snippet and a new criterion compile', { timeout: 120_000 }, () => {
      expect(created.length).toBeGreaterThan(3);
      expect(files.length).toBeGreaterThan(60);
      expect(problemsIn(strict, files)).toEqual([]);
    });

    typedSets(strict);
  });
}

describe('in TypeScript with every strict flag', () => {
  /** The sources of all entries of all packages. */
  const entries = readdirSync(join(root, 'packages')).flatMap((folder) => {
    const manifest = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'));
    const exported: readonly unknown[] = Object.values(manifest.exports ?? {});
    return exported.flatMap((entry) => {
      const source = typeof entry === 'object' && entry !== null ? Object.values(entry)[0] : undefined;
      return typeof source === 'string' && source.endsWith('.ts') ? [join(root, 'packages', folder, source)] : [];
    });
  });
  const strictest = program(strictness['every strict flag'], entries);

  it('every example, every snippet and a new criterion compile', { timeout: 120_000 }, () => {
    expect(problemsIn(strictest, files)).toEqual([]);
  });

  it('every public option accepts an explicit undefined', { timeout: 120_000 }, () => {
    expect(entries.length).toBeGreaterThan(30);
    const isOurs = (file: string) =>
      !relative(join(root, 'packages'), file).includes('..') && !file.includes('node_modules');
    expect(closedOptions(strictest, entries, isOurs)).toEqual([]);
  });

  typedSets(strictest);
});

it("an editor completes the keys of eval sets and configs in camelCase, and the plugins' criteria", {
  timeout: 120_000,
}, () => {
  expect(completionsAt('evaluate({ agent, evalSet: { | } })')).toEqual(
    expect.arrayContaining(['evalSetId', 'evalCases']),
  );
  expect(completionsAt("defineEvalSet({ evalSetId: 's', evalCases: [{ evalId: 'x', | }] })")).toEqual(
    expect.arrayContaining(['sessionInput', 'finalSessionState', 'agentCriteria']),
  );
  expect(completionsAt('evaluate({ agent, evalSet, config: { plugins, criteria: { | } } })')).toEqual([
    'response_match_score',
    'tool_trajectory_avg_score',
  ]);
  expect(
    completionsAt('evaluate({ agent, evalSet, config: { plugins, criteria: { tool_trajectory_avg_score: { | } } } })'),
  ).toEqual(expect.arrayContaining(['threshold', 'matchType', 'minCoverage']));
});
