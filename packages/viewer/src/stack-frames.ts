/** A line of a stack: where a function was called. */
export interface StackFrame {
  /** The line, without its indentation and `at`. */
  readonly text: string;
  /** The file with line and column, such as `desk/agent.ts:4:30`, or `null` if the frame has none. */
  readonly place: string | null;
  /** Whether the file is the author's own: not of Node.js, of a package, or from outside of the project. */
  readonly isOwn: boolean;
}

const FRAME = /^\s+at /;
const PLACE = /(?:\(|^(?:async )?)((?:file:\/\/)?[^()]+:\d+:\d+)\)?$/;
const OTHERS = /^node:|(?:^|[\\/])node_modules[\\/]|^…\/|^<anonymous>/;

/** Reads the frames of a stack. */
export function stackFrames(stack: string): readonly StackFrame[] {
  return stack
    .split('\n')
    .filter((line) => FRAME.test(line))
    .map((line) => {
      const text = line.replace(FRAME, '');
      const place = PLACE.exec(text)?.[1] ?? null;
      return { text, place, isOwn: place !== null && !OTHERS.test(place) };
    });
}
