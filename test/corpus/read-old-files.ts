// Reads all old files with the code of today and writes the facts by version: FILE
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { read, readingsOf, versions } from './old-files.ts';
import { inFolders } from './perform.ts';

const [file = ''] = process.argv.slice(2);
const facts: Record<string, Record<string, unknown>> = {};
await inFolders(async (newFolder) => {
  for (const version of versions) {
    const found: Record<string, unknown> = {};
    for (const reading of readingsOf(version)) found[reading.name] = await read(version, reading, newFolder());
    facts[version] = found;
  }
});
writeFileSync(file, JSON.stringify(facts));
process.exit();
