import type { CriterionResult, TurnResult } from '@agent-criteria/core/host';
import type { RunCase, RunSet } from '@agent-criteria/results';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { countTurns } from '../count-turns.ts';
import type { PageCase } from '../page-data.ts';
import { turnsToExplain } from '../turns-to-explain.ts';
import type { BesideCase, PaneProps } from './beside.ts';
import { placeOf, Sides, sidesOf } from './comparison.tsx';
import { CriteriaTable, worstFirst } from './criteria-table.tsx';
import { count, formatTime, visible } from './format.ts';
import { isPending } from './is-pending.ts';
import { Fold } from './json-tree.tsx';
import { Prose } from './long-text.tsx';
import { Message } from './message.tsx';
import { PendingCase } from './pending-case.tsx';
import { isSaidAbove, whyOf } from './reason-of.ts';
import { RepeatAnswers } from './repeat-answers.tsx';
import { RepeatTabs } from './repeat-tabs.tsx';
import { RepeatView } from './repeat-view.tsx';
import type { CaseRoute, Route } from './route.ts';
import { useMeasure } from './use-layout.ts';
import { VariantLinks } from './variants.tsx';
import { VerdictBadge, VerdictIcon } from './verdict.tsx';

/** Debounce delay in milliseconds, so that cases are not loaded while the user only moves past them. */
const PAUSE = 120;
/** Free space below the pane, in pixels. */
const EDGE = 12;

/** A preview of a case: the reasons for its verdict, and the conversation. */
export function CasePane(props: PaneProps) {
  const { source, isBelow, format } = props;
  const { route, row } = useSettled(props.beside);
  const own = useRef<HTMLElement>(null);
  useHeight(own, !isBelow);
  const place = row?.place;
  useLayoutEffect(() => {
    own.current?.scrollTo(0, 0);
  }, [place]);
  const id = visible(row?.row.id ?? route.id);
  const one = place === undefined ? 'missing' : source.details(place);
  return (
    <section ref={own} class={`case-pane${isBelow ? ' below' : ''}`} aria-label={`Case ${id}`} tabIndex={-1}>
      <header class="pane-head">
        {row !== undefined && !isBelow && <VerdictIcon verdict={row.row.verdict} />}
        <h2>
          <a href={format(route)} title={`Open ${id}`}>
            {/* The row above already shows the name. */}
            {isBelow ? 'Open the case' : <bdi>{id}</bdi>}
            {isBelow && <span class="unseen"> {id}</span>}
          </a>
        </h2>
        {row !== undefined && row.row.time !== null && !isBelow && <small>{formatTime(row.row.time)}</small>}
        <span class="pane-tools">
          {!isBelow && (
            <>
              <Tool name="Previous case that did not pass (k)" press={props.previous}>
                ↑
              </Tool>
              <Tool name="Next case that did not pass (j)" press={props.next}>
                ↓
              </Tool>
            </>
          )}
          <Tool name="Close the preview (Esc)" press={props.close}>
            ✕
          </Tool>
        </span>
      </header>
      {row?.variants !== undefined && (
        <VariantLinks index={source.index} opened={row} columns={props.columns} hrefOf={props.hrefOf} />
      )}
      {row === undefined ? (
        <p class="note">
          This run has no case “{id}” in “{visible(route.set)}”.
        </p>
      ) : isPending(row.row.verdict) ? (
        <PendingCase verdict={row.row.verdict} />
      ) : one === 'loading' ? (
        <p class="note">Reading the case…</p>
      ) : one === 'missing' ? (
        <p class="note">The details of this case are not there.</p>
      ) : (
        <Why key={place} {...props} one={one} set={source.index.sets[row.row.set]} route={route} />
      )}
    </section>
  );
}

function Tool(props: {
  readonly name: string;
  /** The action, or `undefined` if the tool is disabled. */
  readonly press: (() => void) | undefined;
  readonly children: ComponentChildren;
}) {
  const { name, press, children } = props;
  return (
    <button
      type="button"
      class="quiet tool"
      aria-label={name}
      title={name}
      disabled={press === undefined}
      onClick={press}
    >
      {children}
    </button>
  );
}

