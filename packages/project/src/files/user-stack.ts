import { fileURLToPath } from 'node:url';

/** Matches frames of our packages where they are installed. */
const INSTALLED = /[\\/]node_modules[\\/]@agent-criteria[\\/]/;

/** The folder of our packages in a checkout, where no `node_modules` identifies them, as a URL and as a path. */
const CHECKOUT = ownFolder();

/** Returns our folder, or nothing if the code is in a user's bundle, where frames may be theirs. */
function ownFolder(): readonly string[] {
  // A CommonJS bundle has no such URL.
  const url: string | undefined = import.meta.url;
  const [, folder] = /^(.*\/packages\/)project\/(?:src\/files|dist)\/[^/]+$/.exec(url ?? '') ?? [];
  return folder === undefined ? [] : [folder, fileURLToPath(folder)];
}

/** Matches frames of Node and of the TypeScript loader, which do not help a module's author. */
const MACHINERY = /\(?node:|[\\/]node_modules[\\/](?:.*[\\/])?jiti[\\/]/;

/**
 * Returns the message of an error and the frames of the user's code, down to our call to it. Returns only the message
 * if there is no stack.
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

/** Returns the place in the user's code that threw, as `path:line:column`, or `undefined` if no frame is theirs. */
export function userPlace(error: {
  readonly message: string;
  readonly stack?: string | undefined;
}): string | undefined {
  const frame = userStack(error).split('\n').find(isFrame) ?? '';
  const [, path, place] = /(?:\(|at (?:async )?)([^()]+?)(:\d+:\d+)\)?$/.exec(frame) ?? [];
  if (path === undefined || place === undefined) return undefined;
  return (path.startsWith('file:') ? fileURLToPath(path) : path) + place;
}

function isFrame(line: string): boolean {
  return /^\s+at /.test(line);
}
