import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, describe, expect, it } from 'vitest';

// Every TypeScript snippet of every README and of every page of the guide type-checks and runs; what a `console.log` line promises in its comment is
// what it prints.

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'test', '.snippets');
const run = promisify(execFile);

interface Snippet {
  readonly name: string;
  readonly code: string;
  readonly file: string;
}

const readmes = [
  'README.md',
  ...readdirSync(join(root, 'docs/guide')).map((page) => `docs/guide/${page}`),
  ...['packages', 'examples'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => `${group}/${name}/README.md`),
  ),
];

const snippets: readonly Snippet[] = readmes
  .filter((readme) => existsSync(join(root, readme)))
  .flatMap((readme) => {
    const blocks = readFileSync(join(root, readme), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms);
    return Array.from(blocks, ([, code = ''], index) => ({
      name: `${readme} #${index + 1}`,
      code,
      file: join(folder, `${readme.replaceAll(/\W+/g, '-')}-${index + 1}.ts`),
    }));
  });

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
// A snippet without an import would be a script, whose names all collide.
for (const { code, file } of snippets)
  writeFileSync(file, /^(import|export) /m.test(code) ? code : `${code}\nexport {};\n`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the comments of `console.log` lines promise, line by line. */
function promised(code: string): string[] {
  return Array.from(code.matchAll(/^\s*console\.log\(.*\); \/\/ (.*)$/gm), ([, text = '']) => text);
}

describe('README snippets', () => {
  it('are there', () => {
    expect(snippets.length).toBeGreaterThan(3);
  });

  it('type-check', () => {
    const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
    const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
    const program = ts.createProgram(
      snippets.map(({ file }) => file),
      options,
    );
    const found = ts
      .getPreEmitDiagnostics(program)
      .map((diagnostic) => ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'));
    expect(found).toEqual([]);
  });

  it.each(snippets)('$name runs', async ({ file, code }) => {
    const { stdout } = await run(process.execPath, ['--conditions=@agent-criteria/source', '--no-warnings', file]);
    const lines = stdout.split('\n');
    for (const text of promised(code)) expect(lines).toContain(text);
  });
});
