import { usePhone, visible } from '@agent-criteria/viewer/views';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { RunFilters } from '../../api.ts';
import { Button } from '../button.tsx';
import { filtersSet, NO_FILTER, ORDERS, RESULTS, type RunListFilter } from './run-list-filter.ts';

/** Milliseconds after the last key before runs are searched. */
const PAUSE = 200;

export type ChangeFilter = (change: Partial<RunListFilter>, how?: 'after' | 'instead') => void;

/** Search and filters of the list of runs. The rarer ones are shown on request, or if they are set. */
export function RunFilterBar(props: {
  readonly app: string | null;
  readonly filter: RunListFilter;
  readonly choices: RunFilters | null;
  readonly change: ChangeFilter;
}) {
  const { app, filter, choices, change } = props;
  const phone = usePhone();
  const rare = [filter.variant, filter.commit, filter.from, filter.to];
  const [isOpen, setOpen] = useState(rare.some((value) => value !== ''));
  const set = filtersSet(filter);
  const pick = (name: 'set' | 'agent' | 'variant', any: string, values: readonly string[] = []) => (
    <Choice
      any={any}
      value={filter[name]}
      choices={Object.fromEntries(values.map((value) => [value, visible(value)]))}
      change={(value) => change({ [name]: value })}
    />
  );
  const hasAgents = app === null && ((choices?.agents.length ?? 0) > 1 || filter.agent !== '');
  const hasVariants = (choices?.variants.length ?? 0) > 0 || filter.variant !== '';
  return (
    <search class="run-filters" aria-label="Filter the runs">
      <SearchField value={filter.search} change={change} />
      {(!phone || isOpen) && (
        <>
          <Choice
            any="Any verdict"
            value={filter.verdict}
            choices={RESULTS}
            change={(verdict) => change({ verdict: verdict as RunListFilter['verdict'] })}
          />
          {pick('set', 'Any eval set', choices?.sets)}
          {hasAgents && pick('agent', 'Any agent', choices?.agents)}
        </>
      )}
      <Button
        text={set > 0 && phone ? `Filters, ${set} set` : phone ? 'Filters' : isOpen ? 'Fewer filters' : 'More filters'}
        class="more-filters"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {phone && (
        <select
          aria-label="Order"
          value={filter.sort}
          onChange={({ currentTarget }) => change({ sort: currentTarget.value as RunListFilter['sort'] })}
        >
          {Object.entries(ORDERS).map(([order, words]) => (
            <option key={order} value={order}>
              {words}
            </option>
          ))}
        </select>
      )}
      {(set > 0 || filter.search !== '') && (
        <Button text="Show all" class="quiet" onClick={() => change({ ...NO_FILTER, sort: filter.sort })} />
      )}
      {isOpen && (
        <fieldset class="rare-filters">
          <legend class="unseen">More filters</legend>
          {hasVariants && pick('variant', 'Any variant', choices?.variants)}
          <CommitField value={filter.commit} commits={choices?.commits ?? []} change={change} />
          <label>
            From{' '}
            <input
              type="date"
              class={filter.from === '' ? '' : 'set'}
              value={filter.from}
              max={filter.to === '' ? undefined : filter.to}
              onChange={({ currentTarget }) => change({ from: currentTarget.value })}
            />
          </label>
          <label>
            to{' '}
            <input
              type="date"
              class={filter.to === '' ? '' : 'set'}
              value={filter.to}
              min={filter.from === '' ? undefined : filter.from}
              onChange={({ currentTarget }) => change({ to: currentTarget.value })}
            />
          </label>
        </fieldset>
      )}
    </search>
  );
}

function SearchField(props: { readonly value: string; readonly change: ChangeFilter }) {
  const { value, change } = props;
  const [text, setText] = useState(value);
  const sent = useRef(value);
  useEffect(() => {
    // Follows a way back, but not what it has sent itself: more may have been typed since.
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    if (text === sent.current) return;
    const timer = setTimeout(() => {
      // One way back leads to the list before the search, however it was typed.
      const how = sent.current === '' ? 'after' : 'instead';
      sent.current = text;
      change({ search: text }, how);
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label class="search">
      <span class="unseen">Search names, ids, eval sets, agents and commits</span>
      <input
        id="search"
        type="search"
        dir="auto"
        placeholder="Search name, id, set, agent, commit"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
    </label>
  );
}

/** A select with an entry for no choice. A chosen value that is not among the choices is shown, too. */
function Choice(props: {
  readonly any: string;
  readonly value: string;
  readonly choices: Readonly<Record<string, string>>;
  change(value: string): void;
}) {
  const { any, value, choices } = props;
  const isUnknown = value !== '' && !Object.hasOwn(choices, value);
  return (
    <select
      class={value === '' ? '' : 'set'}
      aria-label={any.replace('Any ', '').replace(/^./, (letter) => letter.toUpperCase())}
      value={value}
      onChange={({ currentTarget }) => props.change(currentTarget.value)}
    >
      <option value="">{any}</option>
      {isUnknown && <option value={value}>{visible(value)}</option>}
      {Object.entries(choices).map(([choice, words]) => (
        <option key={choice} value={choice}>
          {words}
        </option>
      ))}
    </select>
  );
}

function CommitField(props: {
  readonly value: string;
  readonly commits: readonly string[];
  readonly change: ChangeFilter;
}) {
  const { value, commits, change } = props;
  return (
    <label>
      Commit{' '}
      <input
        type="text"
        class={value === '' ? 'commit' : 'commit set'}
        autocomplete="off"
        spellcheck={false}
        placeholder="hash"
        list="run-commits"
        value={value}
        onChange={({ currentTarget }) => change({ commit: currentTarget.value.trim() })}
      />
      <datalist id="run-commits">
        {commits.map((commit) => (
          <option key={commit} value={commit} />
        ))}
      </datalist>
    </label>
  );
}
