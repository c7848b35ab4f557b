import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it('a turn of 50,000 events of 1 kB takes no gigabyte of memory', () => {
  const fixture = fileURLToPath(new URL('__fixtures__/many-events.ts', import.meta.url));
  const flags = [
    '--max-old-space-size=400',
    '--conditions=@agent-criteria/source',
    '--disable-warning=ExperimentalWarning',
  ];
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, fixture], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^(?:49999|50000) events\n$/);
});
