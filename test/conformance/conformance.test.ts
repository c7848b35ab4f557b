// Long: answers every row of the conformance suite.
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { readRows } from '@agent-criteria/conformance';
import { expect, it } from 'vitest';
import { runConformance } from '../../packages/conformance/src/run-conformance.ts';

// Asks this project, as a port in a process of its own, every row that other ports are asked.

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const node = [execPath, '--conditions=@agent-criteria/source', '--disable-warning=ExperimentalWarning'];

async function run(...args: readonly string[]) {
  let out = '';
  const code = await runConformance(args, (text) => {
    out += text;
  });
  return { code, out };
}

it('this project answers every row of every kind but judge/ as ADK does, except for five known ones', {
  timeout: 120_000,
}, async () => {
  const { code, out } = await run('--json', '--known', here('known.json'), '--', ...node, here('port.ts'));
  const { others, ...found } = JSON.parse(out);
  const judged = readRows().filter(({ kind }) => kind.startsWith('judge/'));
  const unsupported = others.filter(({ result }: { result: string }) => result === 'unsupported');
  expect(others.filter(({ result }: { result: string }) => result === 'differs')).toEqual([]);
  expect(unsupported.map(({ id }: { id: string }) => id)).toEqual(judged.map(({ id }) => id));
  expect(others.length - unsupported.length).toBe(5);
  expect(found).toMatchObject({ passes: true, staleKnown: [], problems: [] });
  expect(found.agree).toBeGreaterThan(13_000);
  expect(code).toBe(0);
});

it('a port with a wrong answer does not conform, and the place of the difference is shown', async () => {
  const port = `process.stdin.on('data', (chunk) => { for (const line of String(chunk).trim().split('\\n')) {
    const { id } = JSON.parse(line);
    console.log(JSON.stringify({ id, output: { precision: 1, recall: 1, fmeasure: 1 } }));
  } });`;
  const { code, out } = await run('--only', 'rougeL', '--', execPath, '--eval', port);
  expect(code).toBe(1);
  expect(out).toMatch(/^rougeL +\d+ agree, \d+ differ, of 192$/m);
  expect(out).toMatch(/^rougeL\/rL-\d+ \(rougeL\): at \$\.precision: /m);
  expect(out).toContain('It does not conform.');
});

it.each([
  [['--only', 'rouge9', '--', 'x'], 'There is no such kind; kinds are rouge1,'],
  [['--only', 'rouge1'], 'Name the command of the port after --'],
  [['--known', 'no-such-file.json', '--', 'x'], 'no-such-file.json'],
  [['--every', '--', 'x'], "Unknown option '--every'"],
])('the command rejects %j', async (args, message) => {
  const { code, out } = await run(...args);
  expect(out).toContain(message);
  expect(code).toBe(2);
});

it('every row has an id of its own, and an expected answer', () => {
  const rows = readRows();
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  for (const { id, expected } of rows) expect('error' in expected || expected.output !== undefined, id).toBe(true);
});
