// Reads all old files, and resumes all old runs, with the current code. Writes the results by version to FILE
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { read, readingsOf, versions } from './old-files.ts';
import { inFolders } from './perform.ts';
import { oldRuns, resumeOldRun, type Totals } from './run-folders.ts';

const [file = ''] = process.argv.slice(2);
const facts: Record<string, Record<string, unknown>> = {};
const totals: Record<string, Totals> = {};
await inFolders(async (newFolder) => {
  for (const version of versions) {
    const found: Record<string, unknown> = {};
    for (const reading of readingsOf(version)) found[reading.name] = await read(version, reading, newFolder());
    facts[version] = found;
  }
  for (const run of oldRuns) totals[run.name] = await resumeOldRun('13f4ba6', run, newFolder());
});
writeFileSync(file, JSON.stringify({ facts, totals }));
process.exit();
