import { readFileSync, writeFileSync } from 'node:fs';
import { configSchema } from '../packages/project/src/config/config-schema.ts';
import { commandReference } from './command-reference.ts';
import { evalConfigReference } from './eval-config-reference.ts';
import { withGateTables } from './gate-tables.ts';
import { llmsFull, llmsIndex } from './llms-texts.ts';
import { withSettingsSection } from './settings-section.ts';
import { settingsType } from './settings-type.ts';

const root = new URL('../', import.meta.url);
const write = (file: string, text: string) => writeFileSync(new URL(file, root), text);
const projectConfig = 'docs/guide/project-config.md';

write('docs/guide/eval-config-reference.md', await evalConfigReference());
write('docs/guide/command-reference.md', commandReference());
write(projectConfig, withSettingsSection(readFileSync(new URL(projectConfig, root), 'utf8')));
for (const page of ['docs/guide/how-many.md', 'docs/guide/gates.md']) {
  write(page, withGateTables(readFileSync(new URL(page, root), 'utf8')));
}
// After the pages that they are made of.
write(
  'packages/cli/skills/agent-criteria/SKILL.md',
  readFileSync(new URL('skills/agent-criteria/SKILL.md', root), 'utf8'),
);
write('llms.txt', llmsIndex());
write('llms-full.txt', llmsFull());
write('packages/project/src/config/settings/settings-type.ts', settingsType());
write('packages/project/schemas/agent-criteria.config.schema.json', `${JSON.stringify(configSchema(), null, 2)}\n`);
