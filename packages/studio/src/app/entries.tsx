import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Button } from './button.tsx';
import { drawNow } from './draw-now.ts';

/** An editable list. When an entry is removed, the focus stays within the list. */
export function Entries<Item>(props: {
  readonly title: string;
  readonly note?: string | undefined;
  readonly items: readonly Item[];
  /** Noun for an entry, shown with its number, as in `call 2`. */
  readonly one: string;
  /** Label of the add button. */
  readonly add: string;
  /** Heading level. Default 3. */
  readonly level?: 2 | 3 | 4;
  entry(item: Item, place: number): ComponentChildren;
  remove(item: Item, place: number): void;
  append(): void;
}) {
  const group = useRef<HTMLDivElement>(null);
  const { title, note, items, one, level = 3 } = props;
  const Heading = `h${level}` as const;
  const focusAfter = (change: () => void, selector: string) => {
    drawNow(change);
    group.current?.querySelector<HTMLElement>(selector)?.focus();
  };
  return (
    <div class="entries" ref={group}>
      <div class="choice-head">
        <Heading>
          {title} {items.length > 1 && <small>{items.length}</small>}
        </Heading>
        <Button
          text={props.add}
          class="quiet add"
          onClick={() => focusAfter(props.append, ':scope > ol > li:last-child :is(input, textarea, select)')}
        />
      </div>
      {note !== undefined && items.length === 0 && <p class="note">{note}</p>}
      {items.length > 0 && (
        <ol aria-label={title}>
          {items.map((item, place) => (
            <li key={place} aria-label={`${one} ${place + 1}`}>
              <div class="entry">{props.entry(item, place)}</div>
              <Button
                text="×"
                class="quiet"
                aria-label={`Delete ${one} ${place + 1}`}
                title={`Delete ${one} ${place + 1}`}
                onClick={() => focusAfter(() => props.remove(item, place), ':scope > .choice-head > .add')}
              />
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
