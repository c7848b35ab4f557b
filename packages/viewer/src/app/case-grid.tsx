import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { breakable } from './breakable.tsx';
import { TEXT_NAMES } from './column-menu.tsx';
import { count, visible } from './format.ts';
import { GridRow } from './grid-row.tsx';
import type { OverviewProps } from './overview-props.ts';
import type { Sort } from './route.ts';
import { type Column, holds, searchWords } from './select-cases.ts';
import { shortNames } from './short-names.ts';
import { ROOM_BESIDE, useMeasure, useMedia, usePhone } from './use-layout.ts';
import { visibleRows } from './visible-rows.ts';

const ROW_HEIGHT = 58;
/** The maximum number of rows to print; browsers fail to print many more. */
const ROWS_PRINTED = 1000;
const phoneRowHeight = (lines: number) => 82 + 21 * lines;
const phoneVariantsHeight = (variants: number) => 82 + 26 * variants;

/**
 * The grid of cases by criteria. Renders only the visible rows and the active row, because the latter may have the
 * focus.
 */
export function CaseGrid(props: OverviewProps) {
  const { index, rows, filter, active, setActive, printing, pane } = props;
  const columns = useMemo(
    () => props.columns.filter(({ name }) => !filter.hidden.includes(name)),
    [props.columns, filter.hidden],
  );
  const body = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const phone = usePhone();
  const variants = index.info.variants?.map(({ name }) => name);
  const width = variants?.length ?? columns.length;
  const texts = variants === undefined ? filter.shown : [];
  const phoneHeight = variants === undefined ? phoneRowHeight : phoneVariantsHeight;
  const rowHeight = phone ? phoneHeight(width + texts.length) : ROW_HEIGHT;
  const labels = useMemo(() => shortNames(columns.map(({ name }) => name)), [columns]);
  const [[from, to], setRange] = useState<readonly [number, number]>([0, 40]);
  const [barHeight, setBarHeight] = useState(0);
  const [headHeight, setHeadHeight] = useState(0);
  /** Criteria whose columns are cut off at the right. */
  const [beyond, setBeyond] = useState(0);
  const hasRoom = useMedia(ROOM_BESIDE);
  const openAt = useMemo(() => rows.findIndex((row) => holds(row, pane?.place)), [rows, pane?.place]);
  const belowAt = hasRoom || pane?.draw === undefined ? -1 : openAt;
  const [belowHeight, setBelowHeight] = useState(0);
  const inserted = belowAt < 0 ? 0 : belowHeight;

  useMeasure(() => {
    // The grid's head sticks below the filter, whose height varies because it wraps.
    setBarHeight(document.querySelector<HTMLElement>('.filter')?.offsetHeight ?? 0);
    setHeadHeight(head.current?.offsetHeight ?? 0);
    setBeyond(columnsBeyond(head.current));
    const top = body.current?.getBoundingClientRect().top ?? 0;
    const [first] = visibleRows({ top: top + inserted, height: innerHeight, rowHeight, rows: rows.length });
    const [, end] = visibleRows({ top, height: innerHeight, rowHeight, rows: rows.length });
    const next = [first, end] as const;
    setRange((now) => (now[0] === next[0] && now[1] === next[1] ? now : next));
  }, [rows, rowHeight, inserted, columns, texts.length]);

  const activeAt = active === null ? -1 : rows.findIndex((row) => holds(row, active));
  const drawn = printing
    ? placesOf(0, Math.min(rows.length, ROWS_PRINTED), -1)
    : placesOf(from, Math.min(to, rows.length), activeAt);

  // Scrolls the active row into view and focuses it. This must be synchronous: a later effect would focus the previous
  // row, which would make that row active again, in an endless loop.
  const drawnBefore = useRef(false);
  useLayoutEffect(() => {
    const { activeElement } = document;
    // When a filter makes the grid appear again, it must not steal the focus.
    const taken = !drawnBefore.current && activeElement !== null && activeElement !== document.body;
    drawnBefore.current = true;
    if (!taken) focusActive();
  }, [active]);

  const several = index.sets.length > 1;
  const words = useMemo(() => searchWords(filter), [filter.search]);
  const grid = (
    <div
      class="grid"
      role="table"
      aria-label={variants === undefined ? 'Cases by criteria' : 'Cases by variants'}
      aria-rowcount={rows.length + 1}
      style={{
        '--criteria': width,
        // `repeat(0, …)` is not valid CSS.
        ...(width > 0 && { '--score-columns': `repeat(${width}, minmax(var(--score-width), var(--score-most)))` }),
        '--texts': texts.length,
        ...(texts.length > 0 && { '--text-columns': `repeat(${texts.length}, minmax(var(--text-width), 1.4fr))` }),
        ...(variants !== undefined && { '--line-height': '26px' }),
        '--row-height': `${rowHeight}px`,
        '--bar-height': `${barHeight}px`,
        '--head-height': `${headHeight}px`,
      }}
    >
      <div class="grid-head" ref={head} role="rowgroup">
        <div class="row" role="row" aria-rowindex={1}>
          <Head sort="worst" name={<span class="unseen">Verdict</span>} title="Verdict" {...props} />
          <Head sort="id" name="Case" {...props} />
          {texts.map((name) => (
            <span key={name} role="columnheader">
              {TEXT_NAMES[name]}
            </span>
          ))}
          {variants?.map((name) => (
            <span key={name} role="columnheader">
              <b>{breakable(name)}</b>
            </span>
          ))}
          {(variants === undefined ? columns : []).map((column) => (
            <Head
              key={column.name}
              sort="score"
              criterion={column.name}
              name={
                <>
                  <b aria-hidden="true">{breakable(labels.get(column.name) ?? column.name)}</b>
                  <span class="unseen">{visible(column.name)}</span> <small>{ruleOf(column)}</small>
                </>
              }
              title={[visible(column.name), ruleOf(column), column.description].filter(Boolean).join('\n')}
              {...props}
            />
          ))}
          <Head sort="time" name={props.withTokens ? 'Time, tokens' : 'Time'} {...props} />
        </div>
      </div>
      <div
        class="grid-body"
        onScroll={(event) => {
          if (head.current !== null) head.current.scrollLeft = event.currentTarget.scrollLeft;
          setBeyond(columnsBeyond(head.current));
        }}
      >
        <div
          class="rows"
          ref={body}
          role="rowgroup"
          style={{ height: printing ? 'auto' : `${rows.length * rowHeight + inserted}px` }}
        >
          {drawn.map((at) => {
            const placed = rows[at];
            return (
              placed !== undefined && (
                <GridRow
                  key={placed.place}
                  placed={placed}
                  columns={columns}
                  texts={texts}
                  variants={variants}
                  hrefOf={props.hrefOf}
                  labels={labels}
                  words={words}
                  filterBy={props.filterBy}
                  details={props.details}
                  at={at}
                  setActive={setActive}
                  top={at * rowHeight + (belowAt >= 0 && at > belowAt ? inserted : 0)}
                  active={at === activeAt}
                  isOpen={at === openAt}
                  preview={pane?.open}
                  href={props.hrefOf(placed)}
                  set={several ? (index.sets[placed.row.set]?.name ?? index.sets[placed.row.set]?.id) : undefined}
                />
              )
            );
          })}
          {belowAt >= 0 && (
            <Below top={(belowAt + 1) * rowHeight} measured={setBelowHeight}>
              {pane?.draw?.(true)}
            </Below>
          )}
        </div>
      </div>
      {printing && rows.length > ROWS_PRINTED && (
        <p class="note">
          The first {ROWS_PRINTED.toLocaleString('en')} of {count(rows.length, 'case')} are printed. Filter the list to
          print others.
        </p>
      )}
    </div>
  );
  return (
    <div class="grid-frame" style={{ '--bar-height': `${barHeight}px` }}>
      {beyond > 0 && !printing && !phone && (
        <p class="beyond">
          <button
            type="button"
            title={`${count(beyond, 'more criterion', 'more criteria')}: scroll the list to the right`}
            onClick={() => {
              const scroller = body.current?.parentElement;
              scroller?.scrollBy({ left: scroller.clientWidth / 2, behavior: 'smooth' });
            }}
          >
            +{beyond}
            <span class="unseen"> more {beyond === 1 ? 'criterion' : 'criteria'}</span> →
          </button>
        </p>
      )}
      {grid}
    </div>
  );
}

