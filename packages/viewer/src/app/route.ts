import type { CriterionVerdict, Verdict } from '@agent-criteria/core/host';
import type { Pending } from '../page-data.ts';
import { formatAddress, parseAddress, unescaped, wellFormed } from './address.ts';

/**
 * A verdict on a case or a criterion, the verdict on a run whose gates could not be decided, or the state of what has no
 * verdict yet.
 */
export type AnyVerdict = Verdict | CriterionVerdict | 'cannot-tell' | Pending;

export const SORTS = ['worst', 'order', 'id', 'score', 'time', 'tokens'] as const;
export type Sort = (typeof SORTS)[number];

/** Columns for a case's first message and last answer. */
export const TEXT_COLUMNS = ['input', 'output'] as const;
export type TextColumn = (typeof TEXT_COLUMNS)[number];

/** The filter, order and columns of the grid. */
export interface Filter {
  /** The verdicts to show; all if empty. */
  readonly verdicts: readonly AnyVerdict[];
  /** The criterion to filter and sort by, or `null` for the case itself. */
  readonly criterion: string | null;
  readonly search: string;
  /** The tag that cases must have, or `null` for any. */
  readonly tag: string | null;
  readonly sort: Sort;
  /** Names of criteria whose columns are hidden. */
  readonly hidden: readonly string[];
  /** Text columns that are shown. */
  readonly shown: readonly TextColumn[];
}

export const NO_FILTER: Filter = {
  verdicts: [],
  criterion: null,
  search: '',
  tag: null,
  sort: 'worst',
  hidden: [],
  shown: [],
};

/** A case. `repeat` and `turn` are zero-based. */
export interface CaseRoute {
  readonly view: 'case';
  readonly set: string;
  readonly id: string;
  /** The variant. Default: the first or only one. */
  readonly variant?: string | undefined;
  readonly repeat: number;
  readonly turn: number | null;
}

/** The list of all cases, and the case being previewed. */
export interface CasesRoute {
  readonly view: 'cases';
  readonly filter: Filter;
  /** The previewed case. Its turn is not part of the address. */
  readonly beside?: CaseRoute | undefined;
}

/** A view that has its own address. */
export type Route = CasesRoute | CaseRoute;

const VERDICTS: readonly AnyVerdict[] = [
  'passed',
  'failed',
  'not-evaluated',
  'error',
  'informational',
  'skipped',
  'waiting',
  'running',
];

/**
 * Formats the address of a view, such as `#/case/set/id?repeat=2&turn=1`. In addresses, repeats and turns count from 1.
 */
export function formatRoute(route: Route): string {
  const query = new URLSearchParams();
  const own = route.view === 'case' ? route : route.beside;
  if (own?.variant !== undefined) query.set('variant', own.variant);
  if (own !== undefined && own.repeat > 0) query.set('repeat', String(own.repeat + 1));
  if (route.view === 'case') {
    if (route.turn !== null) query.set('turn', String(route.turn + 1));
    return formatAddress(['case', route.set, route.id], query);
  }
  const { verdicts, criterion, search: words, tag, sort, hidden, shown } = route.filter;
  if (verdicts.length > 0) query.set('verdict', verdicts.join('.'));
  if (criterion !== null) query.set('criterion', criterion);
  if (words !== '') query.set('search', words);
  if (tag !== null) query.set('tag', tag);
  if (sort !== NO_FILTER.sort) query.set('sort', sort);
  for (const name of hidden) query.append('hide', name);
  if (shown.length > 0) query.set('show', shown.join('.'));
  if (route.beside !== undefined) query.set('case', [route.beside.set, route.beside.id].map(step).join('/'));
  return formatAddress([], query);
}

/** Parses an address. An unknown address leads to the list of cases. */
export function parseRoute(hash: string): Route {
  const { steps, query } = parseAddress(hash);
  const [view, set, id, ...more] = steps;
  if (view === 'case' && more.length === 0) {
    const one = caseOf(set, id, query);
    if (one !== undefined) return { ...one, turn: fromOne(query.get('turn')) };
  }
  const [besideSet, besideId] = (query.get('case') ?? '').split('/');
  const beside = caseOf(besideSet && unescaped(besideSet), besideId && unescaped(besideId), query);
  const wanted = (query.get('verdict') ?? '').split('.');
  const sort = query.get('sort');
  return {
    view: 'cases',
    filter: {
      verdicts: VERDICTS.filter((verdict) => wanted.includes(verdict)),
      criterion: query.get('criterion'),
      search: query.get('search') ?? '',
      tag: query.get('tag'),
      sort: SORTS.find((known) => known === sort) ?? NO_FILTER.sort,
      hidden: query.getAll('hide'),
      shown: TEXT_COLUMNS.filter((column) => (query.get('show') ?? '').split('.').includes(column)),
    },
    ...(beside !== undefined && { beside }),
  };
}

function caseOf(set: string | undefined, id: string | undefined, query: URLSearchParams): CaseRoute | undefined {
  if (set === undefined || id === undefined) return undefined;
  const variant = query.get('variant');
  const ids = { set, id, ...(variant !== null && { variant }) };
  return { view: 'case', ...ids, repeat: fromOne(query.get('repeat')) ?? 0, turn: null };
}

/** Escapes only separators, which is sufficient in a query. */
function step(text: string): string {
  return wellFormed(text).replaceAll(/[%/]/g, encodeURIComponent);
}

function fromOne(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) - 1 : null;
}

/**
 * Formats the address of a view of a run embedded in a larger app.
 *
 * @param base The address of the run.
 */
export function runAddress(base: string, route: Route): string {
  return `${base}${formatRoute(route).slice(1)}`;
}
