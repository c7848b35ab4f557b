import { count, runAddress, visible } from '@agent-criteria/viewer/views';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Problem } from '../answer.tsx';
import { formatRoute, type MatrixRoute } from '../route.ts';
import { go } from '../router.ts';
import { View } from '../view.tsx';
import { type Matrix, type MatrixFilter, matrixOf, matrixRows } from './matrix.ts';
import { MatrixGrid } from './matrix-grid.tsx';
import { useColumns } from './use-columns.ts';

/** Milliseconds after the last key before rows are searched. */
const PAUSE = 150;

/** Cases by runs or variants, with verdicts or answers in the cells. */
export function MatrixPage({ route }: { readonly route: MatrixRoute }) {
  const { runs, isWhole, problem } = useColumns(route);
  const matrix = useMemo(() => matrixOf(runs), [runs]);
  const { filter, cells } = route;
  const rows = useMemo(() => matrixRows(matrix, filter, cells), [matrix, filter, cells]);
  const criterion = matrix.criteria.find(({ name }) => name === filter.criterion);
  const show = (next: Partial<MatrixRoute>) => go({ ...route, ...next }, 'instead');
  const [first] = route.runs;
  return (
    <View
      title={route.newest ? 'Cases by runs' : 'Cases side by side'}
      above={
        <>
          <a href="#/runs">Runs</a>
          {first !== undefined && (
            <>
              {' / '}
              <a href={formatRoute({ view: 'run', run: first })}>{visible(first)}</a>
            </>
          )}
        </>
      }
      actions={
        <fieldset class="matrix-cells">
          <legend class="unseen">In the cells</legend>
          {(['verdicts', 'answers'] as const).map((one) => (
            <label key={one}>
              <input type="radio" name="cells" checked={cells === one} onChange={() => show({ cells: one })} />
              {one === 'verdicts' ? 'Verdicts' : 'Answers'}
            </label>
          ))}
        </fieldset>
      }
    >
      <Problem text={problem} />
      <MatrixFilters matrix={matrix} filter={filter} change={(next) => show({ filter: { ...filter, ...next } })} />
      <p class="note" role="status">
        {isWhole
          ? `${count(rows.length, 'case')}${rows.length === matrix.rows.length ? '' : ` of ${matrix.rows.length.toLocaleString('en')}`}, ${count(matrix.columns.length, 'column')}`
          : `Reading the runs… ${count(runs.length, 'run')} so far`}
      </p>
      {isWhole && rows.length === 0 && problem === undefined && (
        <p class="empty">
          {matrix.rows.length === 0 ? 'These runs have no cases.' : 'No case fits. Widen the range, or show all rows.'}
        </p>
      )}
      {rows.length > 0 && (
        <MatrixGrid
          matrix={matrix}
          rows={rows}
          cells={cells}
          criterion={criterion}
          hrefOf={({ set, id }, { run, variant }) =>
            runAddress(formatRoute({ view: 'run', run }), {
              view: 'case',
              set,
              id,
              ...(variant !== null && { variant }),
              repeat: 0,
              turn: null,
            })
          }
        />
      )}
    </View>
  );
}

function MatrixFilters(props: {
  readonly matrix: Matrix;
  readonly filter: MatrixFilter;
  change(filter: Partial<MatrixFilter>): void;
}) {
  const { matrix, filter, change } = props;
  const [search, setSearch] = useState(filter.search);
  useEffect(() => {
    if (search === filter.search) return;
    const timer = setTimeout(() => change({ search }), PAUSE);
    return () => clearTimeout(timer);
  }, [search]);
  const end = (name: 'min' | 'max', label: string) => (
    <label>
      {label}{' '}
      <input
        type="number"
        step="any"
        value={filter[name] ?? ''}
        onInput={({ currentTarget: { value, valueAsNumber } }) =>
          change({ [name]: value === '' || Number.isNaN(valueAsNumber) ? null : valueAsNumber })
        }
      />
    </label>
  );
  return (
    <section class="matrix-filters" aria-label="Filters">
      <input
        id="search"
        type="search"
        placeholder="Find cases"
        aria-label="Find cases"
        value={search}
        onInput={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      <label>
        Show{' '}
        <select
          value={filter.criterion}
          onChange={({ currentTarget: { value } }) =>
            change({ criterion: value, ...(value === '' && { min: null, max: null }) })
          }
        >
          <option value="">Verdict of the case</option>
          {matrix.criteria.map(({ name }) => (
            <option key={name} value={name}>
              {visible(name)}
            </option>
          ))}
        </select>
      </label>
      {filter.criterion !== '' && (
        <>
          {end('min', 'from')} {end('max', 'to')}
        </>
      )}
      <label class="switch">
        <input
          type="checkbox"
          checked={filter.changed}
          onChange={({ currentTarget }) => change({ changed: currentTarget.checked })}
        />
        Only rows that differ
      </label>
    </section>
  );
}
