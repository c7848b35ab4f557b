import { writeFileSync } from 'node:fs';
import { commandReference } from './command-reference.ts';
import { evalConfigReference } from './eval-config-reference.ts';

const guide = new URL('../docs/guide/', import.meta.url);
writeFileSync(new URL('eval-config-reference.md', guide), await evalConfigReference());
writeFileSync(new URL('command-reference.md', guide), commandReference());
