import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { snippets as allSnippets } from './snippets.ts';

// Every TypeScript snippet of every README and of every page of the guide runs; what a `console.log` line promises in its
// comment is what it prints. (Whether it compiles, types.test.ts asks.)

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'test', '.snippets');
const run = promisify(execFile);

const snippets = allSnippets()
  .filter(({ isProgram }) => isProgram)
  .map((snippet) => ({ ...snippet, file: join(folder, snippet.file) }));

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const { code, file } of snippets) writeFileSync(file, code);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the comments of `console.log` lines promise, line by line. */
function promised(code: string): string[] {
  return Array.from(code.matchAll(/^\s*console\.log\(.*\); \/\/ (.*)$/gm), ([, text = '']) => text);
}

describe('README snippets', () => {
  it('are there', () => {
    expect(snippets.length).toBeGreaterThan(3);
  });

  it.each(snippets)('$name runs', async ({ file, code }) => {
    const { stdout } = await run(process.execPath, ['--conditions=@agent-criteria/source', '--no-warnings', file]);
    const lines = stdout.split('\n');
    for (const text of promised(code)) expect(lines).toContain(text);
  });
});
