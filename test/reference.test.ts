import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { commandReference } from '../scripts/command-reference.ts';
import { evalConfigReference } from '../scripts/eval-config-reference.ts';

const written = (page: string) => readFileSync(new URL(`../docs/guide/${page}`, import.meta.url), 'utf8');

it('the EvalConfig reference is what the schemas say', async () => {
  expect(written('eval-config-reference.md'), 'run: pnpm reference').toBe(await evalConfigReference());
});

it('the command reference is what the commands say', () => {
  expect(written('command-reference.md'), 'run: pnpm reference').toBe(commandReference());
});
