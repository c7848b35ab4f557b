import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ColumnMenu } from './column-menu.tsx';
import { count, visible } from './format.ts';
import type { Pane } from './overview-props.ts';
import { PaneIcon } from './page-tools.tsx';
import { type AnyVerdict, type Filter, NO_FILTER, SORTS } from './route.ts';
import { type Column, EVERYTHING } from './select-cases.ts';
import { CASE_VERDICTS, CRITERION_VERDICTS, VERDICT_WORDS, VerdictIcon } from './verdict.tsx';

const SORT_WORDS = {
  worst: 'Not passed first',
  order: 'Order of the set',
  id: 'By id',
  score: 'Lowest score first',
  time: 'Slowest first',
  tokens: 'Most tokens first',
} as const;

/** Filters and sorts the grid. The counts by verdict double as buttons. */
export function FilterBar(props: {
  readonly columns: readonly Column[];
  readonly filter: Filter;
  filterBy(change: Partial<Filter>): void;
  readonly counts: ReadonlyMap<AnyVerdict | undefined, number>;
  readonly tags: readonly string[];
  readonly withTokens: boolean;
  /** Whether the run has any case with this verdict. */
  has(verdict: AnyVerdict): boolean;
  readonly hasVariants: boolean;
  readonly pane: Pane | undefined;
  readonly shown: number;
  readonly total: number;
  /** Moves the focus from the search field to the first result. */
  goToFirst(): void;
}) {
  const { columns, filter, filterBy, counts, pane } = props;
  const toggle = (verdict: AnyVerdict) => {
    const others = filter.verdicts.filter((each) => each !== verdict);
    filterBy({ verdicts: others.length < filter.verdicts.length ? others : [...others, verdict] });
  };
  return (
    <search class="filter" aria-label="Filter the cases">
      <fieldset class="chips">
        <legend class="unseen">Verdicts to show; none chosen shows all</legend>
        {(filter.criterion === null ? CASE_VERDICTS.filter((verdict) => props.has(verdict)) : CRITERION_VERDICTS).map(
          (verdict) => (
            <button
              type="button"
              key={verdict}
              class={`chip ${verdict}${(counts.get(verdict) ?? 0) === 0 ? ' none' : ''}`}
              aria-pressed={filter.verdicts.includes(verdict)}
              title={`Show only: ${VERDICT_WORDS[verdict].toLowerCase()}`}
              onClick={() => toggle(verdict)}
            >
              <VerdictIcon verdict={verdict} />
              <b>{(counts.get(verdict) ?? 0).toLocaleString('en')}</b>{' '}
              <span class="verdict-word">{VERDICT_WORDS[verdict].toLowerCase()}</span>
            </button>
          ),
        )}
      </fieldset>
      <Search value={filter.search} change={(search) => filterBy({ search })} leave={props.goToFirst} />
      <Choice
        label="Verdict of"
        value={filter.criterion ?? ''}
        options={[['', 'Case verdict'], ...columns.map(({ name }) => [name, `of ${visible(name)}`] as const)]}
        choose={(name) => filterBy({ criterion: name || null, verdicts: [] })}
      />
      {props.tags.length > 0 && (
        <Choice
          label="Tag"
          value={filter.tag ?? ''}
          options={[['', 'Any tag'], ...props.tags.map((tag) => [tag, visible(tag)] as const)]}
          choose={(tag) => filterBy({ tag: tag || null })}
        />
      )}
      <Choice
        label="Order"
        value={filter.sort}
        options={SORTS.filter((sort) => sort !== 'tokens' || props.withTokens).map((sort) => [sort, SORT_WORDS[sort]])}
        choose={(value) => filterBy({ sort: SORTS.find((sort) => sort === value) ?? NO_FILTER.sort })}
      />
      {!props.hasVariants && (
        <ColumnMenu columns={columns} hidden={filter.hidden} texts={filter.shown} change={filterBy} />
      )}
      {pane !== undefined && (
        <button
          type="button"
          class="toggle"
          aria-pressed={pane.draw !== undefined}
          aria-label="Preview"
          title="Preview: a case stays open beside the list (o)"
          onClick={() => (pane.draw === undefined ? pane.open() : pane.close())}
        >
          <PaneIcon />
        </button>
      )}
      <p class="shown" role="status">
        {props.shown === props.total
          ? count(props.total, 'case')
          : `${props.shown.toLocaleString('en')} of ${count(props.total, 'case')}`}
      </p>
      {props.shown > 0 && props.shown < props.total && (
        <button type="button" onClick={() => filterBy(EVERYTHING)}>
          Show all
        </button>
      )}
    </search>
  );
}

function Choice(props: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  choose(value: string): void;
}) {
  return (
    <label>
      <span class="unseen">{props.label}</span>
      <select value={props.value} onChange={(event) => props.choose(event.currentTarget.value)}>
        {props.options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A debounced search field. */
function Search({ value, change, leave }: { readonly value: string; change(value: string): void; leave(): void }) {
  const [text, setText] = useState(value);
  const known = useRef(value);
  const leaving = useRef(false);
  // Adopts changes made elsewhere, but not those made here, because the user may have typed more since.
  if (value !== known.current) {
    known.current = value;
    setText(value);
  }
  const tell = () => {
    known.current = text;
    change(text);
  };
  useLayoutEffect(() => {
    if (text === value) return;
    const timer = setTimeout(tell, 120);
    return () => clearTimeout(timer);
  }, [text, value]);
  useLayoutEffect(() => {
    if (!leaving.current) return;
    leaving.current = false;
    leave();
  }, [value]);
  return (
    <label class="search">
      <span class="unseen">Search ids, questions and reasons</span>
      <input
        id="search"
        type="search"
        dir="auto"
        placeholder="Search id, question, reason"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          // Enter may also confirm a word in an input method.
          if (event.key !== 'Enter' || event.isComposing) return;
          if (text === value) return leave();
          // The first result is not known until the rows are rendered.
          leaving.current = true;
          tell();
        }}
      />
    </label>
  );
}
