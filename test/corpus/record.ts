// Rewrites snapshots/: pnpm corpus:record [GROUP]... [--only TEXT]... [--to FOLDER]
import process from 'node:process';
import { start } from './start.ts';

await start('write-snapshots.ts', process.argv.slice(2));
