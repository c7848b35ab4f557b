import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import type { RunRecord } from '@agent-criteria/results';
import { type HtmlReportOptions, htmlReport } from '@agent-criteria/viewer';
import { type AdkOptions, adkResults, writeAdkResults } from './adk-results.ts';
import { consoleReport } from './console.ts';
import { type CsvOptions, csvReport } from './csv.ts';
import { jsonReport } from './json.ts';
import { junitReport } from './junit.ts';
import type { ConsoleOptions } from './look.ts';
import { type MarkdownOptions, markdownReport } from './markdown.ts';
import { writeAtomically } from './write-atomically.ts';

/** The options of all reporters; each reads its own. */
export type ReportOptions = ConsoleOptions & MarkdownOptions & CsvOptions & AdkOptions & HtmlReportOptions;

/** One way to write a run down. */
export interface Reporter {
  /** What its files end with, with the dot. */
  readonly extension: string;
  /** The report, piece by piece. What it holds in memory does not grow with the number of cases. */
  write(run: RunRecord, options?: ReportOptions): AsyncIterable<string>;
}

/** The reporters by the name of their format. */
export const reporters = {
  console: { extension: '.txt', write: consoleReport },
  json: {
    extension: '.json',
    write: (run: RunRecord, { facts }: Pick<ReportOptions, 'facts'> = {}) => jsonReport(run, { facts }),
  },
  adk: { extension: '.evalset_result.json', write: adkResults },
  junit: { extension: '.xml', write: junitReport },
  markdown: { extension: '.md', write: markdownReport },
  csv: { extension: '.csv', write: csvReport },
  html: { extension: '.html', write: htmlReport },
} as const satisfies Readonly<Record<string, Reporter>>;

/** The name of a format. */
export type Format = keyof typeof reporters;

/** Whether there is a reporter of this name. */
export function isFormat(name: string): name is Format {
  return Object.hasOwn(reporters, name);
}

/**
 * Writes a report to a file, which is there whole or, as it was before, untouched. ADK's format takes a folder in place of a
 * file, which is made where it is missing, and writes one file for each set and variant: a path is a folder that ends in a
 * slash, that has no extension and is no file, or that is one already.
 *
 * @returns the paths of the files that were written.
 * @throws CriteriaError USAGE for a format that there is not; WRITE_FAILED when the file cannot be written, with what to
 * do.
 */
export async function writeReport(
  run: RunRecord,
  format: Format,
  file: string,
  options: ReportOptions = {},
): Promise<readonly string[]> {
  if (!isFormat(format)) {
    const message = `there is no report format "${String(format)}"; use one of ${Object.keys(reporters).join(', ')}`;
    throw new CriteriaError({ code: 'USAGE', message });
  }
  if (format === 'adk' && (await isFolder(file))) {
    return writeAdkResults(run, file, options);
  }
  const reporter: Reporter = reporters[format];
  await writeAtomically(file, reporter.write(run, options));
  return [file];
}

async function isFolder(path: string): Promise<boolean> {
  if (/[/\\]$/.test(path)) return true;
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ?? extname(path) === '';
}
