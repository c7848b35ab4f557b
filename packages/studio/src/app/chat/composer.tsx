import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../button.tsx';
import { connection } from '../connection.ts';
import type { Conversation } from './use-conversation.ts';

/** The message input. Enter sends, Shift+Enter starts a new line, and an answer in flight can be stopped. */
export function Composer(props: {
  readonly conversation: Pick<
    Conversation,
    'draft' | 'setDraft' | 'isBusy' | 'detail' | 'queue' | 'withdraw' | 'say' | 'stop'
  >;
}) {
  const { conversation } = props;
  const { draft, detail, queue, setDraft } = conversation;
  // Nothing is answered while the studio is gone, so a message is queued.
  const isLost = connection.value !== 'there';
  const isBusy = conversation.isBusy && !isLost;
  const field = useRef<HTMLTextAreaElement>(null);
  // Focuses the field when the answer is complete, unless the user has focused something else in the meantime.
  useLayoutEffect(() => {
    const { activeElement, body } = document;
    if (!isBusy && (activeElement === null || activeElement === body)) field.current?.focus({ preventScroll: true });
  }, [isBusy]);
  if (detail !== null && detail.closed !== null) return <p class="note">{detail.closed}</p>;
  const send = () => {
    if (!isBusy && draft.trim() !== '') conversation.say(draft);
  };
  return (
    <>
      {queue.length > 0 && (
        <ul class="queue" aria-label="Messages to be sent">
          {queue.map(({ key, text }) => (
            <li key={key}>
              <span dir="auto">{text}</span>
              <small>sent once the studio is back</small>
              <Button
                text="Withdraw"
                class="quiet"
                onClick={() => {
                  conversation.withdraw(key);
                  setDraft([text, draft].filter((one) => one !== '').join('\n'));
                }}
              />
            </li>
          ))}
        </ul>
      )}
      <form
        class="composer"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <textarea
          ref={field}
          rows={2}
          aria-label="Message to the agent"
          placeholder="Message to the agent"
          dir="auto"
          value={draft}
          onInput={(event) => setDraft(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            send();
          }}
        />
        {isBusy ? (
          <Button text="Stop" class="danger" onClick={() => void conversation.stop()} />
        ) : (
          <button type="submit" class="main" disabled={draft.trim() === ''}>
            {isLost ? 'Queue' : 'Send'}
          </button>
        )}
      </form>
    </>
  );
}
