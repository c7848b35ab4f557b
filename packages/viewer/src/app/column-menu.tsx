import { useRef } from 'preact/hooks';
import { visible } from './format.ts';
import type { Column } from './select-cases.ts';

/** Which criteria have a column. */
export function ColumnMenu(props: {
  readonly columns: readonly Column[];
  readonly hidden: readonly string[];
  change(hidden: readonly string[]): void;
}) {
  const { columns, hidden, change } = props;
  const menu = useRef<HTMLDetailsElement>(null);
  const shown = columns.filter(({ name }) => !hidden.includes(name)).length;
  const close = () => {
    if (menu.current === null) return;
    // What has the focus is about to go.
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
        <legend class="unseen">Criteria with a column</legend>
        {columns.map(({ name }) => (
          <label key={name}>
            <input
              type="checkbox"
              checked={!hidden.includes(name)}
              onChange={({ currentTarget: { checked } }) =>
                change(checked ? hidden.filter((one) => one !== name) : [...hidden, name])
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
              change([]);
            }}
          >
            Show all columns
          </button>
        )}
      </fieldset>
    </details>
  );
}
