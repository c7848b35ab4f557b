import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

// The page lists the features of ADK's documented web UI that the studio has, and the tests that demonstrate them.

const page = readFileSync(fileURLToPath(new URL('../docs/studio-parity.md', import.meta.url)), 'utf8');
const [shown = '', missing = ''] = page.split(/\n## (?:Not yet|Beside other tools)\n/);

interface Row {
  readonly statement: string;
  readonly where: string;
  readonly tests: string;
}

function rowsOf(text: string): readonly Row[] {
  const lines = text.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| ---'));
  return lines
    .map((line) =>
      line
        .slice(1, -1)
        .split(' | ')
        .map((cell) => cell.trim()),
    )
    .map(([statement = '', where = '', tests = '']) => ({ statement, where, tests }))
    .filter(({ statement }) => statement !== "ADK's pages");
}

/** Whether a file has a test, or a group of tests, with this title. */
function hasTest(file: string, title: string): boolean {
  const written = [`'${title}'`, `"${title}"`, `\`${title}\``];
  const calls = /\b(?:it|test|describe)\b[^;]*?\(\s*(?=['"`])/g;
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(calls)].some((call) => {
    const after = text.slice(call.index + call[0].length);
    return written.some((one) => after.startsWith(`${one},`));
  });
}

describe('docs/studio-parity.md', () => {
  const rows = rowsOf(shown);

  it('has one row for every statement', () => {
    expect(rows.length).toBeGreaterThan(50);
    expect(new Set(rows.map(({ statement }) => statement)).size).toBe(rows.length);
  });

  it.each(rows)('refers to existing tests: $statement', ({ where, tests }) => {
    expect(where).not.toBe('');
    const named = tests.split('<br>').map((one) => /^\[([^\]]+)\]\(\.\.\/([^)]+)\): “([^”]+)”$/.exec(one));
    for (const match of named) {
      const [, name = '', path = '', title = ''] = match ?? [];
      const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
      expect(path.endsWith(`/${name}`), tests).toBe(true);
      expect(existsSync(file), path).toBe(true);
      expect(hasTest(file, title), `${path} has no test “${title}”`).toBe(true);
    }
  });

  it('gives a reason for each missing feature', () => {
    const none = rowsOf(missing);
    expect(none.length).toBeGreaterThan(0);
    for (const { statement, where } of none) expect(where, statement).toMatch(/\w.*\.$/);
  });
});
