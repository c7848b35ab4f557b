import { dirname } from 'node:path';
import { expect } from 'vitest';

/** The folder of the current test file, which relative paths start from, like those of imports. */
export function testFolder(): string {
  const { testPath } = expect.getState();
  return testPath === undefined ? process.cwd() : dirname(testPath);
}
