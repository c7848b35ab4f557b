import { writeFileSync } from 'node:fs';
import { parityPage } from './parity-page.ts';

writeFileSync(new URL('../docs/adk-parity.md', import.meta.url), await parityPage());
