import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Installs what the tests here need, unless it is there already. It has a folder of its own because it weighs 310 MB, and
// nothing else needs it. (The overrides of package.json: what @google/adk-devtools 2.0.0 asks for cannot all be had.)

const folder = import.meta.dirname;
const stamp = join(folder, 'node_modules', '.installed-lock');
const lock = createHash('sha256')
  .update(readFileSync(join(folder, 'package-lock.json')))
  .digest('hex');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
  console.log('Installing @google/adk-devtools into test/real-adk …');
  const arguments_ = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', arguments_, {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, lock);
}
