import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { covered } from './store.ts';

/** Something that lies over the page until it is closed. */
export function Dialog(props: {
  readonly title: string;
  readonly wide?: boolean;
  readonly children: ComponentChildren;
  close(): void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    dialog.current?.showModal();
  }, []);
  useEffect(() => {
    covered.value += 1;
    return () => {
      covered.value -= 1;
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`help${props.wide ? ' wide' : ''}`}
      aria-labelledby="dialog-title"
      onClose={props.close}
    >
      <h2 id="dialog-title">{props.title}</h2>
      {props.children}
    </dialog>
  );
}

/** Asks before something is done that cannot be undone. */
export function Confirm(props: {
  readonly title: string;
  readonly children: ComponentChildren;
  /** What the button says: the deed itself. */
  readonly deed: string;
  run(): void;
  close(): void;
}) {
  return (
    <Dialog title={props.title} close={props.close}>
      {props.children}
      <div class="buttons">
        <button type="button" onClick={props.close}>
          Cancel
        </button>
        <button
          type="button"
          class="danger"
          onClick={() => {
            props.close();
            props.run();
          }}
        >
          {props.deed}
        </button>
      </div>
    </Dialog>
  );
}
