import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { generatedFiles } from '../../scripts/generated-files.ts';

const folder = new URL('../../', import.meta.url);

it.each(Object.entries(generatedFiles()))('%s is up to date (else run pnpm models)', (file, text) => {
  expect(readFileSync(new URL(file, folder), 'utf8')).toBe(text);
});
