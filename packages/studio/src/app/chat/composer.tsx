import { formatBytes, visible } from '@agent-criteria/viewer/views';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { bytesOf, MOST_KEPT_BYTES, overLimit } from '../../sessions/message-files.ts';
import { Problem } from '../answer.tsx';
import { Button } from '../button.tsx';
import { connection } from '../connection.ts';
import { useDroppedFiles } from '../use-dropped-files.ts';
import { AttachedFiles } from './attached-files.tsx';
import { readFile } from './message-file.ts';
import type { Conversation } from './use-conversation.ts';

type Composed = Pick<
  Conversation,
  | 'draft'
  | 'setDraft'
  | 'files'
  | 'setFiles'
  | 'areFilesKept'
  | 'earlierBytes'
  | 'agent'
  | 'whyNoFiles'
  | 'isBusy'
  | 'detail'
  | 'queue'
  | 'isQueueKept'
  | 'withdraw'
  | 'say'
  | 'stop'
>;

/**
 * The message input. Enter sends, Shift+Enter starts a new line, and an answer in flight can be stopped. Files are
 * attached by a button, pasted, or dropped anywhere on the page.
 */
export function Composer({ conversation }: { readonly conversation: Composed }) {
  const { draft, files, detail, agent, queue, setDraft } = conversation;
  // Nothing is answered while the studio is gone, so a message is queued.
  const isLost = connection.value !== 'there';
  const isBusy = conversation.isBusy && !isLost;
  const field = useRef<HTMLTextAreaElement>(null);
  const { attach, problem, isReading } = useAttaching(conversation);
  const isOver = useDroppedFiles(attach);
  const isUnkept = (files.length > 0 && !conversation.areFilesKept) || (queue.length > 0 && !conversation.isQueueKept);
  // Focuses the field when the answer is complete, unless the user has focused something else in the meantime.
  useLayoutEffect(() => {
    const { activeElement, body } = document;
    if (!isBusy && (activeElement === null || activeElement === body)) field.current?.focus({ preventScroll: true });
  }, [isBusy]);
  useEffect(() => {
    if (!isUnkept) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isUnkept]);
  if (detail !== null && detail.closed !== null) return <p class="note">{detail.closed}</p>;
  const isReady = !isReading && (draft.trim() !== '' || files.length > 0);
  const send = () => {
    if (!isBusy && isReady) conversation.say(draft, files);
  };
  return (
    <>
      {queue.length > 0 && (
        <ul class="queue" aria-label="Messages to be sent">
          {queue.map(({ key, text, files: queued }) => (
            <li key={key}>
              <span dir="auto">
                {[text, ...queued.map(({ displayName }) => visible(displayName))]
                  .filter((one) => one !== '')
                  .join('\n')}
              </span>
              <small>
                sent once the studio is back
                {!conversation.isQueueKept && '; lost if this page is reloaded before, because its files are too large'}
              </small>
              <Button
                text="Withdraw"
                class="quiet"
                onClick={() => {
                  conversation.withdraw(key);
                  setDraft([text, draft].filter((one) => one !== '').join('\n'));
                  conversation.setFiles([...queued, ...files]);
                }}
              />
            </li>
          ))}
        </ul>
      )}
      <form
        class={`composer${isOver ? ' dropping' : ''}`}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <Problem text={problem} />
        <AttachedFiles
          files={files}
          notes={notesOn(conversation)}
          remove={(file) => {
            conversation.setFiles(files.filter((one) => one !== file));
            field.current?.focus();
          }}
        />
        <div class="composer-row">
          <textarea
            ref={field}
            rows={2}
            aria-label="Message to the agent"
            placeholder={isOver ? 'Drop files to attach them' : 'Message to the agent'}
            dir="auto"
            value={draft}
            onInput={(event) => setDraft(event.currentTarget.value)}
            onPaste={(event) => {
              const pasted = filesOf(event.clipboardData);
              if (pasted.length === 0) return;
              event.preventDefault();
              attach(pasted);
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
              event.preventDefault();
              send();
            }}
          />
          <div class="composer-buttons">
            <AttachButton isOff={agent?.supportsFiles === false} attach={attach} />
            {isBusy ? (
              <Button text="Stop" class="danger" onClick={() => void conversation.stop()} />
            ) : (
              <button type="submit" class="main" disabled={!isReady}>
                {isLost ? 'Queue' : 'Send'}
              </button>
            )}
          </div>
        </div>
      </form>
    </>
  );
}

/** Adds files to the message, if the agent takes files and the limits allow it. */
function useAttaching(conversation: Composed) {
  const [problem, setProblem] = useState<string>();
  const [reading, setReading] = useState(0);
  const now = useRef(conversation);
  now.current = conversation;
  const attach = useCallback(async (given: readonly File[]) => {
    setProblem(undefined);
    setReading((count) => count + 1);
    try {
      const why = await now.current.whyNoFiles();
      if (why !== null) throw new Error(why);
      const check = (sizes: readonly number[]) => {
        const over = overLimit([...now.current.files.map(({ data }) => bytesOf(data)), ...sizes]);
        if (over !== null) throw new Error(`${over} Nothing was attached.`);
      };
      check(given.map(({ size }) => size));
      const read = await Promise.all(given.map(readFile));
      // Others may have been attached in the meantime.
      check(read.map(({ data }) => bytesOf(data)));
      now.current.setFiles([...now.current.files, ...read]);
    } catch (error) {
      setProblem((error as Error).message);
    } finally {
      setReading((count) => count - 1);
    }
  }, []);
  return { attach, problem, isReading: reading > 0 };
}

function AttachButton(props: {
  /** Whether the agent is known to take only text. */
  readonly isOff: boolean;
  attach(files: readonly File[]): void;
}) {
  const { isOff, attach } = props;
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          const chosen = [...(currentTarget.files ?? [])];
          // The same file can be chosen again.
          currentTarget.value = '';
          if (chosen.length > 0) attach(chosen);
        }}
      />
      <Button
        text="Attach"
        unseen=" files"
        // Stays reachable, so that it can say why.
        aria-disabled={isOff}
        title={isOff ? 'This agent takes only text' : 'Attach files. They can be pasted and dropped, too'}
        onClick={() => (isOff ? attach([]) : input.current?.click())}
      />
    </>
  );
}

const UNKEPT =
  'If this page is reloaded before the message is sent, its files are gone: they are too large to be kept in this tab.';

/** Returns warnings to show before the attached files are sent. */
function notesOn({ files, areFilesKept, earlierBytes }: Composed): readonly string[] {
  const all = earlierBytes + files.reduce((sum, { data }) => sum + bytesOf(data), 0);
  return [
    ...(areFilesKept ? [] : [UNKEPT]),
    ...(all <= MOST_KEPT_BYTES
      ? []
      : [
          `With them, this conversation has ${formatBytes(all)} of files. That is too much to be kept on disk, so what is new in it is lost when the studio ends.`,
        ]),
  ];
}

/** Files in the clipboard. Office programs add a picture of a text, which is meant as a text. */
function filesOf(clipboard: DataTransfer | null): readonly File[] {
  const isRichText = ['text/plain', 'text/html'].every((type) => clipboard?.types.includes(type));
  return isRichText ? [] : [...(clipboard?.files ?? [])];
}
