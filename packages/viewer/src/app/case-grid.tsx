import { formatShare } from '@agent-criteria/core/host';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { CaseRow, PageCase } from '../page-data.ts';
import { rowReason } from '../row-reason.ts';
import { breakable } from './breakable.tsx';
import { Comparison } from './comparison.tsx';
import { count, formatScore, formatTime, formatTokens, visible } from './format.ts';
import { Found } from './found.tsx';
import { Mark } from './mark.tsx';
import type { OverviewProps } from './overview-props.ts';
import type { Filter, Sort } from './route.ts';
import { type Column, cellOf, holds, type PlacedRow, searchWords } from './select-cases.ts';
import { shortNames } from './short-names.ts';
import { usePhone } from './use-phone.ts';
import { VariantCell } from './variants.tsx';
import { VERDICT_WORDS, VerdictBadge, VerdictIcon } from './verdict.tsx';
import { visibleRows } from './visible-rows.ts';

const ROW_HEIGHT = 58;
/** Browsers give up on many more pages than these make. */
const ROWS_PRINTED = 1000;
/** Verdict and case, then a line for each criterion. */
const phoneRowHeight = (criteria: number) => 82 + 21 * criteria;
/** A variant is a link, which takes a finger's width. */
const phoneVariantsHeight = (variants: number) => 82 + 26 * variants;

/** Cases by criteria. Only the rows in the window are in the page; the active one always is, so that focus has a place. */
export function CaseGrid(props: OverviewProps) {
  const { index, rows, filter, active, setActive, printing } = props;
  const columns = useMemo(
    () => props.columns.filter(({ name }) => !filter.hidden.includes(name)),
    [props.columns, filter.hidden],
  );
  const body = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const phone = usePhone();
  const variants = index.info.variants?.map(({ name }) => name);
  const width = variants?.length ?? columns.length;
  const phoneHeight = variants === undefined ? phoneRowHeight : phoneVariantsHeight;
  const rowHeight = phone ? phoneHeight(width) : ROW_HEIGHT;
  const labels = useMemo(() => shortNames(columns.map(({ name }) => name)), [columns]);
  const [[from, to], setRange] = useState<readonly [number, number]>([0, 40]);
  const [barHeight, setBarHeight] = useState(0);
  const [headHeight, setHeadHeight] = useState(0);

  useLayoutEffect(() => {
    const measure = () => {
      // The head stands below the filter, which takes as many lines as it needs.
      setBarHeight(document.querySelector<HTMLElement>('.filter')?.offsetHeight ?? 0);
      setHeadHeight(head.current?.offsetHeight ?? 0);
      const top = body.current?.getBoundingClientRect().top ?? 0;
      const next = visibleRows({ top, height: innerHeight, rowHeight, rows: rows.length });
      setRange((now) => (now[0] === next[0] && now[1] === next[1] ? now : next));
    };
    measure();
    // Folds above the grid move it without a scroll.
    const watcher = new ResizeObserver(measure);
    watcher.observe(document.body);
    addEventListener('scroll', measure, { passive: true });
    addEventListener('resize', measure);
    return () => {
      watcher.disconnect();
      removeEventListener('scroll', measure);
      removeEventListener('resize', measure);
    };
  }, [rows, rowHeight]);

  const activeAt = active === null ? -1 : rows.findIndex((row) => holds(row, active));
  const drawn = printing
    ? placesOf(0, Math.min(rows.length, ROWS_PRINTED), -1)
    : placesOf(from, Math.min(to, rows.length), activeAt);

  // Whoever walks by key, or comes back from a case, finds the row in sight and in focus. At once: an effect that waits
  // for the next drawing would focus the row before, and with it make that one active again, for ever.
  const drawnBefore = useRef(false);
  useLayoutEffect(() => {
    const { activeElement } = document;
    // A grid that comes back because somebody filters takes the focus from no field or button.
    const taken = !drawnBefore.current && activeElement !== null && activeElement !== document.body;
    drawnBefore.current = true;
    if (!taken) focusActive();
  }, [active]);

  const several = index.sets.length > 1;
  const words = useMemo(() => searchWords(filter), [filter.search]);
  return (
    <div
      class="grid"
      role="table"
      aria-label={variants === undefined ? 'Cases by criteria' : 'Cases by variants'}
      aria-rowcount={rows.length + 1}
      style={{
        '--criteria': width,
        ...(variants !== undefined && { '--line-height': '26px' }),
        '--row-height': `${rowHeight}px`,
        '--bar-height': `${barHeight}px`,
        '--head-height': `${headHeight}px`,
      }}
    >
      <div class="grid-head" ref={head} role="rowgroup">
        <div class="row" role="row" aria-rowindex={1}>
          <Head sort="worst" name="Verdict" {...props} />
          <Head sort="id" name="Case" {...props} />
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
              name={<b>{breakable(column.name)}</b>}
              rule={ruleOf(column)}
              title={column.description}
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
        }}
      >
        <div
          class="rows"
          ref={body}
          role="rowgroup"
          style={{ height: printing ? 'auto' : `${rows.length * rowHeight}px` }}
        >
          {drawn.map((at) => {
            const placed = rows[at];
            return (
              placed !== undefined && (
                <Row
                  key={placed.place}
                  placed={placed}
                  columns={columns}
                  variants={variants}
                  hrefOf={props.hrefOf}
                  labels={labels}
                  words={words}
                  filterBy={props.filterBy}
                  details={props.details}
                  at={at}
                  setActive={setActive}
                  top={at * rowHeight}
                  active={at === activeAt}
                  href={props.hrefOf(placed)}
                  set={several ? (index.sets[placed.row.set]?.name ?? index.sets[placed.row.set]?.id) : undefined}
                />
              )
            );
          })}
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
}

