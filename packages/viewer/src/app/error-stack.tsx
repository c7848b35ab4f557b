import { type StackFrame, stackFrames } from '../stack-frames.ts';
import { CopyButton } from './copy-button.tsx';
import { count, visible } from './format.ts';
import { Fold } from './json-tree.tsx';

/** Where an error was thrown: the author's own code first, with the frames of packages and Node.js folded. */
export function ErrorStack({ stack }: { readonly stack: string }) {
  const frames = stackFrames(stack);
  if (frames.length === 0) return null;
  const first = frames.find(({ isOwn }) => isOwn);
  const { place = null } = first ?? {};
  return (
    <Fold
      class="error-stack"
      summary={() => (
        <>
          Stack
          {place !== null && (
            <>
              : <code>{visible(place)}</code>
            </>
          )}
        </>
      )}
    >
      {() => (
        <>
          <p class="stack-tools">
            {place !== null && (
              <CopyButton name="Copy place" title="Copy the file, line and column" text={() => place} />
            )}
            <CopyButton name="Copy stack" text={() => stack} />
          </p>
          <ol>
            {grouped(frames).map((group, at) =>
              group[0]?.isOwn ? (
                group.map((frame, place) => (
                  <li key={`${at}-${place}`} class="own">
                    <code>{visible(frame.text)}</code>
                  </li>
                ))
              ) : (
                <li key={at}>
                  <Fold summary={() => `${count(group.length, 'frame')} of Node.js and packages`}>
                    {() => (
                      <ol>
                        {group.map((frame, place) => (
                          <li key={place}>
                            <code>{visible(frame.text)}</code>
                          </li>
                        ))}
                      </ol>
                    )}
                  </Fold>
                </li>
              ),
            )}
          </ol>
        </>
      )}
    </Fold>
  );
}

/** Groups neighbours that are both the author's own, or both not. */
function grouped(frames: readonly StackFrame[]): readonly (readonly StackFrame[])[] {
  const groups: StackFrame[][] = [];
  for (const frame of frames) {
    const last = groups.at(-1);
    if (last?.[0]?.isOwn === frame.isOwn) last.push(frame);
    else groups.push([frame]);
  }
  return groups;
}
