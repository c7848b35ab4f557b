import type { ComponentChildren, ComponentProps } from 'preact';

/** A button that does not submit a form. */
export function Button(
  props: Omit<ComponentProps<'button'>, 'type' | 'children'> & {
    readonly text: ComponentChildren;
    /** Rest of the accessible name, for screen readers only. */
    readonly unseen?: string;
    /** Keyboard shortcut for the same action, shown after the text. */
    readonly shortcut?: string;
  },
) {
  const { text, unseen, shortcut, ...others } = props;
  return (
    <button type="button" {...others}>
      {text}
      {unseen !== undefined && <span class="unseen">{unseen}</span>}
      {shortcut !== undefined && (
        <>
          {' '}
          <kbd>{shortcut}</kbd>
        </>
      )}
    </button>
  );
}
