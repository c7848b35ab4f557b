import { dirname } from 'node:path';
import { expect } from 'vitest';

/** The folder of the test file that runs now: what relative paths start from, as those of imports do. */
export function testFolder(): string {
  const { testPath } = expect.getState();
  return testPath === undefined ? process.cwd() : dirname(testPath);
}
