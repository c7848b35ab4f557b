/**
 * Runs all benchmarks, or the named ones. `--built` means that the build exists and is current. `--smallest` only
 * checks that they start, which takes a few seconds each, without the peers.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { build, root } from './workspace.ts';

// Each runs in a separate process, so that loaded and warm code does not affect the next.
const all = ['rouge', 'trajectory', 'install', 'engine', 'runs', 'judges', 'page', 'analysis', 'loop'];
const named = process.argv.slice(2).filter((argument) => argument !== '--built' && argument !== '--smallest');
const smallest = process.argv.includes('--smallest');
const unknown = named.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`There is no benchmark named ${unknown.join(', ')}. There are: ${all.join(', ')}.`);
  process.exit(2);
}

if (!smallest && !existsSync(join(root, 'bench', 'node_modules'))) {
  console.error('The peers are not installed. Run "npm ci" in bench/ first.');
  process.exit(2);
}

if (!process.argv.includes('--built')) {
  console.log('Building the packages ...');
  await build();
}
console.log(`Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} processors`);
for (const name of named.length > 0 ? named : all) {
  const { status } = spawnSync(process.execPath, [join(root, 'bench', `${name}.ts`)], {
    stdio: 'inherit',
    env: smallest ? { ...process.env, BENCH_SMALLEST: '1' } : process.env,
  });
  if (status !== 0) {
    console.error(`\nThe benchmark ${name} ended with an error.`);
    process.exitCode = 1;
  }
}
