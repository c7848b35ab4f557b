import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parityPage } from '../scripts/parity-page.ts';

it('docs/adk-parity.md is what the packages say', async () => {
  const written = readFileSync(new URL('../docs/adk-parity.md', import.meta.url), 'utf8');
  expect(written, 'run: pnpm parity').toBe(await parityPage());
});