function Why(props: {
  readonly one: PageCase;
  readonly set: RunSet | undefined;
  readonly route: CaseRoute;
  readonly isBelow: boolean;
  open(route: CaseRoute): void;
  choose(repeat: number): void;
  format(route: Route): string;
}) {
  const { one, set, route, isBelow, choose } = props;
  const { result, inferences } = one;
  const units = result.units.length;
  const repeat = Math.min(route.repeat, Math.max(units, inferences.length, 1) - 1);
  const results = worstFirst(result.criteria);
  const short = results.filter(isShort);
  const others = results.filter((each) => !isShort(each));
  const [decisive] = short.flatMap((each) => turnsToExplain(each).map((turn) => ({ result: each, turn })));
  const openTurn = (which: number, wanted: number | null) => props.open({ ...route, repeat: which, turn: wanted });
  return (
    <>
      {short.length === 0 && (
        <div class={`why ${result.verdict}`}>
          <VerdictBadge verdict={result.verdict} />
          <Prose text={whyOf(one)} />
        </div>
      )}
      {short.length > 0 && <CriteriaTable one={one} set={set} results={short} brief openTurn={openTurn} />}
      {decisive !== undefined && <Decisive one={one} {...decisive} />}
      {units > 1 && <RepeatAnswers one={one} chosen={repeat} choose={choose} />}
      {others.length > 0 && (
        <Fold class="pane-fold" open={short.length === 0} summary={() => namesOf(others, short.length > 0)}>
          {() => <CriteriaTable one={one} set={set} results={others} brief openTurn={openTurn} />}
        </Fold>
      )}
      {!isBelow && (
        <Fold
          class="pane-fold"
          open={decisive === undefined}
          summary={() => `Conversation, ${count(countTurns(one, repeat), 'turn')}`}
        >
          {() => (
            <>
              {units > 1 && (
                <RepeatTabs units={result.units.map(({ verdict }) => verdict)} chosen={repeat} choose={choose} />
              )}
              <RepeatView
                key={repeat}
                one={one}
                set={set}
                repeat={repeat}
                turn={null}
                tabbed={units > 1}
                hrefOf={(at) => props.format({ ...route, repeat, turn: at })}
              />
            </>
          )}
        </Fold>
      )}
    </>
  );
}

function namesOf({ length }: readonly unknown[], areOthers: boolean): string {
  return areOthers ? count(length, 'other criterion', 'other criteria') : count(length, 'criterion', 'criteria');
}

function isShort({ verdict }: CriterionResult): boolean {
  return verdict === 'failed' || verdict === 'not-evaluated';
}

/** The turn that best explains why the case did not pass. */
function Decisive(props: { readonly one: RunCase; readonly result: CriterionResult; readonly turn: TurnResult }) {
  const { one, result, turn } = props;
  const { actual, expected } = sidesOf(turn, one);
  const isAlone = one.inferences.length <= 1 && (one.evalCase.conversation?.length ?? 0) === 1;
  return (
    <section class="decisive" aria-label="Expected and actual">
      {!isAlone && <h3>{placeOf(turn, one)}</h3>}
      <div class="user">
        <span class="unseen">User: </span>
        <Message content={actual?.userContent ?? expected?.userContent} />
      </div>
      {turn.score.reason !== undefined && !isSaidAbove(result) && <Prose text={turn.score.reason} most={400} />}
      <Sides actual={actual} expected={expected} score={turn.score} />
    </section>
  );
}

/** Debounces a value. The first value is used immediately. */
function useSettled(value: BesideCase): BesideCase {
  const [settled, settle] = useState(value);
  const isSame = settled.row?.place === value.row?.place && settled.route.id === value.route.id;
  useEffect(() => {
    if (isSame) return;
    const timer = setTimeout(() => settle(value), PAUSE);
    return () => clearTimeout(timer);
  }, [isSame, value]);
  return isSame ? value : settled;
}

/** Fits an element into the part of the window below the filter. */
function useHeight(own: { readonly current: HTMLElement | null }, isOn: boolean): void {
  const fit = () => {
    const { current } = own;
    if (current === null) return;
    if (!isOn) return current.removeAttribute('style');
    current.style.top = `${document.querySelector<HTMLElement>('.filter')?.offsetHeight ?? 0}px`;
    current.style.maxHeight = `${innerHeight - current.getBoundingClientRect().top - EDGE}px`;
  };
  useMeasure(fit, [isOn]);
}
