import { fileURLToPath } from 'node:url';

/** Matches stack frames that come from installed copies of our packages. */
const INSTALLED = /[\\/]node_modules[\\/]@agent-criteria[\\/]/;

/** The folder of our packages in a checkout, as a URL and as a path. Frames there contain no `node_modules`. */
const CHECKOUT = ownFolder();

/** Returns our folder in a checkout, or nothing in a user's bundle, whose frames may come from the user's code. */
function ownFolder(): readonly string[] {
  // `import.meta.url` is undefined in a CommonJS bundle.
  const url: string | undefined = import.meta.url;
  const [, folder] = /^(.*\/packages\/)project\/(?:src\/files|dist)\/[^/]+$/.exec(url ?? '') ?? [];
  return folder === undefined ? [] : [folder, fileURLToPath(folder)];
}

/** Matches stack frames of Node and of the TypeScript loader, which do not help a module's author. */
const MACHINERY = /\(?node:|[\\/]node_modules[\\/](?:.*[\\/])?jiti[\\/]/;

/**
 * Returns the message of an error with the frames of the user's code that precede our call to it. Returns only the
 * message if there is no stack.
 */
export function userStack(error: { readonly message: string; readonly stack?: string | undefined }): string {
  const lines = (error.stack ?? error.message).split('\n');
  const firstFrame = lines.findIndex(isFrame);
  if (firstFrame === -1) return lines.join('\n').trimEnd();
  const head = lines.slice(0, firstFrame);
  const frames = lines.slice(firstFrame);
  const ours = frames.findIndex((line) => INSTALLED.test(line) || CHECKOUT.some((folder) => line.includes(folder)));
  const theirs = frames
    .slice(0, ours === -1 ? frames.length : ours)
    .filter((line) => isFrame(line) && !MACHINERY.test(line));
  return [...head, ...theirs].join('\n').trimEnd();
}

/**
 * Returns the location in the user's code that threw, as `path:line:column`, or `undefined` if no frame is the user's.
 */
export function userPlace(error: {
  readonly message: string;
  readonly stack?: string | undefined;
}): string | undefined {
  const frame = userStack(error).split('\n').find(isFrame) ?? '';
  const [, path, place] = /(?:\(|at (?:async )?)([^()]+?)(:\d+:\d+)\)?$/.exec(frame) ?? [];
  if (path === undefined || place === undefined) return placeInSource(error.stack ?? '');
  return (path.startsWith('file:') ? fileURLToPath(path) : path) + place;
}

/** Returns the place of a syntax error, which has no frame: the first line of its stack, before the line of source. */
function placeInSource(stack: string): string | undefined {
  const [, url, line] = /^(file:\S+):(\d+)\n/.exec(stack) ?? [];
  return url === undefined ? undefined : `${fileURLToPath(url)}:${line}`;
}

function isFrame(line: string): boolean {
  return /^\s+at /.test(line);
}
