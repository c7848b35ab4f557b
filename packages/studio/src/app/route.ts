import { formatAddress, parseAddress, wellFormed } from '@agent-criteria/viewer/address';
import type { MatrixFilter } from './matrix/matrix.ts';
import { filterFrom, type RunListFilter, textsOf } from './runs/run-list-filter.ts';

/** A view with its own address. Names may contain any text. */
export type Route =
  | { readonly view: 'start' }
  | { readonly view: 'import' }
  | { readonly view: 'app'; readonly app: string }
  | { readonly view: 'set'; readonly app: string; readonly set: string; readonly search: string }
  | { readonly view: 'case'; readonly app: string; readonly set: string; readonly id: string; readonly pane: CasePane }
  | { readonly view: 'trends'; readonly app: string; readonly set: string }
  | { readonly view: 'run-dialog'; readonly app: string; readonly set: string; readonly cases: readonly string[] }
  /** `session` is `null` for the list of sessions. */
  | { readonly view: 'chat'; readonly app: string; readonly session: string | null }
  | RunsRoute
  /** The rest of the address belongs to the run view. */
  | { readonly view: 'run'; readonly run: string }
  | CompareRoute
  | MatrixRoute
  | { readonly view: 'turn-run'; readonly turnRun: string }
  | LabelRoute
  | { readonly view: 'nowhere'; readonly hash: string };

/** The history of runs, of one app or of all. */
export interface RunsRoute {
  readonly view: 'runs';
  readonly app: string | null;
  readonly chosen: readonly string[];
  /** Absent if nothing is filtered, on the first page, newest first. */
  readonly filter?: RunListFilter | undefined;
}

export interface CompareRoute {
  readonly view: 'compare';
  /** The baseline comes first. */
  readonly runs: readonly [string, string];
  /** Whether cases that do not differ are shown. */
  readonly all: boolean;
  /** The open case, with the variants on both sides. */
  readonly opened: {
    readonly set: string;
    readonly id: string;
    readonly before: string | null;
    readonly now: string | null;
  } | null;
}

export function compareRoute(base: string, candidate: string): CompareRoute {
  return { view: 'compare', runs: [base, candidate], all: false, opened: null };
}

/** Cases by runs. */
export interface MatrixRoute {
  readonly view: 'matrix';
  readonly runs: readonly string[];
  /** Whether the columns are the newest runs of the same eval sets as the first run. */
  readonly newest: boolean;
  readonly cells: 'answers' | 'verdicts';
  readonly filter: MatrixFilter;
}

export function matrixRoute(
  runs: readonly string[],
  { newest = false, cells = 'verdicts' }: Partial<Pick<MatrixRoute, 'newest' | 'cells'>> = {},
): MatrixRoute {
  return {
    view: 'matrix',
    runs,
    newest,
    cells,
    filter: { search: '', changed: false, criterion: '', min: null, max: null },
  };
}

/** Without a criterion, the first one with judge verdicts is labelled, or else whole cases. */
export interface LabelRoute {
  readonly view: 'label';
  readonly run: string;
  readonly criterion: string | null;
  readonly rubric: string | null;
  readonly whole: boolean;
}

/** The editor of a case. */
export type CasePane = 'form' | 'json';

