import fc from 'fast-check';
import { afterAll, vi } from 'vitest';
import { runs } from './runs.ts';

fc.configureGlobal({ numRuns: runs(100) });

// Test files share a worker, so anything that one leaves behind would affect the next.
const folder = process.cwd();
const environment = { ...process.env };

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  const names = new Set([...Object.keys(environment), ...Object.keys(process.env)]);
  const changed = [...names].filter((name) => process.env[name] !== environment[name]);
  if (process.cwd() !== folder) changed.push('the working folder');
  if (changed.length > 0)
    throw new Error(
      `this test file has changed ${changed.join(', ')}: restore it, or start the file with "// Isolated: " and the reason`,
    );
});
