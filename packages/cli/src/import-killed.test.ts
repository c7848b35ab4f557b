// Long: kills the command and imports a large file.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { capture } from './__fixtures__/captured-io.ts';
import { folderOf } from './__fixtures__/folder.ts';
import { start } from './__fixtures__/spawned.ts';

const CONVERSATIONS = 6000;

const log = Array.from({ length: CONVERSATIONS }, (_, index) =>
  JSON.stringify({
    id: `c${index}`,
    messages: [
      { role: 'user', content: `How warm is room ${index}?` },
      { role: 'assistant', content: `It is ${index % 40} degrees.` },
    ],
    ...(index % 2 === 0 ? { label: 'pass' } : {}),
  }),
).join('\n');

const runIn = (runs: string): string => join(runs, readdirSync(runs)[0] ?? '');

/** Returns what a run holds, without what differs between two imports of the same files. */
function contentsOf(folder: string) {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const { id: _, createdAt: __, ...plan } = JSON.parse(read('plan.json'));
  return {
    files: readdirSync(folder).sort(),
    blobs: readdirSync(join(folder, 'blobs')).sort(),
    plan,
    inferences: read('inferences.jsonl'),
    labels: read('labels.jsonl').replaceAll(/"at":\d+/g, '"at":0'),
  };
}

it('an import that was killed is continued by the same command, and the run is that of an import without the kill', async () => {
  const folder = folderOf({ 'log.jsonl': log });
  const [undisturbed, disturbed] = ['a', 'b'].map((name) => join(folder, name)) as [string, string];
  const command = (runs: string) => ['import', 'log.jsonl', '--runs-folder', runs];
  const { code } = await start(command(undisturbed), folder).ended;
  expect(code).toBe(0);

  const killed = start(command(disturbed), folder);
  const written = () => {
    const file = existsSync(disturbed) ? join(runIn(disturbed), 'inferences.jsonl') : '';
    return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  };
  while (written() < 60_000) await sleep(1);
  killed.child.kill('SIGKILL');
  await killed.ended;
  expect(existsSync(join(runIn(disturbed), 'plan.json'))).toBe(false);

  const again = await start([...command(disturbed), '--json'], folder).ended;
  expect([again.code, again.err]).toEqual([0, 'Continuing the import of these files that was cut off.\n']);
  const { found, conversations } = JSON.parse(again.out);
  expect(conversations).toBe(CONVERSATIONS);
  expect(found).toBeGreaterThan(50);
  expect(found).toBeLessThan(CONVERSATIONS);
  expect(readdirSync(disturbed)).toHaveLength(1);
  expect(contentsOf(runIn(disturbed))).toEqual(contentsOf(runIn(undisturbed)));
  const { out } = await capture(['runs', '--runs-folder', disturbed, '--json']);
  expect(JSON.parse(out)).toHaveLength(1);
}, 60_000);