/** Formats the address of a view, such as `#/apps/lamp/sets/home`. */
export function formatRoute(route: Route): string {
  switch (route.view) {
    case 'start':
      return '#/';
    case 'import':
      return '#/import';
    case 'app':
      return address(['apps', route.app]);
    case 'set':
      return address(['apps', route.app, 'sets', route.set], { search: route.search });
    case 'case':
      return address(['apps', route.app, 'sets', route.set, 'cases', route.id], {
        pane: route.pane === 'form' ? '' : route.pane,
      });
    case 'trends':
      return address(['apps', route.app, 'sets', route.set, 'trends']);
    case 'run-dialog':
      return address(['apps', route.app, 'sets', route.set, 'run'], {}, route.cases);
    case 'chat':
      return address(['apps', route.app, 'chat', ...(route.session === null ? [] : [route.session])]);
    case 'runs':
      return address(route.app === null ? ['runs'] : ['apps', route.app, 'runs'], {
        ...textsOf(route.filter),
        chosen: route.chosen.join(' '),
      });
    case 'run':
      return address(['runs', route.run]);
    case 'compare': {
      const { opened } = route;
      const steps = opened === null ? [] : ['case', opened.set, opened.id];
      const variants = { before: opened?.before ?? '', now: opened?.now ?? '' };
      return address(['compare', ...route.runs, ...steps], { cases: route.all ? 'all' : '', ...variants });
    }
    case 'matrix': {
      const { search, changed, criterion, min, max } = route.filter;
      return address(['matrix', ...route.runs], {
        runs: route.newest ? 'newest' : '',
        cells: route.cells === 'answers' ? 'answers' : '',
        search,
        rows: changed ? 'changed' : '',
        criterion,
        min: min === null ? '' : String(min),
        max: max === null ? '' : String(max),
      });
    }
    case 'turn-run':
      return address(['turns', route.turnRun]);
    case 'label':
      return address(['label', route.run], {
        criterion: route.criterion ?? '',
        rubric: route.rubric ?? '',
        of: route.whole ? 'cases' : '',
      });
    case 'nowhere':
      return route.hash;
  }
}

export function parseRoute(hash: string): Route {
  const { steps, query } = parseAddress(hash);
  const [kind, first, part, second, more, third] = steps;
  const words = (name: string) => (query.get(name) ?? '').split(' ').filter(Boolean);
  if (kind === undefined || kind === '') return { view: 'start' };
  if (kind === 'import') return { view: 'import' };
  if (kind === 'runs') {
    if (first === undefined) return { view: 'runs', app: null, chosen: words('chosen'), filter: filterFrom(query) };
    return { view: 'run', run: first };
  }
  if (kind === 'compare' && first !== undefined && part !== undefined) {
    const [before, now] = [query.get('before'), query.get('now')];
    const opened =
      second === 'case' && more !== undefined && third !== undefined ? { set: more, id: third, before, now } : null;
    return { ...compareRoute(first, part), all: query.get('cases') === 'all', opened };
  }
  if (kind === 'matrix' && first !== undefined) {
    const bound = (name: string) => {
      const number = Number(query.get(name) ?? '');
      return (query.get(name) ?? '') === '' || !Number.isFinite(number) ? null : number;
    };
    return {
      ...matrixRoute(steps.slice(1), {
        newest: query.get('runs') === 'newest',
        cells: query.get('cells') === 'answers' ? 'answers' : 'verdicts',
      }),
      filter: {
        search: query.get('search') ?? '',
        changed: query.get('rows') === 'changed',
        criterion: query.get('criterion') ?? '',
        min: bound('min'),
        max: bound('max'),
      },
    };
  }
  if (kind === 'turns' && first !== undefined) return { view: 'turn-run', turnRun: first };
  if (kind === 'label' && first !== undefined) {
    const [criterion, rubric] = [query.get('criterion'), query.get('rubric')];
    return { view: 'label', run: first, criterion, rubric, whole: query.get('of') === 'cases' };
  }
  if (kind === 'apps' && first !== undefined) {
    const app = first;
    if (part === undefined) return { view: 'app', app };
    if (part === 'runs') return { view: 'runs', app, chosen: words('chosen'), filter: filterFrom(query) };
    if (part === 'chat') return { view: 'chat', app, session: second ?? null };
    if (part === 'sets' && second !== undefined) {
      const set = second;
      if (more === undefined) return { view: 'set', app, set, search: query.get('search') ?? '' };
      if (more === 'trends') return { view: 'trends', app, set };
      if (more === 'run') return { view: 'run-dialog', app, set, cases: query.getAll('case') };
      if (more === 'cases' && third !== undefined)
        return { view: 'case', app, set, id: third, pane: query.get('pane') === 'json' ? 'json' : 'form' };
    }
  }
  return { view: 'nowhere', hash };
}

/** Returns the app of a view, or `null` for views that span all apps. */
export function appOfRoute(route: Route): string | null {
  return 'app' in route ? route.app : null;
}

function address(
  steps: readonly string[],
  query: Readonly<Record<string, string>> = {},
  cases: readonly string[] = [],
): string {
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''));
  for (const id of cases) search.append('case', wellFormed(id));
  return formatAddress(steps, search);
}
