import type { Entry } from '../test/golden-rows/ledger.ts';

/** Returns the section about the golden rows that were run against the product, in Markdown. */
export function goldenRowsSection(entries: readonly Entry[]): string {
  const all = total(entries);
  return `## Which golden rows run

Golden rows were recorded from the code of ADK Python; those of \`statistics/\` were computed with mpmath and exact fractions, and
have a tolerance each. \`test/golden-rows\` holds every row against the product in both modes.
Compat mode must give ADK's number and status bit for bit, except where a line of list B is named. A row that differs by default
must come to exactly what its lines say. A difference without a line, or a line without a difference, fails the tests. Of ${all.rows} rows, ${all.run} run: ${
    all.run - all.differ
  } give by default what ADK gave, and ${all.differ} differ as their lines say. ${all.rows - all.run} do not run, for the reasons below.

| file | rows of | rows | run | differ by default | lines that say why |
| --- | --- | --- | --- | --- | --- |
${mergeStatistics(entries).map(rowOf).join('\n')}

### Rows that do not run

| reason | rows |
| --- | --- |
${[...excusesOf(entries)].map(([reason, count]) => `| ${capitalised(reason)} | ${count} |`).join('\n')}
`;
}

/** Returns the number of rows that are not run, by reason. */
export function excusesOf(entries: readonly Entry[]): ReadonlyMap<string, number> {
  return sum(entries.map(({ excused }) => excused));
}

function rowOf({ file, of, rows, run, differ, differing }: Entry): string {
  const lines = [...differing].map(([line, count]) => `\`${line}\` ${count}`).join(', ');
  return `| ${file} | ${of === null ? 'all' : `\`${of}\``} | ${rows} | ${run} | ${differ} | ${lines} |`;
}

/** Merges the entries about statistics, which have one file per function. */
function mergeStatistics(entries: readonly Entry[]): readonly Entry[] {
  const isStatistics = ({ file }: Entry) => file.startsWith('statistics/');
  const statistics = entries.filter(isStatistics);
  const others = entries.filter((entry) => !isStatistics(entry));
  if (statistics.length === 0) return others;
  const merged = { file: `statistics/ (${statistics.length} files)`, of: null, ...total(statistics), problems: [] };
  return [...others, merged];
}

function total(entries: readonly Entry[]): Omit<Entry, 'file' | 'of' | 'problems'> {
  const of = (count: (entry: Entry) => number) => entries.reduce((found, entry) => found + count(entry), 0);
  return {
    rows: of(({ rows }) => rows),
    run: of(({ run }) => run),
    differ: of(({ differ }) => differ),
    excused: excusesOf(entries),
    differing: sum(entries.map(({ differing }) => differing)),
  };
}

function sum(counts: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [key, count] of counts.flatMap((one) => [...one])) found.set(key, (found.get(key) ?? 0) + count);
  return found;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
