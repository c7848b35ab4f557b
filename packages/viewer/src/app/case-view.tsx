import { type RunSet, usageOf } from '@agent-criteria/results';
import type { ComponentChildren, ComponentType, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PageCase } from '../page-data.ts';
import { rerunCommand } from '../rerun-command.ts';
import type { Around, CaseAction, Remedies } from './case-action.ts';
import { type Copied, CopyMenu } from './copy-menu.tsx';
import { CriteriaTable } from './criteria-table.tsx';
import { count, formatTime, visible } from './format.ts';
import { isPending } from './is-pending.ts';
import { JsonTree } from './json-tree.tsx';
import { Prose } from './long-text.tsx';
import { WalkBar } from './page-tools.tsx';
import { PendingCase } from './pending-case.tsx';
import { whyOf } from './reason-of.ts';
import { RepeatAnswers } from './repeat-answers.tsx';
import { RepeatTabs } from './repeat-tabs.tsx';
import { RepeatView } from './repeat-view.tsx';
import { type CaseRoute, NO_FILTER, type Route } from './route.ts';
import type { RunSource } from './run-source.ts';
import { type Column, holds, type PlacedRow } from './select-cases.ts';
import { ShortfallLinks } from './shortfall-links.tsx';
import { TranscriptSearch } from './transcript-search.tsx';
import { turnId } from './turn.tsx';
import { UsageList } from './usage-facts.tsx';
import { useKeys } from './use-keys.ts';
import { VariantLinks } from './variants.tsx';
import { VerdictBadge } from './verdict.tsx';

interface CaseViewProps {
  readonly source: RunSource;
  readonly columns: readonly Column[];
  readonly route: CaseRoute;
  readonly opened: PlacedRow | undefined;
  readonly rows: readonly PlacedRow[];
  readonly backTo: string;
  readonly actions: readonly CaseAction[] | undefined;
  readonly around: ComponentType<Around> | undefined;
  readonly remedies: ComponentType<Remedies> | undefined;
  format(route: Route): string;
  readonly main: RefObject<HTMLElement | null>;
  readonly tools: ComponentChildren;
  readonly keysOn: boolean;
  go(step: 1 | -1, fits: (row: PlacedRow) => boolean): void;
  isBad(row: PlacedRow): boolean;
  show(route: Route, how?: 'after' | 'instead'): void;
}

export function CaseView(props: CaseViewProps) {
  const { source, route, opened, rows, go, isBad } = props;
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    scrollTo(0, 0);
    title.current?.focus({ preventScroll: true });
  }, []);
  const details = opened === undefined ? 'missing' : source.details(opened.place);
  const here = opened === undefined ? -1 : rows.findIndex((row) => holds(row, opened.place));
  return (
    <>
      <WalkBar
        backTo={props.backTo}
        back="All cases"
        at={here}
        of={rows.length}
        go={(step) => go(step, () => true)}
        more={
          <button type="button" disabled={!rows.slice(here + 1).some(isBad)} onClick={() => go(1, isBad)}>
            Next not passed
          </button>
        }
        tools={props.tools}
      />
      <main id="main" ref={props.main} class="case-view" tabIndex={-1} aria-labelledby="case-title">
        <h1 id="case-title" ref={title} tabIndex={-1}>
          <bdi>{visible(opened?.row.id ?? route.id)}</bdi>
        </h1>
        {opened?.variants !== undefined && (
          <VariantLinks
            index={source.index}
            opened={opened}
            columns={props.columns}
            hrefOf={(variant) => props.format({ ...route, variant })}
          />
        )}
        {opened === undefined && (
          <p class="empty">
            This run has no case “{visible(route.id)}” in “{visible(route.set)}”.
          </p>
        )}
        {opened !== undefined && details === 'loading' && <p class="empty">This case is still being read…</p>}
        {opened !== undefined && details === 'missing' && (
          <p class="banner error">The details of this case are not in this file: it seems to be truncated.</p>
        )}
        {opened !== undefined && isPending(opened.row.verdict) && <PendingCase verdict={opened.row.verdict} />}
        {typeof details === 'object' &&
          opened !== undefined &&
          (!isPending(opened.row.verdict) || details.inferences.length > 0) && (
            <Details {...props} one={details} opened={opened} set={source.index.sets[opened.row.set]} />
          )}
      </main>
    </>
  );
}

/** Opens all of a case's folds, except those within the list of all data. */
function unfold(main: HTMLElement | null): void {
  for (const fold of main?.querySelectorAll<HTMLDetailsElement>('details:not([open]):not(.raw *, .menu)') ?? [])
    fold.open = true;
}

interface DetailsProps extends CaseViewProps {
  readonly one: PageCase;
  readonly opened: PlacedRow;
  readonly set: RunSet | undefined;
}