/** The name of a column, which orders the cases by it. */
function Head(
  props: Pick<OverviewProps, 'filter' | 'filterBy'> & {
    readonly sort: Sort;
    readonly name: ComponentChildren;
    readonly criterion?: string;
    readonly rule?: string;
    readonly title?: string;
  },
) {
  const { filter, sort, criterion } = props;
  const sorted = filter.sort === sort && (criterion === undefined || filter.criterion === criterion);
  return (
    <span
      role="columnheader"
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
      {props.rule !== undefined && <small>{props.rule}</small>}
    </span>
  );
}

/** Brings the active row into sight and focus, if there is one. */
export function focusActive(): void {
  const row = document.querySelector<HTMLElement>('.rows [data-active]');
  const link = row?.querySelector('a');
  if (!row || !link || link === document.activeElement) return;
  row.scrollIntoView({ block: 'nearest' });
  link.focus({ preventScroll: true });
}

function Row(props: {
  readonly placed: PlacedRow;
  readonly columns: readonly Column[];
  readonly variants: readonly string[] | undefined;
  readonly labels: ReadonlyMap<string, string>;
  readonly words: readonly string[];
  readonly at: number;
  readonly top: number;
  readonly active: boolean;
  readonly href: string;
  readonly set: string | undefined;
  filterBy(change: Partial<Filter>): void;
  details(place: number): PageCase | 'loading' | 'missing';
  setActive(place: number): void;
  hrefOf(row: PlacedRow): string;
}) {
  const { placed, columns, variants, active, words } = props;
  const { row, place } = placed;
  const [facts, told] = repeatFacts(row);
  return (
    <div
      class={`row ${row.verdict}${active ? ' active' : ''}`}
      role="row"
      aria-rowindex={props.at + 2}
      data-active={active ? '' : undefined}
      onKeyDown={walkCells}
      style={{ top: `${props.top}px` }}
    >
      <span role="cell" class="verdict">
        <button
          type="button"
          class="by"
          tabIndex={-1}
          title={`Show only: ${VERDICT_WORDS[row.verdict].toLowerCase()}`}
          onClick={() => props.filterBy({ criterion: null, verdicts: [row.verdict] })}
        >
          <VerdictBadge verdict={row.verdict} />
        </button>
        {facts !== '' && <small title={told}>{facts}</small>}
      </span>
      <span role="rowheader" class="case">
        {/* The link covers its row. */}
        <a href={props.href} onFocus={() => props.setActive(place)}>
          {props.set !== undefined && (
            <span class="set">
              <bdi>{visible(props.set)}</bdi> /{' '}
            </span>
          )}
          <bdi>
            <Found text={visible(row.id)} words={words} />
          </bdi>
        </a>
        <small dir="auto" title={row.reason}>
          <Found text={lineOf(row, words)} words={words} />
        </small>
      </span>
      {variants?.map((name, at) => (
        <VariantCell
          key={name}
          name={name}
          placed={placed.variants?.find((each) => each.row.variant === at)}
          columns={columns}
          hrefOf={props.hrefOf}
        />
      ))}
      {(variants === undefined ? columns : []).map((column) => (
        <ScoreCell
          key={column.name}
          placed={placed}
          column={column}
          label={props.labels.get(column.name) ?? column.name}
          filterBy={props.filterBy}
          details={props.details}
        />
      ))}
      <span role="cell" class="time">
        {row.time === null ? '–' : formatTime(row.time)}
        {row.tokens !== undefined && (
          <small title="Input and output tokens of the agent’s model calls">
            {row.moreTokens && 'over '}
            {formatTokens(row.tokens)}
          </small>
        )}
      </span>
    </div>
  );
}

