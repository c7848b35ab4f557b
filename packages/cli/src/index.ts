export type { Io } from './io.ts';
export { main } from './main.ts';
export { run } from './run.ts';
