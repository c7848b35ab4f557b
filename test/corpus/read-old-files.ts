// Reads the files of old-files/VERSION with the code of today and writes the facts: VERSION FILE
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { read, readingsOf } from './old-files.ts';
import { inFolders } from './perform.ts';

const [version = '', file = ''] = process.argv.slice(2);
const facts: Record<string, unknown> = {};
await inFolders(async (newFolder) => {
  for (const reading of readingsOf(version)) {
    const begun = performance.now();
    facts[reading.name] = await read(version, reading, newFolder());
    if (process.env.SHOW_TIMES !== undefined) console.error(Math.round(performance.now() - begun), reading.name);
  }
});
writeFileSync(file, JSON.stringify(facts));
process.exit();
