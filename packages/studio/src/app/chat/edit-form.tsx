import { useLayoutEffect, useRef } from 'preact/hooks';

/** A message of the user that is rewritten, to go on from there. Enter sends it, Escape leaves it as it was. */
export function EditForm(props: { readonly text: string; change(text: string): void; branch(): void; close(): void }) {
  const { text, change, branch, close } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(text.length, text.length);
  }, []);
  const isReady = text.trim() !== '';
  return (
    <form
      class="edit-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) branch();
      }}
    >
      <textarea
        ref={field}
        rows={Math.min(8, text.split('\n').length + 1)}
        aria-label="Another message in its place"
        dir="auto"
        value={text}
        onInput={(event) => change(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.preventDefault();
            close();
          }
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          if (isReady) branch();
        }}
      />
      <p class="note">This begins a new session from here. The one that you see stays in the list.</p>
      <div class="buttons">
        <button type="button" onClick={close}>
          Cancel
        </button>
        <button type="submit" class="main" disabled={!isReady}>
          Continue from here
        </button>
      </div>
    </form>
  );
}
