import { count, formatBytes, imageSource, visible } from '@agent-criteria/viewer/views';
import { useMemo } from 'preact/hooks';
import { bytesOf, MOST_FILE_BYTES } from '../../sessions/message-files.ts';
import { Button } from '../button.tsx';
import type { MessageFile } from './message-file.ts';

/** The files that go with the next message. */
export function AttachedFiles(props: {
  readonly files: readonly MessageFile[];
  /** Warnings to read before they are sent, in complete sentences. */
  readonly notes: readonly string[];
  remove(file: MessageFile): void;
}) {
  const { files, notes, remove } = props;
  if (files.length === 0) return null;
  const sum = files.reduce((total, { data }) => total + bytesOf(data), 0);
  return (
    <>
      <ul class="attached" aria-label="Attached files">
        {files.map((file, place) => (
          <AttachedFile key={place} file={file} remove={() => remove(file)} />
        ))}
      </ul>
      {files.length > 1 && (
        <p class="note attached-sum">
          {count(files.length, 'file')}, {formatBytes(sum)} of {formatBytes(MOST_FILE_BYTES)}
        </p>
      )}
      {notes.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
    </>
  );
}

function AttachedFile({ file, remove }: { readonly file: MessageFile; remove(): void }) {
  const { displayName, mimeType, data } = file;
  const source = useMemo(() => imageSource(file), [file]);
  return (
    <li>
      {source === null ? (
        <span class="attached-kind" aria-hidden="true">
          {extensionOf(displayName)}
        </span>
      ) : (
        <img src={source} alt="" />
      )}
      <span class="attached-name">
        <bdi>{visible(displayName)}</bdi>
        <small>
          {visible(mimeType)}, {formatBytes(bytesOf(data))}
        </small>
      </span>
      <Button text="×" class="quiet" aria-label={`Remove ${visible(displayName)}`} title="Remove" onClick={remove} />
    </li>
  );
}

function extensionOf(name: string): string {
  return /\.(\w{1,4})$/.exec(name)?.[1] ?? 'file';
}
