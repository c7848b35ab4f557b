import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import { type Format, isFormat, reporters } from '@agent-criteria/report';
import { usage } from './arguments.ts';

export interface ReportFile {
  readonly format: Format;
  readonly file: string;
}

export const formats = Object.keys(reporters).filter(isFormat);

/** Formats by file extension. People also use extensions as format names. */
export const formatsByExtension: Readonly<Record<string, Format>> = Object.fromEntries(
  formats.map((name) => [reporters[name].extension.slice(1), name]),
);

/**
 * Checks a command's report files before it starts its work, so that no work is paid for in vain. Missing folders are
 * created on writing.
 * @throws CriteriaError for an extension without a format, and for a folder that cannot be created.
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

function nearestAbove(file: string): string {
  let folder = dirname(file);
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
  return existsSync(folder) ? folder : '.';
}

/** Chooses the format by the longest matching extension. @throws CriteriaError USAGE if none matches. */
export function reportFile(file: string): ReportFile {
  const fitting = formats.filter((name) => file.toLowerCase().endsWith(reporters[name].extension));
  const [format] = fitting.sort((a, b) => reporters[b].extension.length - reporters[a].extension.length);
  if (format !== undefined) return { format, file };
  const endings = formats.map((name) => `${reporters[name].extension} (${name})`).join(', ');
  throw usage(`the extension of "${file}" is not a report format: use one of ${endings}`);
}
