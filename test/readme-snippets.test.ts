// Long: runs every snippet.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { bundles } from './bundles.ts';
import type { RanSnippet } from './run-snippets.ts';
import { snippets as allSnippets } from './snippets.ts';

// Runs every TypeScript snippet in the READMEs and the guide, and compares its output with the comments on its
// `console.log` lines. (types.test.ts checks that the snippets compile.)

const ours = await bundles();
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'test', '.snippets');

const snippets = allSnippets()
  .filter(({ isProgram }) => isProgram)
  .map((snippet) => ({ ...snippet, file: join(folder, snippet.file) }));

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const { code, file } of snippets) writeFileSync(file, code);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the expected output, from the comments on `console.log` lines. */
function promised(code: string): string[] {
  return Array.from(code.matchAll(/^\s*console\.log\(.*\); \/\/ (.*)$/gm), ([, text = '']) => text);
}

/** Whether an import has side effects, which a snippet must not get from the imports of another snippet. */
function isFelt(specifier: string): boolean {
  if (['@agent-criteria/project', '@agent-criteria/cli', '@agent-criteria/vitest'].includes(specifier)) return true;
  const [, name, entry = ''] = /^@agent-criteria\/([^/]+)(\/.*)?$/.exec(specifier) ?? [];
  if (name === undefined) return false;
  const { sideEffects, exports } = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
  return sideEffects !== false && sideEffects.includes(exports[`.${entry}`]['@agent-criteria/source']);
}

type Felt = ReadonlySet<string>;

function feltBy(code: string): Felt {
  const imported = code.matchAll(/(?:from|import\(?) ?'([^']+)'/g);
  return new Set(Array.from(imported, ([, specifier = '']) => specifier).filter(isFelt));
}

const holds = (all: Felt, some: Felt) => [...some].every((specifier) => all.has(specifier));

/** Groups of snippets that share a process. Each snippet has at least the side effects of those before it. */
const together: { readonly files: string[]; least: Felt }[] = [];
const felt = snippets.map(({ file, code }) => ({ file, by: feltBy(code) }));
for (const { file, by } of felt.toSorted((a, b) => b.by.size - a.by.size)) {
  const process = together.find(({ least }) => holds(least, by));
  if (process === undefined) together.push({ files: [file], least: by });
  else {
    process.files.unshift(file);
    process.least = by;
  }
}

/** The time limit for a process in milliseconds. */
const LONGEST = 100_000;

interface Ran {
  readonly snippets: readonly RanSnippet[];
  /** The error of the process; empty if it succeeded. */
  readonly problem: string;
}

function runAll(files: readonly string[]): Promise<Ran> {
  const args = [
    '--conditions=@agent-criteria/source',
    '--no-warnings',
    ...ours,
    join(root, 'test/run-snippets.ts'),
    ...files,
  ];
  return new Promise((done) => {
    execFile(process.execPath, args, { timeout: LONGEST, maxBuffer: 10_000_000 }, (error, stdout) => {
      const lines = stdout.split('\n').slice(0, -1);
      done({ snippets: lines.map((line) => JSON.parse(line)), problem: error?.message ?? '' });
    });
  });
}

const begun = new Map<string, Promise<Ran>>();

/** Runs a snippet together with those that share its process. */
async function run(file: string): Promise<RanSnippet> {
  const files = together.find((process) => process.files.includes(file))?.files ?? [];
  const key = files.join();
  const running = begun.get(key) ?? runAll(files);
  begun.set(key, running);
  const { snippets: all, problem } = await running;
  const own = all.find((one) => one.file === file);
  if (own === undefined) throw new Error(`it has not ended, or one before it in the same process: ${problem}`);
  // Output after the end of a snippet may come from any snippet in the process.
  expect(problem, `of one of ${files.join(', ')}`).toBe('');
  return own;
}

describe('README snippets', () => {
  it('are found at all', () => {
    expect(snippets.length).toBeGreaterThan(3);
  });

  it.each(snippets)('$name runs', async ({ file, code }) => {
    const { printed, failure } = await run(file);
    expect(failure).toBe('');
    const lines = printed.split('\n');
    for (const text of promised(code)) expect(lines).toContain(text);
  });
});
