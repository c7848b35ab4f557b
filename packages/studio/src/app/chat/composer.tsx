import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../button.tsx';

/** The input for messages. Enter sends, Shift+Enter starts a new line, and an answer in flight can be stopped. */
export function Composer(props: {
  readonly value: string;
  readonly isBusy: boolean;
  /** Reason why the session takes no messages; `null` if it does. */
  readonly closed: string | null;
  change(text: string): void;
  stop(): void;
  send(text: string): void;
}) {
  const { value, isBusy, closed, change } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  // Focuses the field together with the answer, unless the user has focused something else meanwhile.
  useLayoutEffect(() => {
    const { activeElement, body } = document;
    if (!isBusy && (activeElement === null || activeElement === body)) field.current?.focus({ preventScroll: true });
  }, [isBusy]);
  if (closed !== null) return <p class="note">{closed}</p>;
  const send = () => {
    if (!isBusy && value.trim() !== '') props.send(value);
  };
  return (
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
        value={value}
        onInput={(event) => change(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          send();
        }}
      />
      {isBusy ? (
        <Button text="Stop" class="danger" onClick={props.stop} />
      ) : (
        <button type="submit" class="main" disabled={value.trim() === ''}>
          Send
        </button>
      )}
    </form>
  );
}
