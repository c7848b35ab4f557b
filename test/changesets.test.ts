import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const copy = mkdtempSync(join(tmpdir(), 'agent-criteria-changesets-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

test('a minor release of core is a patch release for its dependents and leaves plugins unchanged', () => {
  const manifests = readdirSync(join(root, 'packages'))
    .map((folder) => join('packages', folder, 'package.json'))
    .filter((file) => existsSync(join(root, file)));
  for (const file of ['package.json', 'pnpm-workspace.yaml', '.changeset/config.json', ...manifests]) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  writeFileSync(join(copy, '.changeset', 'some.md'), `---\n'@agent-criteria/core': minor\n---\n\nSomething new.\n`);

  const bin = join(root, 'node_modules', '@changesets', 'cli', 'bin.js');
  execFileSync(process.execPath, [bin, 'version'], { cwd: copy, stdio: 'pipe' });

  for (const file of manifests) {
    const [before, after] = [root, copy].map((from) => JSON.parse(readFileSync(join(from, file), 'utf8')));
    const [major, minor, patch] = before.version.split('.').map(Number);
    const expected =
      before.name === '@agent-criteria/core'
        ? [major, minor + 1, 0]
        : [major, minor, '@agent-criteria/core' in (before.dependencies ?? {}) ? patch + 1 : patch];
    expect(after).toEqual({ ...before, version: expected.join('.') });
  }
});
