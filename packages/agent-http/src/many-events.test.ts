// Long: reads a very large answer in a process of its own.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { allRuns } from '../../../test/runs.ts';

// The heap limit, and the number of events that fills it at eight times their size.
const [megabytes, count] = allRuns ? [400, 50_000] : [160, 20_000];

it('an HTTP agent reads a turn with very many events within eight times their size in memory', () => {
  const fixture = fileURLToPath(new URL('__fixtures__/many-events.ts', import.meta.url));
  const flags = [
    `--max-old-space-size=${megabytes}`,
    '--conditions=@agent-criteria/source',
    '--disable-warning=ExperimentalWarning',
  ];
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, fixture, String(count)], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect([count - 1, count].map((taken) => `${taken} events\n`)).toContain(stdout);
});