/** Counts the columns of criteria that are not visible in full, because the list is too narrow. */
function columnsBeyond(head: HTMLElement | null): number {
  if (head === null) return 0;
  const { right } = head.getBoundingClientRect();
  const columns = [...head.querySelectorAll('.of-criterion')];
  return columns.filter((column) => column.getBoundingClientRect().right > right + 8).length;
}

/** A case preview below its row. */
function Below(props: { readonly top: number; measured(height: number): void; readonly children: ComponentChildren }) {
  const own = useRef<HTMLDivElement>(null);
  const measure = () => {
    const { current } = own;
    if (current === null) return;
    // Matches the width of the visible part of the list, which may be scrolled sideways.
    current.style.setProperty('--seen', `${current.closest('.grid-body')?.clientWidth ?? 0}px`);
    props.measured(current.offsetHeight);
  };
  useMeasure(measure, [], own);
  return (
    <div ref={own} class="row-below" role="row" style={{ top: `${props.top}px` }}>
      <div role="cell">{props.children}</div>
    </div>
  );
}

/** A column header that sorts by its column. */
function Head(
  props: Pick<OverviewProps, 'filter' | 'filterBy'> & {
    readonly sort: Sort;
    readonly name: ComponentChildren;
    readonly criterion?: string;
    readonly title?: string;
  },
) {
  const { filter, sort, criterion } = props;
  const sorted = filter.sort === sort && (criterion === undefined || filter.criterion === criterion);
  return (
    <span
      role="columnheader"
      class={criterion === undefined ? undefined : 'of-criterion'}
      title={props.title}
      aria-sort={sorted ? (sort === 'time' ? 'descending' : 'ascending') : 'none'}
    >
      <button
        type="button"
        class="quiet"
        onClick={() => props.filterBy(criterion === undefined ? { sort } : { sort, criterion, verdicts: [] })}
      >
        {props.name}
        {sorted && <span aria-hidden="true"> {sort === 'time' ? '↓' : '↑'}</span>}
      </button>
    </span>
  );
}

/** Scrolls the active row into view and focuses it. */
export function focusActive(): void {
  const row = document.querySelector<HTMLElement>('.rows [data-active]');
  const link = row?.querySelector('a');
  if (!row || !link || link === document.activeElement) return;
  row.scrollIntoView({ block: 'nearest' });
  // Keep the focus if it is in the preview.
  if (document.activeElement?.closest('.case-pane')) return;
  link.focus({ preventScroll: true });
}

function ruleOf({ threshold, range }: Column): string {
  if (threshold === undefined) return 'thresholds differ';
  return threshold === null ? 'only measures' : `${range.better === 'higher' ? '≥' : '≤'} ${threshold}`;
}

function placesOf(from: number, to: number, active: number): number[] {
  const places = Array.from({ length: Math.max(to - from, 0) }, (_, index) => from + index);
  if (active >= 0 && active < from) return [active, ...places];
  return active >= to ? [...places, active] : places;
}
