import type { CellResult } from './simulate.ts';

/** Formats all tables in Markdown: a row for each cell, shares in %, widths in points. */
export function tablesOf(results: readonly CellResult[]): string {
  const tables = [...new Set(results.map(({ table }) => table))];
  return tables
    .map((table) => {
      const own = results.filter((one) => one.table === table);
      const columns = [...new Set(own.flatMap((one) => Object.keys(one.columns)))].filter((column) =>
        own.some((one) => (one.columns[column]?.of ?? 0) > 0),
      );
      const rows = own.map((one) => [one.cell, ...columns.map((column) => cellText(one, column))]);
      const draws = [...new Set(own.map((one) => one.draws))].join(' or ');
      return `**${table}** (${draws} draws each, %)\n\n${markdown([table === '' ? 'cell' : 'setting', ...columns], rows)}`;
    })
    .join('\n\n');
}

function cellText({ columns }: CellResult, column: string): string {
  const own = columns[column];
  return own === undefined || own.of === 0 ? '-' : (own.mean * 100).toFixed(1);
}

/** Formats a table with aligned columns, as Biome does. */
export function markdown(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heading.map((_, column) =>
    Math.max(3, ...[heading, ...rows].map((row) => (row[column] as string).length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] as number)).join(' | ')} |`;
  return [line(heading), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
