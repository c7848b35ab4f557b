import type { ComponentChildren } from 'preact';

/** A table that scrolls sideways if it is too wide. */
export function NumberTable(props: {
  readonly label: string;
  readonly columns: readonly string[];
  readonly children: ComponentChildren;
}) {
  return (
    <section
      class="number-table"
      aria-label={props.label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas need keyboard access.
      tabIndex={0}
    >
      <table>
        <thead>
          <tr>
            {props.columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{props.children}</tbody>
      </table>
    </section>
  );
}
