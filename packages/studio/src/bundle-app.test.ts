import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { bundleApp } from './bundle-app.ts';

it('the app loads less than 60 kB for the first view and less than 130 kB more for the editor', async () => {
  const files = await bundleApp();
  const sizes = new Map([...files].map(([name, content]) => [name, gzipSync(content, { level: 9 }).length]));
  /** Lists files together with their static imports. */
  const withImports = (...names: string[]) => {
    const all = new Set(names);
    for (const name of all) {
      const text = Buffer.from(files.get(name) ?? []).toString();
      for (const [, next = ''] of text.matchAll(/(?:from|import)\s*"\.\/([\w.-]+)"/g)) all.add(next);
    }
    return all;
  };
  const sum = (names: Iterable<string>) => [...names].reduce((total, name) => total + (sizes.get(name) ?? 0), 0);
  const [editor = ''] = [...sizes.keys()].filter((name) => name.startsWith('json-editor'));
  const first = withImports('main.js', 'main.css');
  const more = [...withImports(editor)].filter((name) => !first.has(name));
  expect(more).toContain(editor);
  expect(sum(first)).toBeLessThan(60_000);
  expect(sum(more)).toBeLessThan(130_000);
  // The largest of the other views, with its imports.
  const run = [...sizes.keys()].filter((name) => name.startsWith('run-page'));
  expect(run).toHaveLength(1);
  expect(sum(withImports('main.js', 'main.css', ...run))).toBeLessThan(93_000);
});
