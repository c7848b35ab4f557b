import process from 'node:process';
import type { MiddlewareHandler } from 'hono';

/** Begins every request in the working folder of the start, which relative paths of a project mean: an agent may have changed it. */
export function workingFolder(): MiddlewareHandler {
  const home = process.cwd();
  return async (_c, next) => {
    if (process.cwd() !== home) process.chdir(home);
    return next();
  };
}
