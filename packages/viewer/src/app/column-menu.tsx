import { useRef } from 'preact/hooks';
import { visible } from './format.ts';
import { type Filter, TEXT_COLUMNS, type TextColumn } from './route.ts';
import type { Column } from './select-cases.ts';

export const TEXT_NAMES: Readonly<Record<TextColumn, string>> = { input: 'First message', output: 'Last answer' };

/** A menu to choose the grid's columns. */
export function ColumnMenu(props: {
  readonly columns: readonly Column[];
  readonly hidden: readonly string[];
  readonly texts: readonly TextColumn[];
  change(change: Pick<Partial<Filter>, 'hidden' | 'shown'>): void;
}) {
  const { columns, hidden, texts, change } = props;
  const menu = useRef<HTMLDetailsElement>(null);
  const shown = columns.filter(({ name }) => !hidden.includes(name)).length;
  const close = () => {
    if (menu.current === null) return;
    // The focused element is about to be removed.
    if (menu.current.contains(document.activeElement)) menu.current.querySelector('summary')?.focus();
    menu.current.open = false;
  };
  return (
    <details
      ref={menu}
      class="column-menu"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || menu.current?.open !== true) return;
        event.preventDefault();
        close();
      }}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && !menu.current?.contains(relatedTarget)) close();
      }}
    >
      <summary>
        Columns{shown < columns.length && `: ${shown} of ${columns.length}`}
        <span class="unseen"> to show</span>
      </summary>
      <fieldset>
        <legend class="unseen">What has a column</legend>
        {TEXT_COLUMNS.map((name) => (
          <label key={name}>
            <input
              type="checkbox"
              checked={texts.includes(name)}
              onChange={({ currentTarget: { checked } }) =>
                change({ shown: TEXT_COLUMNS.filter((one) => (one === name ? checked : texts.includes(one))) })
              }
            />
            {TEXT_NAMES[name]}
          </label>
        ))}
        {columns.map(({ name }) => (
          <label key={name}>
            <input
              type="checkbox"
              checked={!hidden.includes(name)}
              onChange={({ currentTarget: { checked } }) =>
                change({ hidden: checked ? hidden.filter((one) => one !== name) : [...hidden, name] })
              }
            />
            {visible(name)}
          </label>
        ))}
        {shown < columns.length && (
          <button
            type="button"
            class="quiet"
            onClick={() => {
              close();
              change({ hidden: [] });
            }}
          >
            Show all columns
          </button>
        )}
      </fieldset>
    </details>
  );
}
