// Writes the contracts, which must not change unintentionally: node --conditions=@agent-criteria/source
// test/contracts/record.ts [--check] [GROUP...]. With --check nothing is written, and differences cause exit code 1.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { inFolders } from '../corpus/perform.ts';
import { type Contracts, groups, isGroup } from './groups.ts';

const { values, positionals } = parseArgs({ options: { check: { type: 'boolean' } }, allowPositionals: true });
const recorded = join(import.meta.dirname, 'recorded');
const to = values.check === true ? mkdtempSync(join(tmpdir(), 'agent-criteria-contracts-')) : recorded;
const asked = positionals.length === 0 ? Object.keys(groups) : positionals;

let differs = false;
await inFolders(async (newFolder) => {
  for (const name of asked) {
    if (!isGroup(name)) throw new Error(`there is no group "${name}"; there are ${Object.keys(groups).join(', ')}`);
    const begun = performance.now();
    const contracts: Contracts = await groups[name](newFolder);
    rmSync(join(to, name), { recursive: true, force: true });
    for (const [file, text] of Object.entries(contracts)) {
      mkdirSync(dirname(join(to, name, file)), { recursive: true });
      writeFileSync(join(to, name, file), text);
    }
    if (process.env.SHOW_TIMES !== undefined) console.error(Math.round(performance.now() - begun), name);
    if (values.check === true && isDifferent(name)) differs = true;
  }
});
if (values.check === true) rmSync(to, { recursive: true, force: true });
if (differs) console.error('\nIf every line of this is meant: pnpm contracts:record, and commit what it writes.');
process.exit(differs ? 1 : 0);

/** Prints the differences with git. Returns whether there are any. */
function isDifferent(group: string): boolean {
  const [was, is] = [join(recorded, group), join(to, group)];
  if (!existsSync(was)) mkdirSync(was, { recursive: true });
  const { status } = spawnSync('git', ['--no-pager', 'diff', '--no-index', '--stat', '-p', was, is], {
    stdio: 'inherit',
  });
  return status !== 0;
}
