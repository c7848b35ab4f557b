import { isObject } from '@agent-criteria/formats';
import type { ComponentChildren } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { visible } from './format.ts';
import { LongText, Whole } from './long-text.tsx';

const PLACES_SHOWN = 100;
/** The maximum number of items per list when everything is shown, so that the page stays fast. */
const MOST_PLACES = 1000;
const PREVIEW = 90;

/** A collapsible tree for a JSON value. Collapsed parts are not rendered. */
export function JsonTree(props: {
  readonly value: unknown;
  readonly name?: string | null | undefined;
  readonly open?: boolean;
}) {
  const { value, name = null } = props;
  const entries = entriesOf(value);
  const key = name === null ? null : <span class="key">{visible(name)}: </span>;
  if (entries === null || entries.length === 0) {
    return (
      <div class="leaf">
        {key}
        <Scalar value={value} />
      </div>
    );
  }
  const list = Array.isArray(value);
  return (
    <Fold
      open={props.open ?? false}
      summary={(open) => (
        <>
          {key}
          <span class="preview">{open ? (list ? `[${entries.length}]` : '{ }') : preview(value)}</span>
        </>
      )}
    >
      {() => (
        <Some items={entries}>
          {([inner, item]) => <JsonTree key={inner} name={list ? null : inner} value={item} />}
        </Some>
      )}
    </Fold>
  );
}

/** A collapsible section that is not rendered until it is expanded. */
export function Fold(props: {
  readonly open?: boolean;
  readonly class?: string;
  summary(open: boolean): ComponentChildren;
  children(): ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(props.open ?? false);
  const isWhole = useContext(Whole);
  const open = isOpen || isWhole;
  return (
    <details
      class={`fold ${props.class ?? ''}`}
      open={open}
      onToggle={(event) => {
        if (!isWhole) setOpen(event.currentTarget.open);
      }}
    >
      <summary>{props.summary(open)}</summary>
      {open && <div class="inside">{props.children()}</div>}
    </details>
  );
}

/** The first items of a list, with a button to show more. */
export function Some<T>(props: {
  readonly items: readonly T[];
  readonly step?: number;
  /** The minimum number of items to show. */
  readonly atLeast?: number;
  children(item: T, place: number): ComponentChildren;
}) {
  const { items, step = PLACES_SHOWN, atLeast = 0 } = props;
  const [wanted, setWanted] = useState(step);
  const shown = Math.max(wanted, atLeast, useContext(Whole) ? MOST_PLACES : 0);
  const left = items.length - shown;
  return (
    <>
      {items.slice(0, shown).map((item, place) => props.children(item, place))}
      {left > 0 && (
        <button type="button" class="more" onClick={() => setWanted(shown + step * 5)}>
          {left.toLocaleString('en')} more
        </button>
      )}
    </>
  );
}

function Scalar({ value }: { readonly value: unknown }) {
  if (typeof value === 'string') {
    return (
      <span class="string" dir="auto">
        “<LongText text={visible(value)} most={1000} />”
      </span>
    );
  }
  return <span class={value === null ? 'null' : typeof value}>{JSON.stringify(value) ?? 'undefined'}</span>;
}

function entriesOf(value: unknown): [string, unknown][] | null {
  return Array.isArray(value) || isObject(value) ? Object.entries(value) : null;
}

/** Formats the beginning of a value without formatting the whole value. */
export function preview(value: unknown, most = PREVIEW): string {
  if (typeof value === 'string') return JSON.stringify(value.length > most ? `${value.slice(0, most)}…` : value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  const list = Array.isArray(value);
  let text = list ? '[' : '{ ';
  for (const [place, [key, inner]] of Object.entries(value).slice(0, 20).entries()) {
    if (text.length > most) return visible(`${text.slice(0, most)}…`);
    text += `${place > 0 ? ', ' : ''}${list ? '' : `${key}: `}${preview(inner, most - text.length)}`;
  }
  const rest = Object.keys(value).length > 20 ? ', …' : '';
  return visible(`${text}${rest}${list ? ']' : ' }'}`);
}
