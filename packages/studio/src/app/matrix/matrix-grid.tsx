import {
  count,
  localTime,
  scoreText,
  usePhone,
  VERDICT_WORDS,
  VerdictIcon,
  visible,
  visibleRows,
} from '@agent-criteria/viewer/views';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { MatrixCriterion } from '../../api.ts';
import { formatRoute } from '../route.ts';
import { type GridPlace, movedTo } from './grid-keys.ts';
import type { Matrix, MatrixCell, MatrixColumn, MatrixRow } from './matrix.ts';

const HEIGHTS = { answers: 108, verdicts: 40 } as const;

/**
 * A grid of cases by runs or variants. Only the rows in view are drawn. Arrow keys move from cell to cell, and Enter
 * opens the case in its run.
 */
export function MatrixGrid(props: {
  readonly matrix: Matrix;
  readonly rows: readonly MatrixRow[];
  readonly cells: 'answers' | 'verdicts';
  /** The criterion whose scores are shown. Default: the verdict of the case. */
  readonly criterion: MatrixCriterion | undefined;
  hrefOf(row: MatrixRow, column: MatrixColumn): string;
}) {
  const { matrix, rows, cells, criterion, hrefOf } = props;
  const { columns, hasSeveralSets } = matrix;
  const box = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  const [active, setActive] = useState<GridPlace>({ row: 0, column: 0 });
  /** Set by keys, so that a cell takes the focus once it is drawn. */
  const wanted = useRef(false);
  const phone = usePhone();
  const rowHeight = HEIGHTS[cells];
  const headHeight = head.current?.offsetHeight ?? 0;
  const measure = () => {
    const { current } = box;
    if (current !== null) setView({ top: current.scrollTop, height: current.clientHeight });
  };
  useLayoutEffect(() => {
    measure();
    addEventListener('resize', measure);
    return () => removeEventListener('resize', measure);
  }, []);
  const row = Math.min(active.row, Math.max(rows.length - 1, 0));
  const column = Math.min(active.column, Math.max(columns.length - 1, 0));
  const [from, to] = visibleRows({ top: headHeight - view.top, height: view.height, rowHeight, rows: rows.length });
  useLayoutEffect(() => {
    const { current } = box;
    if (!wanted.current || current === null) return;
    const cell = current.querySelector<HTMLElement>('[data-active]');
    if (cell === null) return;
    wanted.current = false;
    cell.focus({ preventScroll: true });
  });
  const move = (next: GridPlace) => {
    const { current } = box;
    if (current === null) return;
    wanted.current = true;
    setActive(next);
    // Neither the head nor the first column, which stick, may cover the cell.
    const top = next.row * rowHeight;
    if (top < current.scrollTop) current.scrollTop = top;
    const below = top + rowHeight + headHeight - current.clientHeight;
    if (below > current.scrollTop) current.scrollTop = below;
    const header = head.current?.children[next.column + 1] as HTMLElement | undefined;
    const first = head.current?.children[0] as HTMLElement | undefined;
    if (header !== undefined && first !== undefined) {
      if (header.offsetLeft - first.offsetWidth < current.scrollLeft) {
        current.scrollLeft = header.offsetLeft - first.offsetWidth;
      }
      const right = header.offsetLeft + header.offsetWidth - current.clientWidth;
      if (right > current.scrollLeft) current.scrollLeft = right;
    }
    measure();
  };
  const drawn = Array.from({ length: Math.max(to - from, 0) }, (_, index) => from + index);
  return (
    <div
      ref={box}
      class={`matrix ${cells}`}
      role="grid"
      aria-label={cells === 'answers' ? 'Answers by case' : 'Verdicts by case'}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length + 1}
      style={{ '--columns': columns.length, '--row-height': `${rowHeight}px` }}
      onScroll={measure}
      onKeyDown={(event) => {
        if (event.altKey || event.metaKey || event.shiftKey) return;
        const page = Math.max(Math.floor((view.height - headHeight) / rowHeight) - 1, 1);
        const next = movedTo({ row, column }, event, { rows: rows.length, columns: columns.length, page });
        if (next === null) return;
        event.preventDefault();
        event.stopPropagation();
        move(next);
      }}
    >
      <div class="matrix-head" role="row" aria-rowindex={1} ref={head}>
        <span role="columnheader" aria-colindex={1}>
          {count(rows.length, 'case')}
        </span>
        {columns.map((one, place) => (
          <span key={`${one.run} ${one.variant}`} role="columnheader" aria-colindex={place + 2}>
            <ColumnHead column={one} />
          </span>
        ))}
      </div>
      <div role="presentation" style={{ height: `${from * rowHeight}px` }} />
      {drawn.map((at) => {
        const one = rows[at];
        return (
          one !== undefined && (
            <div class="matrix-row" role="row" aria-rowindex={at + 2} key={`${one.set}\n${one.id}`}>
              <span role="rowheader" aria-colindex={1} title={`${one.set}: ${one.id}`}>
                <bdi>{visible(one.id)}</bdi>
                {hasSeveralSets && !(phone && cells === 'verdicts') && <small>{visible(one.set)}</small>}
              </span>
              {columns.map((own, place) => {
                const isActive = at === row && place === column;
                const cell = one.cells[place] ?? null;
                const name = `${one.id}, ${own.variant ?? localTime(own.startedAt)}`;
                return (
                  <span key={`${own.run} ${own.variant}`} role="gridcell" aria-colindex={place + 2}>
                    {cell === null ? (
                      <span
                        class="cell none"
                        tabIndex={isActive ? 0 : -1}
                        data-active={isActive || undefined}
                        role="note"
                        aria-label={`${name}: not in this run`}
                      >
                        –
                      </span>
                    ) : (
                      <a
                        class={`cell ${shownVerdict(cell, criterion)}`}
                        href={hrefOf(one, own)}
                        tabIndex={isActive ? 0 : -1}
                        data-active={isActive || undefined}
                        onFocus={() => setActive({ row: at, column: place })}
                      >
                        <span class="unseen">{visible(name)}: </span>
                        <CellText cell={cell} criterion={criterion} />
                        {cells === 'answers' && <Answer cell={cell} />}
                      </a>
                    )}
                  </span>
                );
              })}
            </div>
          )
        );
      })}
      <div role="presentation" style={{ height: `${Math.max(rows.length - to, 0) * rowHeight}px` }} />
    </div>
  );
}

