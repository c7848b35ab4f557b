const FRAME = /^\s+at /;
/** Frames of Node and of installed packages, or without a place. */
const MACHINERY = /\(?node:|[\\/]node_modules[\\/]|\(<anonymous>\)$|\(index \d+\)$/;
const INSTALLED = /[\\/]node_modules[\\/]@agent-criteria[\\/]/;

/** The folder of our packages in a checkout of this repository; `null` if installed. */
const CHECKOUT = /\/packages\/report\/(src|dist)\/[^/]+$/.test(import.meta.url)
  ? new URL('../..', import.meta.url).pathname
  : null;

/** The frames of a stack down to our code, without those of Node and of packages: the code of the agent's author. */
export function ownFrames(stack: string | undefined): readonly string[] {
  const frames = (stack ?? '').split('\n').filter((line) => FRAME.test(line));
  const ours = frames.findIndex((line) => INSTALLED.test(line) || (CHECKOUT !== null && line.includes(CHECKOUT)));
  return frames.slice(0, ours === -1 ? frames.length : ours).filter((line) => !MACHINERY.test(line));
}
