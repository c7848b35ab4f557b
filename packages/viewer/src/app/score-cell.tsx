import { formatShare } from '@agent-criteria/core/host';
import type { PageCase } from '../page-data.ts';
import { Comparison } from './comparison.tsx';
import { scoreText, visible } from './format.ts';
import { isPending } from './is-pending.ts';
import { Mark } from './mark.tsx';
import type { Filter } from './route.ts';
import { type Column, cellOf, type PlacedRow } from './select-cases.ts';
import { VERDICT_WORDS, VerdictIcon } from './verdict.tsx';

/** A criterion's score on a case, with a card that explains it. */
export function ScoreCell(props: {
  readonly placed: PlacedRow;
  readonly column: Column;
  readonly label: string;
  filterBy(change: Partial<Filter>): void;
  details(place: number): PageCase | 'loading' | 'missing';
}) {
  const { placed, column, label, filterBy } = props;
  const { row } = placed;
  const cell = cellOf(row, column);
  const title = (
    <i class="name" title={visible(column.name)}>
      {visible(label)}
    </i>
  );
  if (cell === undefined) {
    const absent = (column.at[row.set] ?? -1) < 0;
    return (
      <span role="cell" class="score none">
        {title}
        <span class="number">–</span>
        <small>{absent ? 'not in this set' : isPending(row.verdict) ? '' : 'not scored'}</small>
      </span>
    );
  }
  const [verdict, score, coverage] = cell;
  const only = `Show only: ${visible(column.name)} ${VERDICT_WORDS[verdict].toLowerCase()}`;
  const filter = () => filterBy({ criterion: column.name, verdicts: [verdict] });
  return (
    <span role="cell" class={`score ${verdict}${coverage !== null && coverage < 1 ? ' partial' : ''}`}>
      {title}
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
            {scoreText(score, column.threshold ?? null, verdict === 'passed' ? column.range : null)}
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

/** Explains a cell. The case is loaded when the card opens. */
function CellComparison(props: { readonly one: PageCase | 'loading' | 'missing'; readonly column: Column }) {
  const { one, column } = props;
  if (one === 'loading') return <p class="note">Reading the case…</p>;
  const result = one === 'missing' ? undefined : one.result.criteria.find(({ name }) => name === column.name);
  if (one === 'missing' || result === undefined) return <p class="note">The details of this case are not there.</p>;
  const { range, threshold = null } = column;
  return <Comparison one={one} result={result} criterion={{ range, threshold: result.threshold ?? threshold }} />;
}
