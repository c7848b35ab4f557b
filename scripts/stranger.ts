/**
 * Tests the first hour of a new user: every package is packed and used from its tarball in empty folders outside this
 * repository, with npm and with pnpm, as the guide describes. The build must exist and be current.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packAll } from './artefacts/pack.ts';
import { managers } from './stranger/manager.ts';
import { openProject } from './stranger/project.ts';
import { scenarios } from './stranger/scenarios.ts';

const started = performance.now();
const work = mkdtempSync(join(tmpdir(), 'agent-criteria-stranger-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

function say(text: string): void {
  console.log(`${`${((performance.now() - started) / 1000).toFixed(0)} s`.padStart(6)}  ${text}`);
}

const only = process.argv[2];
const chosen = Object.entries(scenarios).filter(([name]) => only === undefined || name.includes(only));
const folder = join(work, 'tarballs');
mkdirSync(folder);
const tarballs = await packAll(folder);
say(`${tarballs.length} packages are packed.`);

let failed = chosen.length === 0 ? 1 : 0;
// Runs both managers at once, because each mostly waits for the network and the disk.
await Promise.all(
  managers.map(async (manager) => {
    for (const [index, [name, scenario]] of chosen.entries()) {
      const what = `${manager.name.padEnd(4)}  ${name}`;
      try {
        const done = await scenario(openProject(join(work, manager.name, `${index}`), manager, tarballs));
        say(`ok    ${what}: ${done}`);
      } catch (error) {
        failed += 1;
        say(`FAIL  ${what}\n${String((error as Error).stack ?? error).replace(/^/gm, '          ')}`);
      }
    }
  }),
);
say(failed === 0 ? 'A stranger’s first hour goes well.' : `${failed} of ${chosen.length * managers.length} failed.`);
process.exitCode = failed === 0 ? 0 : 1;
