import type { RunOrder, RunQuery, RunResult } from '../../api.ts';

/** The filters of the list of runs, as in its address. An empty string filters nothing. */
export interface RunListFilter {
  readonly search: string;
  readonly verdict: RunResult | '';
  readonly set: string;
  readonly agent: string;
  readonly variant: string;
  readonly commit: string;
  /** The first day, as in `2026-11-23`. */
  readonly from: string;
  /** The last day. */
  readonly to: string;
  readonly sort: RunOrder;
  /** From 1. */
  readonly page: number;
}

export const NO_FILTER: RunListFilter = {
  search: '',
  verdict: '',
  set: '',
  agent: '',
  variant: '',
  commit: '',
  from: '',
  to: '',
  sort: 'newest',
  page: 1,
};

/** Runs on a page. */
export const PAGE = 50;

export const ORDERS: Readonly<Record<RunOrder, string>> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  'least-passed': 'Fewest passed first',
  'most-passed': 'Most passed first',
  longest: 'Longest first',
  shortest: 'Shortest first',
};

export const RESULTS: Readonly<Record<RunResult, string>> = {
  passed: 'Passed',
  failed: 'Failed',
  error: 'Error',
  'not-evaluated': 'Not evaluated',
  'cannot-tell': 'Cannot tell',
  informational: 'Informational',
  'under-way': 'Under way',
  unfinished: 'Unfinished',
  'not-judged': 'Not judged',
  unreadable: 'Cannot be read',
};

const TEXTS = ['search', 'set', 'agent', 'variant', 'commit'] as const;
const DAYS = ['from', 'to'] as const;

/** Reads a filter from an address, or `undefined` if there is none. Values that mean nothing are left out. */
export function filterFrom(query: URLSearchParams): RunListFilter | undefined {
  const value = (name: string) => query.get(name) ?? '';
  const filter: RunListFilter = {
    ...NO_FILTER,
    ...Object.fromEntries(TEXTS.map((name) => [name, value(name)])),
    ...Object.fromEntries(DAYS.map((name) => [name, startOf(value(name)) === undefined ? '' : value(name)])),
    verdict: keyOf(RESULTS, value('verdict')) ?? '',
    sort: keyOf(ORDERS, value('sort')) ?? 'newest',
    page: /^[1-9]\d{0,6}$/.test(value('page')) ? Number(value('page')) : 1,
  };
  return Object.keys(textsOf(filter)).length === 0 ? undefined : filter;
}

/** Returns the parts of a filter that differ from none, for an address. */
export function textsOf(filter: RunListFilter = NO_FILTER): Readonly<Record<string, string>> {
  const differing = Object.entries(filter).filter(([name, value]) => value !== NO_FILTER[name as keyof RunListFilter]);
  return Object.fromEntries(differing.map(([name, value]) => [name, String(value)]));
}

/** The number of filters that are set, without search, order and page. */
export function filtersSet({ search: _, sort: __, page: ___, ...filters }: RunListFilter): number {
  return Object.values(filters).filter((value) => value !== '').length;
}

/** Returns what to ask the server for. Days are those of the reader. */
export function queryOf(app: string | null, filter: RunListFilter) {
  const given = (text: string) => (text === '' ? undefined : text);
  return {
    app: app ?? undefined,
    text: given(filter.search),
    verdict: filter.verdict === '' ? undefined : filter.verdict,
    set: given(filter.set),
    agent: given(filter.agent),
    variant: given(filter.variant),
    commit: given(filter.commit),
    from: startOf(filter.from),
    until: startOf(filter.to, 1),
    sort: filter.sort === 'newest' ? undefined : filter.sort,
    offset: (filter.page - 1) * PAGE,
    limit: PAGE,
  } satisfies RunQuery & { readonly offset: number; readonly limit: number };
}

/** Returns when a day begins here, in milliseconds since the epoch, or `undefined` if the text is not a day. */
function startOf(day: string, later = 0): number | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  if (year === undefined) return undefined;
  const start = new Date(Number(year), Number(month) - 1, Number(date) + later);
  // Such as February 30th.
  const isDay = later > 0 || (start.getMonth() === Number(month) - 1 && start.getDate() === Number(date));
  return isDay ? start.getTime() : undefined;
}

function keyOf<Key extends string>(choices: Readonly<Record<Key, string>>, text: string): Key | undefined {
  return Object.hasOwn(choices, text) ? (text as Key) : undefined;
}
