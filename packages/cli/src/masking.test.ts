// Long: starts the command many times.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { evalCase, evalSet, turn } from './__fixtures__/eval-data.ts';
import { folderOf } from './__fixtures__/folder.ts';
import { BIN, start, startNode } from './__fixtures__/spawned.ts';

const value = 'correct-horse-battery';
const key = `AIza${'Sy0'.repeat(12)}`;
const set = evalSet('s', evalCase('told', turn('Hi', 'Hello')), evalCase('broken', turn('break', 'Hello')));
const leaking = `export const agent = (text) => {
  const told = process.env.SHOP_API_KEY + ' and ${key}, https://me:hunter2@shop';
  if (text === 'break') throw new Error('cannot reach ' + told);
  return { text: 'Hello ' + told, toolCalls: [{ name: 'pay', args: { [told]: JSON.stringify({ told }) } }] };
};`;
const config = { criteria: { response_match_score: 0.1 } };
const files = {
  'agent.mjs': leaking,
  '.env': `SHOP_API_KEY=${value}\n`,
  'a.test.json': set,
  'test_config.json': config,
};

function allFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !(entry.name in files))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
}

describe('secrets', { timeout: 60_000 }, () => {
  const secrets = [value, 'Sy0Sy0', 'hunter2'];
  const reports = ['r.html', 'r.json', 'r.xml', 'r.md', 'r.csv', 'r.txt'].flatMap((file) => ['--output', file]);

  it('from .env and from an agent appear in no file, report or output', async () => {
    const folder = folderOf(files);
    const { code, out, err } = await start(
      ['eval', 'agent.mjs', 'a.test.json', ...reports, '--print_detailed_results'],
      folder,
    ).ended;
    expect([code, err]).toEqual([3, expect.stringContaining('SHOP_API_KEY from')]);
    const texts = [out, err, ...allFiles(folder)];
    expect(texts.length).toBeGreaterThan(10);
    for (const secret of secrets) for (const text of texts) expect(text).not.toContain(secret);
    expect(out).toContain(
      'Hello [masked: SHOP_API_KEY] and [masked: Google API key], https://me:[masked: password]@shop',
    );
    expect(out).toMatch(/^\d+ secrets were masked before anything was saved or judged: /m);
    for (const file of ['r.html', 'r.json', 'r.xml', 'r.md', 'r.csv', 'r.txt']) {
      expect(readFileSync(join(folder, file), 'utf8')).toContain('[masked: SHOP_API_KEY]');
    }
  });

  // Node's parser ends a value at #; this test's agent, like a shell, does not.
  it.each([value, 'short#and-then-the-rest-of-it'])(
    'from .env, written as %s, are masked even if the environment overrides them',
    async (secret) => {
      const reading = `import { readFileSync } from 'node:fs';
const own = () => readFileSync(new URL('.env', import.meta.url), 'utf8').match(/SHOP_API_KEY=(.*)/)[1];
export const agent = async (text) => {
  if (text === 'break') throw new Error('cannot use ' + own());
  Promise.reject(new Error('stray ' + own()));
  await new Promise((done) => setTimeout(done, 20));
  return 'Hello ' + own();
};`;
      const folder = folderOf({ ...files, '.env': `SHOP_API_KEY=${secret}\n`, 'agent.mjs': reading });
      const environment = { ...process.env, SHOP_API_KEY: 'what-is-set-before' };
      const { out, err } = await startNode(
        [BIN, 'eval', 'agent.mjs', 'a.test.json', '--print_detailed_results'],
        folder,
        environment,
      ).ended;
      for (const text of [out, err, ...allFiles(folder)]) expect(text).not.toContain(secret.slice(6));
      expect(out).toContain('cannot use [masked: SHOP_API_KEY]');
      expect(err).toContain('stray [masked: SHOP_API_KEY]');
    },
  );

  it('are not masked with --no-masking', async () => {
    const folder = folderOf(files);
    const { out } = await start(
      ['eval', 'agent.mjs', 'a.test.json', '--no_masking', '--print_detailed_results'],
      folder,
    ).ended;
    expect(out).toContain(`Hello ${value} and ${key}`);
    expect(out).not.toContain('masked');
  });

  it('are masked in the error for an agent that cannot be loaded', async () => {
    const broken = `throw new Error('no answer for ' + process.env.SHOP_API_KEY + ', ${key}');`;
    const { code, out, err } = await start(
      ['eval', 'agent.mjs', 'a.test.json'],
      folderOf({ ...files, 'agent.mjs': broken }),
    ).ended;
    expect(code).toBe(2);
    expect(err).toContain('no answer for [masked: SHOP_API_KEY], [masked: Google API key]');
    for (const secret of secrets) expect(out + err).not.toContain(secret);
  });
});