/** Why the case came to its verdict, or how it begins; whichever has what is searched for. */
function lineOf({ reason, asked }: CaseRow, words: readonly string[]): string {
  const usual = rowReason(reason) ?? asked;
  const fits = (text: string) => words.some((word) => text.toLowerCase().includes(word));
  return fits(usual) ? usual : ([asked, reason ?? ''].find(fits) ?? usual);
}

/** What stands below the verdict, short and in full: how many repeats passed, how they differ, and whether any was cut off. */
function repeatFacts({ repeats: { passed, total }, answers = 0, limited }: CaseRow): readonly [string, string] {
  if (total <= 1) return limited > 0 ? ['at the turn limit', 'at the turn limit'] : ['', ''];
  const cutOff = limited > 0 ? `, ${limited} at the turn limit` : '';
  return [
    `${passed}/${total} passed, ${count(answers, 'answer')}${cutOff}`,
    `${passed}/${total} passed, ${count(answers, 'distinct answer')}${cutOff}`,
  ];
}

function ScoreCell(props: {
  readonly placed: PlacedRow;
  readonly column: Column;
  readonly label: string;
  filterBy(change: Partial<Filter>): void;
  details(place: number): PageCase | 'loading' | 'missing';
}) {
  const { placed, column, label, filterBy } = props;
  const { row } = placed;
  const cell = cellOf(row, column);
  if (cell === undefined) {
    const absent = (column.at[row.set] ?? -1) < 0;
    return (
      <span role="cell" class="score none">
        <i class="name">{visible(label)}</i>
        <span class="number">–</span>
        <small>{absent ? 'not in this set' : 'not scored'}</small>
      </span>
    );
  }
  const [verdict, score, coverage] = cell;
  const only = `Show only: ${visible(column.name)} ${VERDICT_WORDS[verdict].toLowerCase()}`;
  const filter = () => filterBy({ criterion: column.name, verdicts: [verdict] });
  return (
    <span role="cell" class={`score ${verdict}${coverage !== null && coverage < 1 ? ' partial' : ''}`}>
      <i class="name">{visible(label)}</i>
      <Mark
        class="number by"
        label={`Expected and actual, for ${visible(column.name)} of ${visible(row.id)}`}
        tabIndex={-1}
        title={only}
        press={filter}
        sign={
          <>
            <VerdictIcon verdict={verdict} />
            <span class="unseen">{VERDICT_WORDS[verdict]} </span>
            {formatScore(score, column.threshold ?? null, verdict === 'passed' ? column.range : null)}
          </>
        }
      >
        {(close) => (
          <>
            <CellComparison one={props.details(placed.place)} column={column} />
            <button
              type="button"
              class="quiet"
              onClick={() => {
                close();
                filter();
              }}
            >
              {only}
            </button>
          </>
        )}
      </Mark>
      {coverage === null && <small>not applicable</small>}
      {coverage !== null && coverage < 1 && <small>{formatShare(coverage)} scored</small>}
    </span>
  );
}

/** What a cell rests on. The case is read when somebody asks for it. */
function CellComparison(props: { readonly one: PageCase | 'loading' | 'missing'; readonly column: Column }) {
  const { one, column } = props;
  if (one === 'loading') return <p class="note">Reading the case…</p>;
  const result = one === 'missing' ? undefined : one.result.criteria.find(({ name }) => name === column.name);
  if (one === 'missing' || result === undefined) return <p class="note">The details of this case are not there.</p>;
  const { range, threshold = null } = column;
  return <Comparison one={one} result={result} criterion={{ range, threshold: result.threshold ?? threshold }} />;
}

/** Right and left go from a case to its scores, each of which shows what it rests on. */
function walkCells(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('.case a, .score .number:is(button, a)')];
  const next = stops[stops.indexOf(event.target as HTMLElement) + step];
  if (next === undefined || !stops.includes(event.target as HTMLElement)) return;
  event.preventDefault();
  next.focus();
  next.scrollIntoView({ block: 'nearest', inline: 'nearest' });
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