function Details(props: DetailsProps) {
  const { one, opened, set, source, route, around: Surround = Alone, remedies: Help } = props;
  const { info } = source.index;
  const { result, evalCase } = one;
  const { time, tags = [] } = opened.row;
  const repeat = Math.min(route.repeat, Math.max(result.units.length, one.inferences.length, 1) - 1);
  const openTurn = (which: number, turn: number | null) => props.show({ ...route, repeat: which, turn }, 'instead');
  useEffect(() => {
    if (route.turn === null) return;
    const turn = document.getElementById(turnId(route.turn));
    turn?.scrollIntoView({ block: 'start' });
    turn?.focus({ preventScroll: true });
  }, [route, repeat]);
  const [isSearched, setSearched] = useState(false);
  const search = () => {
    setSearched(true);
    document.getElementById('search')?.focus();
  };
  useKeys(props.keysOn, { '/': search });
  const command = set && rerunCommand(info, set, result.caseId);
  const { conversationScenario: scenario, sessionInput, rubrics } = evalCase;
  const actions = props.actions ?? [];
  const copied: readonly Copied[] = [
    // Escaped, because users may paste it into a terminal.
    { name: 'id', text: () => visible(result.caseId) },
    ...(command === undefined
      ? []
      : [{ name: 'command', title: `Runs this case again: ${command}`, text: () => command }]),
    ...actions.flatMap((action) =>
      'copies' in action ? [{ name: action.name, title: action.title, text: () => action.copies(one, set, info) }] : [],
    ),
    { name: 'JSON', title: 'All data of this case', text: () => JSON.stringify(one, null, 2) },
  ];
  return (
    <>
      {!isPending(opened.row.verdict) && (
        <div class={`why ${result.verdict}`}>
          <VerdictBadge verdict={result.verdict} large />
          <Prose text={whyOf(one)} />
          <ShortfallLinks one={one} set={set} openTurn={openTurn} />
        </div>
      )}
      <div class="case-facts">
        <span>
          Set <bdi>{visible(set?.name ?? one.setId)}</bdi>
        </span>
        {tags.length > 0 && (
          <span>
            Tagged{' '}
            {tags.map((tag) => (
              <a
                key={tag}
                class="tag"
                href={props.format({ view: 'cases', filter: { ...NO_FILTER, tag } })}
                title="Show only cases with this tag"
              >
                {visible(tag)}
              </a>
            ))}
          </span>
        )}
        {time !== null && <span>{formatTime(time)}</span>}
        <span class="actions">
          {actions.map((action) =>
            'href' in action ? <ActionLink key={action.name} action={action} one={one} set={set} /> : null,
          )}
          <CopyMenu items={copied} />
          <button type="button" class="quiet" title="Search the conversation (/)" onClick={search}>
            Search
          </button>
          <button type="button" class="quiet" onClick={() => unfold(props.main.current)}>
            Unfold all
          </button>
        </span>
      </div>
      {Help !== undefined && <Help one={one} set={set} repeat={repeat} />}
      {scenario && (
        <section class="scenario">
          <h2>Scenario</h2>
          <Prose text={scenario.conversationPlan} />
          <Prose class="note" text={`Begins with: ${scenario.startingPrompt}`} />
          {scenario.userPersona && <JsonTree name="persona" value={scenario.userPersona} />}
        </section>
      )}
      <h2 id="conversation-title" class="unseen">
        Conversation
      </h2>
      {result.units.length > 1 && <RepeatAnswers one={one} chosen={repeat} choose={(which) => openTurn(which, null)} />}
      {result.units.length > 1 && (
        <RepeatTabs
          units={result.units.map(({ verdict }) => verdict)}
          chosen={repeat}
          choose={(which) => openTurn(which, null)}
        />
      )}
      <Surround key={repeat} one={one} repeat={repeat}>
        {(link) => (
          <TranscriptSearch isOn={isSearched} close={() => setSearched(false)}>
            <RepeatView
              one={one}
              set={set}
              repeat={repeat}
              turn={route.turn}
              tabbed={result.units.length > 1}
              link={link}
              hrefOf={(turn) => props.format({ ...route, repeat, turn })}
            />
          </TranscriptSearch>
        )}
      </Surround>
      <CriteriaTable one={one} set={set} isHeaded openTurn={openTurn} />
      {(sessionInput || (rubrics && rubrics.length > 0)) && (
        <section class="given">
          <h2>Given</h2>
          {sessionInput && <JsonTree name="session" value={sessionInput} />}
          {rubrics && rubrics.length > 0 && <JsonTree name={count(rubrics.length, 'rubric')} value={rubrics} />}
        </section>
      )}
      <UsageList usage={usageOf(one)} />
      <section class="raw">
        <JsonTree name="all data of this case" value={one} />
      </section>
    </>
  );
}

function Alone({ children }: Around) {
  return <>{children(undefined)}</>;
}

function ActionLink(props: {
  readonly action: Extract<CaseAction, { href: unknown }>;
  readonly one: PageCase;
  readonly set: RunSet | undefined;
}) {
  const { action, one, set } = props;
  const { name, title } = action;
  const href = action.href(one, set);
  return href === undefined ? null : (
    <a class="action" href={href} title={title}>
      {name}
    </a>
  );
}
