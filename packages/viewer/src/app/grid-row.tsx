import { useRef } from 'preact/hooks';
import type { CaseRow, PageCase } from '../page-data.ts';
import { rowReason } from '../row-reason.ts';
import { breakable } from './breakable.tsx';
import { TEXT_NAMES } from './column-menu.tsx';
import { count, formatTime, formatTokens, visible } from './format.ts';
import { Found } from './marked.tsx';
import { HORIZONTAL, moveFocus } from './move-focus.ts';
import { PaneIcon } from './page-tools.tsx';
import type { Filter, TextColumn } from './route.ts';
import { ScoreCell } from './score-cell.tsx';
import type { Column, PlacedRow } from './select-cases.ts';
import { VariantCell } from './variants.tsx';
import { VERDICT_WORDS, VerdictBadge } from './verdict.tsx';

/** A row of the grid: a case's verdict, name and scores. */
export function GridRow(props: {
  readonly placed: PlacedRow;
  readonly columns: readonly Column[];
  readonly texts: readonly TextColumn[];
  readonly variants: readonly string[] | undefined;
  readonly labels: ReadonlyMap<string, string>;
  readonly words: readonly string[];
  readonly at: number;
  readonly top: number;
  readonly active: boolean;
  /** Whether the case is being previewed. */
  readonly isOpen: boolean;
  /** Opens the preview. */
  readonly preview: ((place: number) => void) | undefined;
  readonly href: string;
  readonly set: string | undefined;
  filterBy(change: Partial<Filter>): void;
  details(place: number): PageCase | 'loading' | 'missing';
  setActive(place: number): void;
  hrefOf(row: PlacedRow): string;
}) {
  const { placed, columns, variants, active, isOpen, words } = props;
  const { row, place } = placed;
  const [facts, told] = repeatFacts(row);
  const isPressed = useRef(false);
  const release = () => {
    isPressed.current = false;
  };
  return (
    <div
      class={`row ${row.verdict}${active ? ' active' : ''}${isOpen ? ' open' : ''}`}
      role="row"
      aria-rowindex={props.at + 2}
      aria-current={isOpen ? 'true' : undefined}
      data-active={active ? '' : undefined}
      onKeyDown={(event) => moveFocus(event, '.case a, .score .number:is(button, a)', HORIZONTAL)}
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
      </span>
      <span role="rowheader" class="case">
        {/* For the mouse only: focusing a row already previews it. */}
        {props.preview !== undefined && !isOpen && (
          <button
            type="button"
            class="by to-pane"
            tabIndex={-1}
            aria-hidden="true"
            title="Preview"
            onClick={() => props.preview?.(place)}
          >
            <PaneIcon />
          </button>
        )}
        <a
          href={props.href}
          title={`${props.set === undefined ? '' : `${visible(props.set)} / `}${visible(row.id)}`}
          // A press must not move the row away from under the pointer, as a preview above it would by closing.
          onPointerDown={() => {
            isPressed.current = true;
          }}
          onPointerUp={release}
          onPointerLeave={release}
          onPointerCancel={release}
          onFocus={() => {
            if (!isPressed.current) props.setActive(place);
          }}
        >
          {props.set !== undefined && (
            <span class="set">
              <bdi>{visible(props.set)}</bdi> /{' '}
            </span>
          )}
          <bdi>{words.length === 0 ? breakable(row.id) : <Found text={visible(row.id)} words={words} />}</bdi>
        </a>
        <small dir="auto" title={row.reason ?? row.asked}>
          {facts !== '' && (
            <>
              <b title={told}>{facts}</b> ·{' '}
            </>
          )}
          <Found text={lineOf(row, words)} words={words} />
        </small>
      </span>
      {props.texts.map((name) => (
        <span key={name} role="cell" class="words">
          <i class="name">{TEXT_NAMES[name]}</i>
          <span dir="auto" title={name === 'input' ? row.asked : row.answered}>
            <Found text={(name === 'input' ? row.asked : row.answered) ?? '–'} words={words} />
          </span>
        </span>
      ))}
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

/** Returns the reason for the verdict or the first message, whichever matches the search. */
function lineOf({ reason, asked }: CaseRow, words: readonly string[]): string {
  const usual = rowReason(reason) ?? asked;
  const fits = (text: string) => words.some((word) => text.toLowerCase().includes(word));
  return fits(usual) ? usual : ([asked, reason ?? ''].find(fits) ?? usual);
}

/** Returns facts about the repeats, to show below the verdict, in a short and a long form. */
function repeatFacts({ repeats: { passed, total }, answers = 0, limited }: CaseRow): readonly [string, string] {
  if (total <= 1) return limited > 0 ? ['at the turn limit', 'at the turn limit'] : ['', ''];
  const cutOff = limited > 0 ? `, ${limited} at the turn limit` : '';
  return [
    `${passed}/${total} passed, ${count(answers, 'answer')}${cutOff}`,
    `${passed}/${total} passed, ${count(answers, 'distinct answer')}${cutOff}`,
  ];
}
