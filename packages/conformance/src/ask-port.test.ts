import { execPath } from 'node:process';
import { describe, expect, it } from 'vitest';
import { askPort } from './ask-port.ts';
import { checkAnswers } from './check-answers.ts';
import type { Row } from './rows.ts';

// Ports are real child processes.

const textOf = (id: string) => `${id} ü \u2028 ${'x'.repeat(40_000)}`;
const rows: readonly Row[] = ['a', 'b', 'c'].map((id) => ({
  id,
  kind: 'echo',
  input: textOf(id),
  expected: { output: textOf(id) },
}));

/** Asks a port whose script gets each row as `row`, and writes with `write`. */
function ask(script: string, timeout?: number) {
  const code = `
    const write = (value) => process.stdout.write((typeof value === 'string' ? value : JSON.stringify(value)) + '\\n');
    let rest = '';
    process.stdin.setEncoding('utf8').on('data', (chunk) => {
      const lines = (rest + chunk).split('\\n');
      rest = lines.pop();
      for (const row of lines.map((line) => JSON.parse(line))) { ${script} }
    });`;
  return askPort(rows, { command: [execPath, '--eval', code], timeout });
}

const results = ({ answers }: Awaited<ReturnType<typeof ask>>) =>
  checkAnswers(rows, answers).rows.map(({ result }) => result);

describe('askPort', () => {
  it('sends each row and reads its output, in any order', async () => {
    const found = await ask(`globalThis.all = [row, ...(globalThis.all ?? [])];
      if (all.length === 3) for (const { id, input } of all) write({ id, output: input });`);
    expect(found.problems).toEqual([]);
    expect(results(found)).toEqual(['agrees', 'agrees', 'agrees']);
  });

  it('reads errors and kinds that the port does not support', async () => {
    const found = await ask(`write(row.id === 'a' ? { id: 'a', error: 'no' } : { id: row.id, unsupported: true });`);
    expect(results(found)).toEqual(['differs', 'unsupported', 'unsupported']);
  });

  it.each([
    ['prose', `write('Hello');`, 'a line that is no answer: Hello'],
    ['an answer without output', `write({ id: row.id });`, 'a line that is no answer'],
    ['an answer to another question', `write({ id: 'z', output: 1 });`, 'answered "z", which was not asked'],
    ['two answers', `write({ id: row.id, output: 1 });`, 'answered "a" twice'],
  ])('reports %s and goes on', async (_what, extra, problem) => {
    const found = await ask(`if (row.id === 'a') { ${extra} } write({ id: row.id, output: row.input });`);
    expect(found.problems.join('\n')).toContain(problem);
    expect(results(found).slice(1)).toEqual(['agrees', 'agrees']);
  });

  it('reports a port that ends early, and the rows without an answer', async () => {
    const found = await ask(`if (row.id === 'b') process.exit(7); write({ id: row.id, output: row.input });`);
    expect(found.problems).toEqual(['it ended with exit code 7']);
    expect(results(found).slice(1)).toEqual(['missing', 'missing']);
  });

  it('ends a port that gives no answer in time', async () => {
    const found = await ask('setInterval(() => undefined, 1000);', 300);
    expect(found.problems[0]).toBe('it gave no answer for 0.3 seconds');
    expect(results(found)).toEqual(['missing', 'missing', 'missing']);
  });

  it('reports a command that does not exist', async () => {
    const { problems } = await askPort(rows, { command: ['no-such-command-here'] });
    expect(problems).toEqual([expect.stringContaining('it could not be started')]);
  });
});

describe('checkAnswers', () => {
  const answers = new Map([
    ['a', { output: textOf('a') }],
    ['b', { output: 1 }],
    ['c', { unsupported: true as const }],
  ]);

  it('passes with known differences, if some row agrees', () => {
    expect(checkAnswers(rows, answers, { b: 'a reason' })).toMatchObject({ passes: true, staleKnown: [] });
    expect(checkAnswers(rows, answers).passes).toBe(false);
  });

  it('does not pass with a known difference that does not exist, or if nothing agrees', () => {
    expect(checkAnswers(rows, answers, { b: 'a reason', a: 'another' })).toMatchObject({
      passes: false,
      staleKnown: ['a'],
    });
    const nothing = new Map(rows.map(({ id }) => [id, { unsupported: true as const }]));
    expect(checkAnswers(rows, nothing).passes).toBe(false);
  });

  it('accepts any error where one is expected, and nothing else', () => {
    const row: Row = { id: 'e', kind: 'k', input: 1, expected: { error: true } };
    expect(checkAnswers([row], new Map([['e', { error: 'any' }]])).passes).toBe(true);
    expect(checkAnswers([row], new Map([['e', { output: null }]])).rows[0]?.detail).toContain('an error is expected');
  });
});
