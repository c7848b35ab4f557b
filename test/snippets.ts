import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A TypeScript example on a page. */
export interface Snippet {
  /** The page's path from the repository root. */
  readonly page: string;
  readonly name: string;
  readonly code: string;
  /** A unique file name. */
  readonly file: string;
  /**
   * Whether the reader is meant to paste it into a program. If not, the fence names the kind of file, such as a test.
   */
  readonly isProgram: boolean;
}

const root = fileURLToPath(new URL('..', import.meta.url));

const pages: readonly string[] = [
  'README.md',
  ...readdirSync(join(root, 'docs/guide')).map((page) => `docs/guide/${page}`),
  ...['packages', 'examples'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => `${group}/${name}/README.md`),
  ),
];

/**
 * Returns the snippets in the READMEs and the guide. Those that need @google/adk, which the workspace does not have,
 * are fenced as `typescript`, and those that need another framework with its name, such as `typescript ai-sdk`.
 */
export function snippets(fence: 'ts' | 'typescript' | `typescript ${string}` = 'ts'): readonly Snippet[] {
  return pages
    .filter((page) => existsSync(join(root, page)))
    .flatMap((page) => {
      const blocks = readFileSync(join(root, page), 'utf8').matchAll(/^```(\w+)(?: ([^\n]+))?\n(.*?)^```$/gms);
      return Array.from(blocks)
        .filter(([, found, kind]) => (found === 'ts' || kind === undefined ? found : `${found} ${kind}`) === fence)
        .map(([, , kind, code = ''], index) => ({
          page,
          name: `${page} #${index + 1}`,
          // Without an import or export it would be a script, whose names collide with those of all others.
          code: /^(import|export) /m.test(code) ? code : `${code}\nexport {};\n`,
          file: `${page.replaceAll(/\W+/g, '-')}-${index + 1}.ts`,
          isProgram: kind === undefined,
        }));
    });
}

/** Returns the snippets of all pages as files in one folder, together with the neighbouring files that they import. */
export function snippetFiles(): Readonly<Record<string, string>> {
  const all = snippets();
  // The guide's page about Vitest tests the agent of the page before it.
  const agent = all.find(({ page }) => page === 'docs/guide/first-score.md')?.code ?? '';
  return { 'agent.ts': agent, ...Object.fromEntries(all.map(({ file, code }) => [file, code])) };
}
