// Runs the corpus commands and writes their snapshots. Started by record.ts.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { groups, isGroup } from './groups.ts';
import { openPerformer } from './perform.ts';

const { values, positionals } = parseArgs({
  options: { to: { type: 'string' }, only: { type: 'string', multiple: true } },
  allowPositionals: true,
});
const to = values.to ?? join(import.meta.dirname, 'snapshots');
const asked = positionals.length === 0 ? Object.keys(groups) : positionals;
const { only } = values;
// Commands have a separate environment.
const isTimed = process.env.SHOW_TIMES !== undefined;

const performer = openPerformer();
try {
  for (const group of asked) {
    if (!isGroup(group)) throw new Error(`there is no group "${group}"; there are ${Object.keys(groups).join(', ')}`);
    if (only === undefined) rmSync(join(to, group), { recursive: true, force: true });
    for (const entry of groups[group]) {
      if (only !== undefined && !only.some((text) => entry.name.includes(text))) continue;
      const file = join(to, group, `${entry.name}.txt`);
      mkdirSync(dirname(file), { recursive: true });
      const begun = performance.now();
      writeFileSync(file, await performer.perform(entry));
      if (isTimed) console.error(Math.round(performance.now() - begun), entry.name);
    }
  }
} finally {
  performer.end();
}
// Handles left open by an agent must not keep the process alive.
process.exit();
