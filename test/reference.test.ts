import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { commandReference } from '../scripts/command-reference.ts';
import { evalConfigReference } from '../scripts/eval-config-reference.ts';
import { withGateTables } from '../scripts/gate-tables.ts';
import { llmsFull, llmsIndex } from '../scripts/llms-texts.ts';
import { withSettingsSection } from '../scripts/settings-section.ts';
import { settingsType } from '../scripts/settings-type.ts';

const written = (page: string) => readFileSync(new URL(`../docs/guide/${page}`, import.meta.url), 'utf8');

it('eval-config-reference.md matches the schemas', async () => {
  expect(written('eval-config-reference.md'), 'run: pnpm reference').toBe(await evalConfigReference());
});

it('command-reference.md matches the commands', () => {
  expect(written('command-reference.md'), 'run: pnpm reference').toBe(commandReference());
});

it('the table of settings in project-config.md matches the list of settings', () => {
  expect(written('project-config.md'), 'run: pnpm reference').toBe(withSettingsSection(written('project-config.md')));
});

it('settings-type.ts matches the list of settings', () => {
  const file = new URL('../packages/project/src/config/settings/settings-type.ts', import.meta.url);
  expect(readFileSync(file, 'utf8'), 'run: pnpm reference').toBe(settingsType());
});

it.each(['how-many.md', 'gates.md'])('the tables of %s match the gates', (page) => {
  expect(written(page)).toContain('<!-- Written by `pnpm reference`');
  expect(written(page), 'run: pnpm reference').toBe(withGateTables(written(page)));
});

it('llms.txt and llms-full.txt match the guide, and have every page of it', () => {
  const root = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
  expect(root('llms.txt'), 'run: pnpm reference').toBe(llmsIndex());
  expect(root('llms-full.txt') === llmsFull(), 'run: pnpm reference').toBe(true);
  const pages = readdirSync(new URL('../docs/guide', import.meta.url)).filter((file) => /(?<!README)\.md$/.test(file));
  for (const page of pages) {
    expect(llmsIndex()).toContain(`(docs/guide/${page}): `);
    expect(llmsFull()).toContain(`<!-- docs/guide/${page} -->\n\n# `);
  }
});
