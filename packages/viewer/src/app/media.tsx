import type { Part } from '@agent-criteria/core';
import { base64Size, isBase64 } from '@agent-criteria/formats';
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { isImage, OMITTED } from '../page-data.ts';
import { formatBytes, visible } from './format.ts';
import { saveFile } from './save-file.ts';

/** A file in a message. A page that leaves out its bytes has their number instead. */
export type MediaFile = NonNullable<Part['inlineData']> & { readonly [OMITTED]?: unknown };

/** A file in a message: an image, or else its name. Nothing else is opened or rendered, whatever it contains. */
export function Media({ media, children }: { readonly media: MediaFile; readonly children?: ComponentChildren }) {
  const { data, mimeType } = media;
  const name = mediaName(media);
  // A page draws a conversation again with each piece of an answer, and the bytes may be many.
  const source = useMemo(() => imageSource(media), [data, mimeType]);
  // The type says nothing about the bytes.
  const [broken, setBroken] = useState<string | null>(null);
  const bytes = useMemo(() => (typeof data === 'string' && isBase64(data) ? data : null), [data]);
  return (
    <figure class="media">
      {source !== null && broken !== source && <img src={source} alt={name} onError={() => setBroken(source)} />}
      <figcaption>
        <bdi>{name}</bdi>{' '}
        <small>
          {mimeType && mimeType !== name && `${visible(mimeType)}, `}
          {sizeOf(media)}
        </small>{' '}
        {bytes !== null && (
          <button type="button" class="quiet" onClick={() => saveFile(name, bytes)}>
            Download<span class="unseen"> {name}</span>
          </button>
        )}
        {children}
      </figcaption>
    </figure>
  );
}

/** The name of a file as it is shown, or else its type. */
export function mediaName({ displayName, mimeType }: MediaFile): string {
  return visible(displayName || mimeType || 'file');
}

/** Returns the data URL of an image that can be shown, or `null`. */
export function imageSource({ data, mimeType }: MediaFile): string | null {
  if (typeof data !== 'string' || !isImage(mimeType, data)) return null;
  return `data:${mimeType};base64,${data.replaceAll('-', '+').replaceAll('_', '/')}`;
}

function sizeOf({ data, [OMITTED]: omitted }: MediaFile): string {
  if (typeof omitted === 'number') return `${formatBytes(omitted)}, not in this report`;
  if (typeof data !== 'string') return 'no data';
  return formatBytes(base64Size(data));
}
