import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../../packages/conformance/rows/', import.meta.url);

/** Rows that belong together: those of a file, or of one function or area in it. */
export interface GoldenGroup {
  /** The path in the rows of packages/conformance. */
  readonly file: string;
  /** The `fn` or `area` of its rows, or `null` for a file with a single kind of rows. */
  readonly of: string | null;
  readonly rows: readonly GoldenRow[];
}

export interface GoldenRow {
  readonly id: string;
  /** The row as it is in the file. */
  readonly row: unknown;
  readonly isLossy: boolean;
  /** Whether it contains two integers beyond 2^53 that JSON.parse cannot tell apart. */
  readonly mixesIntegers: boolean;
}

let read: readonly GoldenGroup[] | undefined;

/** Returns every row of every golden file, by file and group. The files are read once. */
export function goldenGroups(): readonly GoldenGroup[] {
  read ??= readGroups();
  return read;
}

function readGroups(): readonly GoldenGroup[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'));
  return files
    .filter((file) => /\.jsonl?$/.test(file))
    .toSorted()
    .flatMap(groupsOf);
}

interface Named {
  readonly id: string;
  readonly fn?: string;
  readonly area?: string;
  readonly notes?: string;
  /** The text of its line in a JSONL file. */
  readonly $line?: string;
}

function groupsOf(file: string): readonly GoldenGroup[] {
  const groups = new Map<string | null, Named[]>();
  for (const row of rowsOf(file)) {
    const name = row.fn ?? row.area ?? null;
    const own = groups.get(name);
    if (own === undefined) groups.set(name, [row]);
    else own.push(row);
  }
  // A statistics file covers one function, after which it is named.
  const isOne = groups.size === 1;
  return [...groups].map(([name, rows]) => ({
    file,
    of: isOne ? null : name,
    rows: rows.map(({ $line, ...row }) => ({
      id: row.id,
      row,
      isLossy: row.notes?.startsWith('js-lossy') === true,
      mixesIntegers: mixesIntegers($line),
    })),
  }));
}

function rowsOf(file: string): readonly Named[] {
  const text = readFileSync(new URL(file, folder), 'utf8');
  if (file.endsWith('.jsonl')) {
    const lines = text.trimEnd().split('\n');
    return lines.map((text, index) => {
      const row: Named = JSON.parse(text);
      return { ...row, id: row.id ?? `${index + 1}`, $line: text };
    });
  }
  const whole: readonly Named[] | Readonly<Record<string, string>> = JSON.parse(text);
  if (isList(whole)) return whole;
  return Object.entries(whole).map(([word, stem]) => ({ id: word, word, stem }));
}

function mixesIntegers(line = ''): boolean {
  const found = line.replace(/"(?:[^"\\]|\\.)*"/g, '').match(/(?<![\d.eE])\d{16,}(?![\d.eE])/g) ?? [];
  const written = new Set(found);
  return new Set([...written].map(Number)).size < written.size;
}

function isList(whole: readonly Named[] | Readonly<Record<string, string>>): whole is readonly Named[] {
  return Array.isArray(whole);
}
