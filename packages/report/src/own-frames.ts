const FRAME = /^\s+at /;
/** Frames of Node and of what is installed: a loader, a framework of agents, its client of a model. Or of no place. */
const MACHINERY = /\(?node:|[\\/]node_modules[\\/]|\(<anonymous>\)$|\(index \d+\)$/;
const INSTALLED = /[\\/]node_modules[\\/]@agent-criteria[\\/]/;

/** The folder of our packages in our own checkout, where no `node_modules` names them; `null` where we are installed. */
const CHECKOUT = /\/packages\/report\/(src|dist)\/[^/]+$/.test(import.meta.url)
  ? new URL('../..', import.meta.url).pathname
  : null;

/** The frames of a stack down to where our code called, without those of Node and of packages: what the author of the agent wants to see. */
export function ownFrames(stack: string | undefined): readonly string[] {
  const frames = (stack ?? '').split('\n').filter((line) => FRAME.test(line));
  const ours = frames.findIndex((line) => INSTALLED.test(line) || (CHECKOUT !== null && line.includes(CHECKOUT)));
  return frames.slice(0, ours === -1 ? frames.length : ours).filter((line) => !MACHINERY.test(line));
}
