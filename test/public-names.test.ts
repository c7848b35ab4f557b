import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { publicNames } from './public-names.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const all = publicNames(root);
const main = all.filter(({ entry }) => isMain(entry));

/**
 * Functions that a package redeclares on top of the package below: `runner` takes values, `project` also takes paths
 * and names, and `cli` adds the command's criteria.
 */
const layered = ['evaluate', 'evaluateAgent'];

test('each name in a main entry means the same in every package', () => {
  const meanings = new Map<string, Set<string>>();
  for (const { name, declaration } of main) meanings.set(name, (meanings.get(name) ?? new Set()).add(declaration));
  const several = [...meanings].filter(([, declarations]) => declarations.size > 1).map(([name]) => name);
  expect(several.filter((name) => !layered.includes(name))).toEqual([]);
});

test('each name in a main entry is used by another package, a page, an example or a benchmark', () => {
  const texts = filesIn('').map((file) => ({ file, text: textOf(file) }));
  const unused = main.filter(({ name, entry, isOwn }) => {
    const folder = entry.split('/')[1] ?? '';
    if (!isOwn) return false;
    const word = new RegExp(`(?<![\\w$])${name.replace('$', '\\$')}(?![\\w$])`);
    return !texts.some(({ file, text }) => {
      if (!file.endsWith('.md') && (file.startsWith(`packages/${folder}/`) || !text.includes(entry))) return false;
      return word.test(text);
    });
  });
  expect(unused.map(({ name, entry }) => `${entry}: ${name}`)).toEqual([]);
});

test('each secondary entry of a package is explained in its README', () => {
  // `pure` means the same in every package.
  const others = all.map(({ entry }) => entry).filter((entry) => !isMain(entry) && !entry.endsWith('/pure'));
  const missing = [...new Set(others)].filter((entry) => {
    const [, folder = ''] = entry.split('/');
    return !textOf(`packages/${folder}/README.md`).includes(entry);
  });
  expect(missing).toEqual([]);
});

function isMain(entry: string): boolean {
  return entry.split('/').length === 2;
}

/** Returns code without comments, and pages without prose. */
function textOf(file: string): string {
  const text = readFileSync(join(root, file), 'utf8');
  if (!file.endsWith('.md')) return text.replace(/^\s*(?:\/\*\*|\*|\/\/).*$/gm, '');
  return (text.match(/```[\s\S]*?```|`[^`\n]+`/g) ?? []).join('\n');
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (/^(?:node_modules|dist|\..*|decisions|contracts|snapshots)$/.test(entry.name)) return [];
    if (entry.isDirectory()) return filesIn(path);
    return /\.(?:[cm]?[jt]sx?|md)$/.test(entry.name) && entry.name !== 'CHANGELOG.md' ? [path] : [];
  });
}
