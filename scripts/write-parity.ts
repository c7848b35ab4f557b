import { writeFileSync } from 'node:fs';
import { driveGoldenRows } from '../test/golden-rows/ledger.ts';
import { parityPage } from './parity-page.ts';

const entries = await driveGoldenRows();
const problems = entries.flatMap((entry) => entry.problems);
if (problems.length > 0)
  throw new Error(`golden rows disagree, so that the page cannot be written:\n${problems.join('\n')}`);
writeFileSync(new URL('../docs/adk-parity.md', import.meta.url), await parityPage(entries));
