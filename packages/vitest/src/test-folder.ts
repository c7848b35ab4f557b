import { dirname } from 'node:path';
import { expect } from 'vitest';

/** Returns the folder of the current test file. Relative paths are resolved from there, as in imports. */
export function testFolder(): string {
  const { testPath } = expect.getState();
  return testPath === undefined ? process.cwd() : dirname(testPath);
}
