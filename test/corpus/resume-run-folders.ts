// Goes on with the runs of run-folders/VERSION and writes what they come to: VERSION FILE
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { inFolders } from './perform.ts';
import { oldRuns, resumeOldRun, type Totals } from './run-folders.ts';

const [version = '', file = ''] = process.argv.slice(2);
const totals: Record<string, Totals> = {};
await inFolders(async (newFolder) => {
  for (const run of oldRuns) totals[run.name] = await resumeOldRun(version, run, newFolder());
});
writeFileSync(file, JSON.stringify(totals));
process.exit();
