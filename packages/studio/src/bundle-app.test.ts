import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { bundleApp } from './bundle-app.ts';

it('loads less than 60 kB for the first view, and less than 130 kB more for the editor', async () => {
  const files = await bundleApp();
  const sizes = new Map([...files].map(([name, content]) => [name, gzipSync(content, { level: 9 }).length]));
  const text = (name: string) => Buffer.from(files.get(name) ?? []).toString();
  // What the first view imports at once, and what that imports.
  const first = new Set(['main.js', 'main.css']);
  for (const name of first) {
    for (const [, next = ''] of text(name).matchAll(/(?:from|import)\s*"\.\/([\w.-]+)"/g)) first.add(next);
  }
  const sum = (names: Iterable<string>) => [...names].reduce((total, name) => total + (sizes.get(name) ?? 0), 0);
  const later = [...sizes.keys()].filter((name) => !first.has(name));
  expect(later.filter((name) => name.startsWith('json-editor'))).toHaveLength(1);
  expect(text('main.js')).not.toContain('cm-editor');
  expect(sum(first)).toBeLessThan(60_000);
  expect(sum(later)).toBeLessThan(130_000);
});
