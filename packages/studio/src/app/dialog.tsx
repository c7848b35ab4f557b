import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Problem } from './answer.tsx';
import { Button } from './button.tsx';
import { covered } from './store.ts';

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

/** A dialog with a form that can be submitted or cancelled. */
export function FormDialog(props: {
  readonly title: string;
  readonly wide?: boolean;
  readonly children: ComponentChildren;
  readonly problem?: string | undefined;
  /** Label of the submit button. */
  readonly deed: string;
  /** Whether the form can be submitted. Default `true`. */
  readonly ready?: boolean;
  /** Content shown opposite the buttons. */
  readonly aside?: ComponentChildren;
  submit(): void;
  close(): void;
}) {
  const { title, wide = false, deed, ready = true, aside, close } = props;
  const buttons = (
    <>
      <Problem text={props.problem} />
      <div class={wide ? 'buttons stay' : 'buttons'}>
        <Button text="Cancel" onClick={close} />
        <button type="submit" class="main" disabled={!ready}>
          {deed}
        </button>
      </div>
    </>
  );
  return (
    <Dialog title={title} wide={wide} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          props.submit();
        }}
      >
        {props.children}
        {aside === undefined ? (
          buttons
        ) : (
          <div class="buttons apart">
            {aside}
            {buttons}
          </div>
        )}
      </form>
    </Dialog>
  );
}

/** Asks before an action that cannot be undone. */
export function Confirm(props: {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Label of the confirm button. */
  readonly deed: string;
  run(): void;
  close(): void;
}) {
  return (
    <Dialog title={props.title} close={props.close}>
      {props.children}
      <div class="buttons">
        <Button text="Cancel" onClick={props.close} />
        <Button
          text={props.deed}
          class="danger"
          onClick={() => {
            props.close();
            props.run();
          }}
        />
      </div>
    </Dialog>
  );
}
