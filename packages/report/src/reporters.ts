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
import { type MarkdownOptions, markdownReport } from './markdown.ts';
import type { ConsoleOptions } from './style.ts';
import { writeAtomically } from './write-atomically.ts';

/** The options for all reporters. */
export type ReportOptions = ConsoleOptions & MarkdownOptions & CsvOptions & AdkOptions & HtmlReportOptions;

export interface Reporter {
  /** The file extension, including the dot. */
  readonly extension: string;
  /** Generates the report piece by piece. */
  write(run: RunRecord, options?: ReportOptions): AsyncIterable<string>;
}

/** The reporters, by format. */
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

export type Format = keyof typeof reporters;

export function isFormat(name: string): name is Format {
  return Object.hasOwn(reporters, name);
}

/**
 * Writes a report to a file atomically. For ADK's format, the path may also be a folder, which is created if missing
 * and gets one file for each set and variant. It is taken to be a folder if it ends with a slash, is an existing
 * folder, or has no extension and is not an existing file.
 *
 * @returns The paths of the files written.
 * @throws CriteriaError USAGE for an unknown format, or WRITE_FAILED, with advice, if the file cannot be written.
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
