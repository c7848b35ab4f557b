import { readFileSync } from 'node:fs';
import type { Measured } from './simulation.ts';
import { simulations } from './simulations.ts';

/** The results of one simulation. */
export interface Results {
  readonly about: string;
  readonly table: 'ranges' | 'columns' | 'rows';
  readonly measured: readonly Measured[];
}

export const measuredFile = new URL('./measured.json', import.meta.url);

/** Reads the results of the full simulations, as last written by `scripts/write-measured.ts`. */
export function readMeasured(): readonly Results[] {
  return JSON.parse(readFileSync(measuredFile, 'utf8'));
}

/** Runs every simulation with this share of its samples, but at least 40. */
export function measure(share: number): readonly Results[] {
  return simulations.map(({ about, table, samples, run }) => {
    const measured = run(samples === 0 ? 0 : Math.max(40, Math.round(samples * share)));
    return { about, table, measured: measured.map((one) => ({ ...one, value: Number(one.value.toFixed(3)) })) };
  });
}

/** Builds the section of README.md with the numbers. */
export function measuredSection(results: readonly Results[]): string {
  return results.map(({ about, table, measured }) => `**${about}**\n\n${tables[table](measured)}`).join('\n\n');
}

const tables: Readonly<Record<Results['table'], (measured: readonly Measured[]) => string>> = {
  ranges: (measured) =>
    markdown(
      ['method', 'settings', 'measured, %', 'allowed'],
      [...new Set(measured.map(({ method }) => method))].map((method) => {
        const own = measured.filter((one) => one.method === method);
        const values = own.map(({ value }) => value);
        const allowed = new Set(own.map(allowedOf));
        const range = `${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)}`;
        return [method, `${own.length}`, range, [...allowed].join('; ')];
      }),
    ),
  columns: (measured) => {
    const methods = [...new Set(measured.map(({ method }) => method))];
    const settings = [...new Set(measured.map(({ setting }) => setting))];
    const valueOf = (setting: string, method: string) =>
      measured.find((one) => one.setting === setting && one.method === method)!.value.toFixed(1);
    return markdown(
      ['%', ...methods],
      settings.map((setting) => [setting, ...methods.map((method) => valueOf(setting, method))]),
    );
  },
  rows: (measured) =>
    markdown(
      ['what', 'setting', 'measured', 'allowed'],
      measured.map((one) => [
        one.method,
        one.setting,
        one.unit === '%' ? `${one.value.toFixed(1)}%` : `${one.value.toFixed(1)} repeats`,
        allowedOf(one),
      ]),
    ),
};

function allowedOf({ allowed: [low, high] }: Measured): string {
  const text = (value: number) => `${Number(value.toFixed(1))}`;
  if (high >= 100) return `at least ${text(low)}`;
  return low <= 0 ? `at most ${text(high)}` : `${text(low)} to ${text(high)}`;
}

/** Builds a table with columns of equal width, as Biome formats them. */
function markdown(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heading.map((_, column) => Math.max(3, ...[heading, ...rows].map((row) => row[column]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [line(heading), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
