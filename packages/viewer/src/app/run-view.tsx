import type { ComponentChildren, ComponentType, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { countTurns } from '../count-turns.ts';
import { useAddress, wellFormed } from './address.ts';
import { type BesideCase, type BesideSetting, firstToLookAt, useBeside } from './beside.ts';
import type { Around, CaseAction, Remedies } from './case-action.ts';
import { focusActive } from './case-grid.tsx';
import { CaseView } from './case-view.tsx';
import { isPending } from './is-pending.ts';
import { Overview } from './overview.tsx';
import type { RunningProps } from './overview-props.ts';
import {
  type CaseRoute,
  type CasesRoute,
  type Filter,
  NO_FILTER,
  parseRoute,
  type Route,
  runAddress,
} from './route.ts';
import type { RunSource } from './run-source.ts';
import { columnsOf, holds, type PlacedRow, selectRows, variantsOf } from './select-cases.ts';
import { useKeys } from './use-keys.ts';

/** A run: the grid of its cases, and each case in full. */
export function RunView(props: {
  readonly source: RunSource;
  readonly printing: boolean;
  /** The prefix of its addresses. Default: `#`. */
  readonly base?: string | undefined;
  /** Whether single-key shortcuts are enabled. */
  readonly keysOn: boolean;
  readonly tools: ComponentChildren;
  readonly main: RefObject<HTMLElement | null>;
  /** Shown between the facts of the run and the grid. */
  readonly banner?: ComponentChildren | undefined;
  /** The head of a run in flight. Reports need none, because they show runs as they were recorded. */
  readonly running?: ComponentType<RunningProps> | undefined;
  /** Additional actions on a case. */
  readonly caseActions?: readonly CaseAction[] | undefined;
  /** Wraps the conversation of a case. Default: no wrapper. */
  readonly around?: ComponentType<Around> | undefined;
  /** Shown above the conversation of a case. Default: nothing. */
  readonly remedies?: ComponentType<Remedies> | undefined;
  /** The filter to use if the address has none. */
  readonly kept?: Filter | undefined;
  keep?(filter: Filter): void;
  /** Settings for previews next to the list. Default: no previews. */
  readonly beside?: BesideSetting | undefined;
  onView?(view: Route['view']): void;
}) {
  const { source, printing, base = '#', keysOn, tools, main } = props;
  const { index } = source;
  const [route, show] = useRoute(base, props.kept);
  const format = (next: Route) => runAddress(base, next);
  // Going back restores the filter in the address. An open case remembers the list from which it was opened.
  const kept = useRef<CasesRoute>({ view: 'cases', filter: NO_FILTER });
  if (route.view === 'cases') kept.current = route;
  const { filter } = kept.current;
  const [active, setActive] = useState<number | null>(null);
  const scrolled = useRef(0);
  const columns = useMemo(() => columnsOf(index), [index]);
  const withTokens = useMemo(() => index.cases.some(({ tokens }) => tokens !== undefined), [index]);
  const rows = useMemo(() => selectRows(index, columns, filter), [index, columns, filter]);

  // Before the page is painted, so that nothing moves afterwards.
  useLayoutEffect(() => {
    if (route.view === 'cases') props.keep?.(route.filter);
    props.onView?.(route.view);
  }, [route]);

  const opened = route.view === 'case' ? findRow(source, route) : undefined;
  const openedPlace = opened?.place ?? null;
  useEffect(() => {
    if (openedPlace !== null) setActive(openedPlace);
  }, [openedPlace]);
  useEffect(() => {
    document.title = opened === undefined ? index.title : `${opened.row.id} – ${index.title}`;
  }, [opened?.row.id, index.title]);

  const routeOf = ({ row }: PlacedRow): CaseRoute => {
    const variant = index.info.variants?.[row.variant ?? -1]?.name;
    const set = index.sets[row.set]?.id ?? '';
    return { view: 'case', set, id: row.id, ...(variant !== undefined && { variant }), repeat: 0, turn: null };
  };
  const open = (row: PlacedRow) => show(routeOf(row));
  /** Returns the route of the list as it was left, but with a different preview. */
  const listWith = (row: PlacedRow | undefined): CasesRoute => {
    return { view: 'cases', filter: kept.current.filter, ...(row !== undefined && { beside: routeOf(row) }) };
  };
  const besideRoute = route.view === 'cases' && props.beside !== undefined && !printing ? route.beside : undefined;
  const beside = useMemo((): BesideCase | undefined => {
    return besideRoute && { route: besideRoute, row: findRow(source, besideRoute) };
  }, [source, besideRoute]);
  const besidePlace = beside?.row?.place ?? null;
  const first = useMemo(() => firstToLookAt(rows, index.info.endedAt !== null), [rows, index.info.endedAt]);
  const side = useBeside({
    setting: printing ? undefined : props.beside,
    route: route.view === 'cases' ? route : undefined,
    shown: beside,
    first,
    isListed: useMemo(() => rows.some((row) => holds(row, besidePlace)), [rows, besidePlace]),
    show: (row, how) => show(listWith(row), how),
  });
  const rowAt = (place: number | null) => rows.find((row) => holds(row, place));
  /** Makes a row active. If a preview is open, it shows that row's case. */
  const activate = (row: PlacedRow) => {
    setActive(row.place);
    if (beside !== undefined && !holds(row, besidePlace)) show(listWith(row), 'instead');
  };
  const filterBy = (change: Partial<Filter>) => {
    // Starts from the latest filter, not the rendered one: a debounced search must not undo buttons pressed in the
    // meantime.
    kept.current = { ...kept.current, filter: { ...kept.current.filter, ...change } };
    show(kept.current, 'instead');
  };
  const list = kept.current.beside === undefined ? listWith(undefined) : listWith(opened);
  const back = () => show(list);
  const closeSide = () => {
    side.close();
    if (besidePlace === null) return;
    setActive(besidePlace);
    // The focused element may have been removed.
    requestAnimationFrame(focusActive);
  };
  /** Goes to the next matching row. If a case is open, opens the row's case; otherwise, makes the row active. */
  const go = (step: 1 | -1, fits: (row: PlacedRow) => boolean) => {
    // If no row is active, keyboard navigation starts at the previewed case.
    const shown = active === null ? rowAt(besidePlace) : undefined;
    if (shown !== undefined) return activate(shown);
    const here = rows.findIndex((row) => holds(row, openedPlace ?? besidePlace ?? active));
    for (let at = here < 0 && step < 0 ? rows.length - 1 : here + step; ; at += step) {
      const row = rows[at];
      if (row === undefined) return route.view === 'case' ? undefined : focusActive();
      if (!fits(row)) continue;
      if (route.view === 'case') {
        open(row);
        setActive(row.place);
      } else activate(row);
      return;
    }
  };
  const goToTurn = (step: 1 | -1) => {
    const one = opened && source.details(opened.place);
    if (route.view !== 'case' || typeof one !== 'object') return;
    const last = countTurns(one, route.repeat) - 1;
    const turn = Math.max(Math.min((route.turn ?? -1) + step, last), 0);
    show({ ...route, turn }, 'instead');
  };
  // Normally stops only at cases that need attention, but at every case if all passed.
  const isWalked = useMemo(() => (rows.some(isBad) ? isBad : () => true), [rows]);

  useKeys(keysOn, {
    j: () => go(1, isWalked),
    k: () => go(-1, isWalked),
    J: () => go(1, () => true),
    K: () => go(-1, () => true),
    ...(route.view === 'case'
      ? { Escape: back, n: () => goToTurn(1), p: () => goToTurn(-1) }
      : {
          ArrowDown: () => go(1, () => true),
          ArrowUp: () => go(-1, () => true),
          '/': () => document.getElementById('search')?.focus(),
          ...(beside !== undefined && { Escape: closeSide }),
          ...(props.beside !== undefined && { o: beside === undefined ? () => openSide() : closeSide }),
        }),
  });

  const openSide = (place?: number) => side.open(rowAt(place ?? active) ?? first ?? rows[0]);
  const pane = (isBelow: boolean) => {
    const Pane = props.beside?.pane;
    if (beside === undefined || Pane === undefined) return null;
    const here = rows.findIndex((row) => holds(row, besidePlace));
    const before = rows.slice(0, Math.max(here, 0)).findLast(isWalked);
    const after = rows.slice(here + 1).find(isWalked);
    return (
      <Pane
        source={source}
        columns={columns}
        beside={beside}
        isBelow={isBelow}
        previous={before && (() => activate(before))}
        next={after && (() => activate(after))}
        close={closeSide}
        open={show}
        choose={(repeat) => show({ ...kept.current, beside: { ...beside.route, repeat } }, 'instead')}
        format={format}
        hrefOf={(variant) => format({ ...kept.current, beside: { ...beside.route, variant } })}
      />
    );
  };

  return route.view === 'cases' ? (
    <Overview
      index={index}
      columns={columns}
      details={(place) => source.details(place)}
      rows={rows}
      filter={filter}
      filterBy={filterBy}
      active={active}
      setActive={(place) => {
        const row = rowAt(place);
        if (row !== undefined) activate(row);
      }}
      withTokens={withTokens}
      printing={printing}
      scrolled={scrolled}
      main={main}
      tools={tools}
      hrefOf={(row) => format(routeOf(row))}
      banner={props.banner}
      running={props.running}
      pane={
        props.beside && {
          place: besidePlace,
          draw: beside && pane,
          splitter: props.beside.splitter,
          open: openSide,
          close: closeSide,
        }
      }
    />
  ) : (
    <CaseView
      key={openedPlace}
      source={source}
      columns={columns}
      route={route}
      opened={opened}
      rows={rows}
      go={go}
      show={show}
      keysOn={keysOn}
      isBad={isBad}
      main={main}
      tools={tools}
      backTo={format(list)}
      format={format}
      actions={props.caseActions}
      around={props.around}
      remedies={props.remedies}
    />
  );
}

/** Returns the view that the address identifies, with the stored filter if the address has none. */
function useRoute(base: string, kept: Filter | undefined) {
  const read = (hash: string): Route => {
    const next = parseRoute(`#${hash.slice(base.length)}`);
    return next.view === 'cases' && kept !== undefined && !hash.includes('?') ? { view: 'cases', filter: kept } : next;
  };
  return useAddress(read, (next: Route) => runAddress(base, next), base);
}

function isBad({ row }: PlacedRow): boolean {
  return row.verdict !== 'passed' && row.verdict !== 'informational' && !isPending(row.verdict);
}

function findRow({ index }: RunSource, route: Extract<Route, { view: 'case' }>): PlacedRow | undefined {
  const [set, id] = [wellFormed(route.set), wellFormed(route.id)];
  const place = index.cases.findIndex(
    (row) =>
      wellFormed(row.id) === id &&
      wellFormed(index.sets[row.set]?.id ?? '') === set &&
      (route.variant === undefined || index.info.variants?.[row.variant ?? -1]?.name === route.variant),
  );
  const row = index.cases[place];
  if (row === undefined) return undefined;
  return index.info.variants === undefined ? { row, place } : { row, place, variants: variantsOf(index, place) };
}
