const FRAME = /^\s+at /;
/** Matches stack frames of Node.js, of installed packages and of files outside of the project, and frames without a location. */
const MACHINERY = /\(?node:|[\\/ (]node_modules[\\/]|[ (]…\/|\(<anonymous>\)$|\(index \d+\)$/;
const INSTALLED = /[\\/ (]node_modules[\\/]@agent-criteria[\\/]/;

/** The folder of our packages in a checkout of this repository, or `null` if they are installed. */
const CHECKOUT = /\/packages\/report\/(src|dist)\/[^/]+$/.test(import.meta.url)
  ? new URL('../..', import.meta.url).pathname
  : null;

/**
 * Returns the stack frames of the agent author's code, which are those above our code, leaving out frames of Node.js
 * and packages.
 */
export function ownFrames(stack: string | undefined): readonly string[] {
  const frames = (stack ?? '').split('\n').filter((line) => FRAME.test(line));
  const ours = frames.findIndex((line) => INSTALLED.test(line) || (CHECKOUT !== null && isOfCheckout(line, CHECKOUT)));
  return frames.slice(0, ours === -1 ? frames.length : ours).filter((line) => !MACHINERY.test(line));
}

/** Whether a frame is of our code, with its whole path or, in a run of this repository, with the path inside. */
function isOfCheckout(line: string, folder: string): boolean {
  return line.includes(folder) || /[ (]packages\/[a-z-]+\/src\//.test(line);
}
