import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import { type Format, isFormat, reporters } from '@agent-criteria/report';
import { usage } from './arguments.ts';

/** A report that is to be written to a file. */
export interface ReportFile {
  readonly format: Format;
  readonly file: string;
}

/** The names of the formats. */
export const formats = Object.keys(reporters).filter(isFormat);

/** Formats by the extension of their files, which people also use as a name. */
export const formatsByExtension: Readonly<Record<string, Format>> = Object.fromEntries(
  formats.map((name) => [reporters[name].extension.slice(1), name]),
);

/**
 * The reports that a command is to write after its work. Folders that are missing are made when they are written.
 * @throws CriteriaError for an ending of no format, and for a folder that can never be made: said now, nothing is paid for it.
 */
export function reportFiles(files: readonly string[]): ReportFile[] {
  const blocked = files.flatMap((file) => {
    const above = nearestAbove(file);
    return statSync(above).isDirectory() ? [] : [{ file, above }];
  });
  if (blocked.length === 0) return files.map(reportFile);
  throw new CriteriaError(
    blocked.map(({ file, above }) => ({
      code: 'WRITE_FAILED',
      file,
      message: `the report cannot be written: ${above} is a file, not a folder; choose another place`,
    })),
  );
}

/** What is there of the folders of a file. */
function nearestAbove(file: string): string {
  let folder = dirname(file);
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
  return existsSync(folder) ? folder : '.';
}

/** By the ending of its name: the longest that fits. @throws CriteriaError USAGE for an ending of no format. */
export function reportFile(file: string): ReportFile {
  const fitting = formats.filter((name) => file.toLowerCase().endsWith(reporters[name].extension));
  const [format] = fitting.sort((a, b) => reporters[b].extension.length - reporters[a].extension.length);
  if (format !== undefined) return { format, file };
  const endings = formats.map((name) => `${reporters[name].extension} (${name})`).join(', ');
  throw usage(`the extension of "${file}" is not a report format: use one of ${endings}`);
}
