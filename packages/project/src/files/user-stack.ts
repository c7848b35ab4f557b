import { fileURLToPath } from 'node:url';

/** Frames of our packages where they are installed. */
const INSTALLED = /[\\/]node_modules[\\/]@agent-criteria[\\/]/;

/** Our packages in our own checkout, where no `node_modules` names them: their folder, as a URL and as a path. */
const CHECKOUT = ownFolder();

/** Empty if the code is in a user's bundle, where frames may be theirs. */
function ownFolder(): readonly string[] {
  // A CommonJS bundle has no such URL.
  const url: string | undefined = import.meta.url;
  const [, folder] = /^(.*\/packages\/)project\/(?:src\/files|dist)\/[^/]+$/.exec(url ?? '') ?? [];
  return folder === undefined ? [] : [folder, fileURLToPath(folder)];
}

/** Frames of Node and of the TypeScript loader, which do not help the author of a module. */
const MACHINERY = /\(?node:|[\\/]node_modules[\\/](?:.*[\\/])?jiti[\\/]/;

/**
 * The message of an error and the frames of the user's code, down to the call by ours. Without a stack, the message.
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

/** The place in the user's code that threw, as `path:line:column`; `undefined` if no frame is theirs. */
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
