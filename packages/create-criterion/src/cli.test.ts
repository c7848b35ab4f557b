import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const cli = fileURLToPath(new URL('./cli.ts', import.meta.url));
const cwd = mkdtempSync(join(tmpdir(), 'create-criterion-cli-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

function create(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { cwd, encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('the command prints the files that it created and the next steps, and rejects an existing folder', () => {
  expect(create('tone')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('cd tone\n  npm install\n  npm test'),
  });
  expect(create('tone')).toMatchObject({ status: 2, stderr: expect.stringContaining('already exists') });
});

test('the command prints its help', () => {
  expect(create('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('Usage'), stderr: '' });
});

test.each([[[]], [['a', 'b']], [['--wrong', 'tone']], [['Tone']]])(
  'the command exits with code 2 for the arguments %j',
  (args) => {
    expect(create(...args)).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/Usage|is not a name/),
    });
  },
);
