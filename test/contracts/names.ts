import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../corpus/folder.ts';
import { sha256 } from './prompts.ts';

// Names that others rely on, taken from the sources. They are collected wherever they occur, so that moving code
// changes nothing here.

/** Lists the environment variables that our packages read. */
export function environmentNames(): string {
  const found = new Set<string>();
  // The names for settings are derived from theirs; the guide lists them, and `pnpm reference` writes that list.
  const settings = readFileSync(join(root, 'docs/guide/project-config.md'), 'utf8');
  for (const { text } of [...sources(), { text: settings }]) {
    for (const [name] of text.matchAll(/\bAGENT_CRITERIA_[A-Z_]*[A-Z]\b/g)) found.add(name);
    // Ours and those of providers: `process.env.X`, `environment['X']`, and names that are stored as strings.
    for (const [, name = ''] of text.matchAll(/\benv(?:ironment)?(?:\?)?\.([A-Z][A-Z0-9_]+)\b/g)) found.add(name);
    for (const [, name = ''] of text.matchAll(/\benv(?:ironment)?(?:\?\.)?\[['"]([A-Z][A-Z0-9_]+)['"]\]/g))
      found.add(name);
    for (const [, name = ''] of text.matchAll(
      /['"`]([A-Z][A-Z0-9]*_(?:[A-Z0-9]+_)*(?:KEY|TOKEN|URL|HOST|PROJECT|LOCATION|CREDENTIALS|VERTEXAI|ENTERPRISE|HEADERS|COLOR|SECRET))['"`]/g,
    ))
      found.add(name);
  }
  const codes = errorCodes().split('\n');
  return lines([...found].filter((name) => !codes.includes(name)));
}

/** Lists the codes of `CriteriaError`, in declaration order. */
export function errorCodes(): string {
  for (const { text } of sources()) {
    const list = /export type ErrorCode =([^;]*);/.exec(text)?.[1];
    if (list !== undefined) return lines([...list.matchAll(/'([A-Z_]+)'/g)].map(([, code = '']) => code));
  }
  throw new Error('no source has the list of error codes');
}

/** Lists the keys of global symbols, by which copies of our packages recognise each other. */
export function symbols(): string {
  const found = new Set<string>();
  for (const { text } of sources()) {
    for (const [, key = ''] of text.matchAll(/Symbol\.for\(\s*(['"`][^)]*?['"`]),?\s*\)/g)) found.add(key);
  }
  return lines(found);
}

/** Returns the declared location and the content of each JSON Schema. */
export function schemas(): string {
  const found: string[] = [];
  for (const name of readdirSync(join(root, 'packages')).sort()) {
    const folder = join(root, 'packages', name, 'schemas');
    // The build copies them into the command's packages.
    if (!existsSync(folder) || ['cli', 'agent-criteria'].includes(name)) continue;
    for (const file of readdirSync(folder).sort()) {
      const text = readFileSync(join(folder, file), 'utf8');
      const { $id, $schema, title } = JSON.parse(text);
      found.push(`${file}: $id ${$id ?? 'none'}, $schema ${$schema}, title ${title}, sha256 ${sha256(text)}`);
    }
  }
  return lines(found);
}

function lines(names: Iterable<string>): string {
  return `${[...new Set(names)].sort().join('\n')}\n`;
}

/** Lists the published sources, without comments. */
function sources(): readonly { readonly text: string }[] {
  known ??= readdirSync(join(root, 'packages')).flatMap((name) => {
    const folder = join(root, 'packages', name, 'src');
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|__fixtures__/.test(file))
      .map((file) => ({ text: withoutComments(readFileSync(join(folder, file), 'utf8')) }));
  });
  return known;
}

let known: readonly { readonly text: string }[] | undefined;

function withoutComments(text: string): string {
  if (!/\/[/*]/.test(text)) return text;
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, text);
  let result = '';
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    if (kind !== ts.SyntaxKind.SingleLineCommentTrivia && kind !== ts.SyntaxKind.MultiLineCommentTrivia) {
      result += scanner.getTokenText();
    }
  }
  return result;
}
