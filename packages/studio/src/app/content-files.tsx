import type { Content } from '@agent-criteria/core';
import { Media, mediaName } from '@agent-criteria/viewer/views';
import { Button } from './button.tsx';

/** The files of a message in a case. */
export function ContentFiles(props: {
  readonly content: Content | null | undefined;
  /** Changes the message to one without a file. Default: files cannot be removed. */
  readonly change?: ((content: Content) => void) | undefined;
}) {
  const { content, change } = props;
  const parts = content?.parts ?? [];
  return (
    <>
      {parts.map((part, place) => {
        const { inlineData } = part;
        if (!inlineData) return null;
        return (
          <Media key={place} media={inlineData}>
            {change !== undefined && (
              <Button
                text="Remove"
                unseen={` ${mediaName(inlineData)}`}
                class="quiet"
                onClick={() => change({ ...content, parts: parts.filter((other) => other !== part) })}
              />
            )}
          </Media>
        );
      })}
    </>
  );
}
