import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('published files import node-fs.ts, so that none of them loads the promises API of node:fs', () => {
  const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|__fixtures__|^testing\b/.test(file))
    .map((file) => [file, readFileSync(join(import.meta.dirname, file), 'utf8')] as const);
  expect(sources.filter(([, text]) => /from 'node:fs(\/promises)?'/.test(text)).map(([file]) => file)).toEqual([]);
});
