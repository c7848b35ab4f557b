import { fileURLToPath } from 'node:url';

/** Frames of our packages where they are installed. */
const INSTALLED = /[\\/]node_modules[\\/]@agent-criteria[\\/]/;

/** Our packages in our own checkout, where no `node_modules` names them: their folder, as a URL and as a path. */
const CHECKOUT = ownFolder();

/** None where the code is compiled into somebody's bundle: the frames there are theirs too. */
function ownFolder(): readonly string[] {
  // In a CommonJS bundle there is no such URL.
  const url: string | undefined = import.meta.url;
  const [, folder] = /^(.*\/packages\/)project\/(?:src\/files|dist)\/[^/]+$/.exec(url ?? '') ?? [];
  return folder === undefined ? [] : [folder, fileURLToPath(folder)];
}

/** Frames of Node and of the TypeScript loader: they say nothing to whoever wrote the module. */
const MACHINERY = /\(?node:|[\\/]node_modules[\\/](?:.*[\\/])?jiti[\\/]/;

/**
 * An error's stack as its author wants it: message and frames of their own code, down to where ours called it.
 * Without a stack, the message.
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

/** Where in the user's code it was thrown, as `path:line:column`; `undefined` when no frame is theirs. */
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
