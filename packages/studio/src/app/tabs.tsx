import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** Panes behind tabs. The arrow keys switch between tabs. */
export function Tabs<Name extends string>(props: {
  readonly label: string;
  readonly names: readonly Name[];
  readonly chosen: Name;
  /** Shown after the tabs. */
  readonly tools?: ComponentChildren;
  readonly children: ComponentChildren;
  choose(name: Name): void;
}) {
  const { label, names, chosen, choose } = props;
  const id = useId();
  const move = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (names.indexOf(chosen) + step + names.length) % names.length;
    choose(names[next] as Name);
    event.currentTarget.querySelectorAll<HTMLElement>(':scope > [role="tab"]')[next]?.focus();
  };
  return (
    <>
      <div class="tab-bar">
        <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
          {names.map((name, place) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`${id}-${place}`}
              aria-selected={name === chosen}
              aria-controls={name === chosen ? `${id}-pane` : undefined}
              tabIndex={name === chosen ? 0 : -1}
              onClick={() => choose(name)}
            >
              {name}
            </button>
          ))}
        </div>
        {props.tools}
      </div>
      <div
        class="tab-pane"
        role="tabpanel"
        id={`${id}-pane`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a pane that scrolls must be scrollable by keyboard, too.
        tabIndex={0}
        aria-labelledby={`${id}-${names.indexOf(chosen)}`}
      >
        {props.children}
      </div>
    </>
  );
}
