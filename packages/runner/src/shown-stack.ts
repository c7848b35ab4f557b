import { isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ErrorInfo, Inference } from '@agent-criteria/core';

/** Limits of what is kept of a stack: frames, and characters of its message and of each frame. */
const MOST_FRAMES = 50;
const LONGEST_MESSAGE = 4000;
const LONGEST_FRAME = 500;

const FRAME = /^\s+at /;
/** Matches the file of a frame: as a URL, or as an absolute path of either kind of system. */
const FILE = /(?<=\(|at (?:async )?)(?:file:\/\/\/|\/|[A-Za-z]:[\\/])[^()]*(?=:\d+:\d+\)?$)/;

/**
 * Writes a stack as it can be shown to others: files of the project relative to its folder, those of packages from their
 * `node_modules`, and of all others only the name, after `…/`. Long stacks are cut.
 *
 * @param folders Folders of the project. The first one that has the file counts.
 */
export function shownStack(stack: string, folders: readonly string[]): string {
  const lines = stack.split('\n');
  const first = lines.findIndex((line) => FRAME.test(line));
  const message = cut((first === -1 ? lines : lines.slice(0, first)).join('\n'), LONGEST_MESSAGE);
  const frames = first === -1 ? [] : lines.slice(first).filter((line) => line.trim() !== '');
  const shown = frames.slice(0, MOST_FRAMES).map((line) =>
    cut(
      line.replace(FILE, (file) => shownFile(file, folders)),
      LONGEST_FRAME,
    ),
  );
  const more = frames.length - shown.length;
  return [message, ...shown, ...(more > 0 ? [`    … ${more} more`] : [])].join('\n');
}

function shownFile(given: string, folders: readonly string[]): string {
  const file = pathOf(given);
  // Installed packages may be inside the project, in a folder with their version.
  const installed = /^.*[\\/](node_modules[\\/].*)$/.exec(file)?.[1];
  if (installed !== undefined) return slashed(installed);
  for (const folder of folders) {
    const inside = relative(folder, file);
    if (inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside))
      return slashed(inside);
  }
  return `…/${file.split(/[\\/]/).at(-1) ?? ''}`;
}

/** Returns the path of a file, without the query with which a changed module is imported once more. */
function pathOf(file: string): string {
  if (!file.startsWith('file:')) return file;
  try {
    return fileURLToPath(file.replace(/[?#].*$/, ''));
  } catch {
    return file;
  }
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/');
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** Writes the stacks of an inference as they can be shown to others. */
export function withShownStacks(inference: Inference, folders: readonly string[]): Inference {
  const shown = (error: ErrorInfo): ErrorInfo =>
    error.stack === undefined ? error : { ...error, stack: shownStack(error.stack, folders) };
  const { ending, trace } = inference;
  const isFailed = trace?.some(({ error }) => error?.stack !== undefined) === true;
  return {
    ...inference,
    ...(isFailed
      ? { trace: trace.map((span) => (span.error === undefined ? span : { ...span, error: shown(span.error) })) }
      : {}),
    ending: ending.by === 'error' ? { ...ending, error: shown(ending.error) } : ending,
  };
}