function ColumnHead({ column: { run, variant, startedAt, passed, of } }: { readonly column: MatrixColumn }) {
  return (
    <>
      <a href={formatRoute({ view: 'run', run })} title={run}>
        {variant === null ? shortTime(startedAt) : <bdi>{visible(variant)}</bdi>}
      </a>
      <small>
        {passed.toLocaleString('en')}/{of.toLocaleString('en')} passed
        {variant !== null && `, ${shortTime(startedAt)}`}
      </small>
    </>
  );
}

function shortTime(at: number): string {
  return new Date(at).toLocaleString(undefined, { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' });
}

function shownVerdict({ verdict, scores }: MatrixCell, criterion: MatrixCriterion | undefined) {
  return criterion === undefined ? verdict : (scores.get(criterion.name)?.[0] ?? 'skipped');
}

function CellText({ cell, criterion }: { readonly cell: MatrixCell; readonly criterion: MatrixCriterion | undefined }) {
  const verdict = shownVerdict(cell, criterion);
  const score = criterion === undefined ? undefined : cell.scores.get(criterion.name)?.[1];
  return (
    <span class="cell-verdict">
      <VerdictIcon verdict={verdict} />
      <span class="unseen">{VERDICT_WORDS[verdict]}</span>
      {criterion !== undefined && (
        <b>{scoreText(score ?? null, criterion.threshold, verdict === 'passed' ? criterion.range : null)}</b>
      )}
      {criterion === undefined && cell.of > 1 && (
        <b title={`${cell.passed} of ${cell.of} repeats passed`}>
          {cell.passed}/{cell.of}
        </b>
      )}
    </span>
  );
}

function Answer({ cell: { answer } }: { readonly cell: MatrixCell }) {
  if (answer === undefined) return <i class="nothing">No answer</i>;
  return (
    <span class="cell-answer" dir="auto">
      {answer}
    </span>
  );
}
