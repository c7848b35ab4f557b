import { formatProblem } from '@agent-criteria/formats';
import {
  addMasked,
  addMaskedCases,
  type MaskedCases,
  type MaskedCounts,
  type RunCommit,
  type RunInfo,
  type RunSet,
} from '@agent-criteria/results';
import { commitText, maskedNote, selectionText } from '@agent-criteria/results/text';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import type { PageIndex } from '../page-data.ts';
import { Time } from './breakable.tsx';
import { CaseGrid, focusActive } from './case-grid.tsx';
import { FilterBar } from './filter-bar.tsx';
import { count, formatTime, localTime, visible } from './format.ts';
import { Gates } from './gates.tsx';
import { Fold } from './json-tree.tsx';
import { Prose } from './long-text.tsx';
import type { OverviewProps } from './overview-props.ts';
import type { AnyVerdict } from './route.ts';
import { RunDetails } from './run-details.tsx';
import { countCases, countVerdicts, EVERYTHING, holds, tagsOfRun } from './select-cases.ts';
import { UsageFacts } from './usage-facts.tsx';
import { ROOM_BESIDE, useMedia } from './use-layout.ts';
import { VariantOutcomes } from './variants.tsx';
import { CASE_VERDICTS, VERDICT_WORDS, VerdictBadge } from './verdict.tsx';

export function Overview(props: OverviewProps) {
  const { index, columns, filter, rows, active, setActive, running: InFlight } = props;
  const { info, sets, summary } = index;
  const chosen = selectionText(index);
  const tags = useMemo(() => tagsOfRun(index), [index]);
  const counts = useMemo(() => countVerdicts(index, columns, filter), [index, columns, filter]);
  // While the run is in flight, its summary counts cases that have no result yet as errors.
  const ofEnded = index.progress === undefined ? index : undefined;
  const has = useMemo(() => verdictsIn(index), [index]);
  // Restores the scroll position, then makes sure that the active row is visible.
  useLayoutEffect(() => {
    const wanted = props.scrolled.current ?? 0;
    const restore = () => {
      scrollTo(0, wanted);
      document.querySelector('.rows [data-active]')?.scrollIntoView({ block: 'nearest' });
    };
    restore();
    // The part above the list, such as the buttons of the studio, may be drawn after it.
    const frame = requestAnimationFrame(restore);
    const keep = () => {
      props.scrolled.current = scrollY;
    };
    addEventListener('scroll', keep, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('scroll', keep);
    };
  }, []);
  const goToFirst = () => {
    const [first] = rows;
    if (first !== undefined && first.place !== active) setActive(first.place);
    else focusActive();
  };
  const about = (
    <About index={index} printing={props.printing}>
      <dl class="facts">
        {info.variants === undefined ? (
          <Fact name="Agent" value={info.agent} />
        ) : (
          info.variants.map(({ name, agent }) => <Fact key={name} name={`Agent ${name}`} value={agent} />)
        )}
        {sets.map((set) => (
          <SetFact key={set.id} set={set} alone={sets.length === 1} />
        ))}
        <Fact name="When">
          <Time at={info.startedAt} />
          {info.endedAt !== null && `, took ${formatTime(info.endedAt - info.startedAt)}`}
        </Fact>
        {ofEnded?.certainty?.map(({ variant, lines }) => (
          <Fact key={variant ?? ''} name={variant === undefined ? 'Certainty' : `Certainty, ${visible(variant)}`}>
            {lines.map((line) => (
              <div key={line}>{visible(line)}</div>
            ))}
          </Fact>
        ))}
        {info.repeats > 1 && <Fact name="Repeats" value={`${repeatsOf(info)} of each case`} />}
        {info.compat === 'adk' && <Fact name="Numbers" value="as ADK Python gives them" />}
        {info.name !== undefined && <Fact name="Name" value={info.name} />}
        {info.commit !== undefined && <Fact name="Commit" value={commitFact(info.commit)} />}
        <Fact name="Run" value={info.scoring > 1 ? `${info.id}, scoring ${info.scoring}` : info.id} />
        <UsageFacts usage={index.usage} />
        {info.variants?.map(({ name }) => (
          <UsageFacts key={name} usage={index.usage.variants?.[name] ?? {}} of={name} />
        ))}
      </dl>
      <RunDetails index={index} />
    </About>
  );
  return (
    <>
      <header class="run">
        <div class="top">
          <h1 dir="auto" title={visible(index.title)}>
            {visible(index.title)}
          </h1>
          {index.progress === undefined && (
            <p class="outcome">
              <VerdictBadge verdict={index.outcome?.verdict ?? summary.verdict} />
              <span>{outcomeText(index)}</span>
              <Certainty index={index} />
            </p>
          )}
          {chosen !== null && <p class="selection">{visible(chosen)}</p>}
          {!props.printing && about}
          {props.tools}
        </div>
        {props.printing && about}
        {index.progress === undefined ? (
          <>
            <Proportions index={index} />
            <Gates outcome={index.outcome} />
          </>
        ) : (
          InFlight && <InFlight index={index} progress={index.progress} />
        )}
        {props.banner}
        {info.variants !== undefined && index.progress === undefined && <VariantOutcomes info={info} />}
        <Banners index={index} printing={props.printing} />
      </header>
      <main id="main" ref={props.main} tabIndex={-1} aria-label="Cases">
        <FilterBar
          columns={columns}
          filter={filter}
          filterBy={props.filterBy}
          counts={counts}
          tags={tags}
          withTokens={props.withTokens}
          has={(verdict) => has.has(verdict)}
          goToFirst={goToFirst}
          hasVariants={info.variants !== undefined}
          pane={props.pane}
          shown={rows.length}
          total={countCases(index)}
        />
        <WithPane {...props}>
          {rows.length > 0 ? (
            <CaseGrid {...props} />
          ) : (
            <p class="empty">
              {index.cases.length > 0
                ? 'No case matches the filter.'
                : info.onlyFailed === true
                  ? 'Every case of this run passed.'
                  : 'This run has no cases.'}{' '}
              {index.cases.length > 0 && (
                <button type="button" onClick={() => props.filterBy(EVERYTHING)}>
                  Show all
                </button>
              )}
            </p>
          )}
        </WithPane>
      </main>
    </>
  );
}

/** The list with the preview next to it or, if the window is too narrow, below its row. */
function WithPane(props: OverviewProps & { readonly children: ComponentChildren }) {
  const { pane, rows, children } = props;
  const Splitter = pane?.splitter;
  const hasRoom = useMedia(ROOM_BESIDE);
  if (pane?.draw === undefined) return <>{children}</>;
  if (!hasRoom) {
    return (
      <>
        {!rows.some((row) => holds(row, pane.place)) && pane.draw(true)}
        {children}
      </>
    );
  }
  return (
    <div class="list-and-case">
      {children}
      {Splitter !== undefined && <Splitter />}
      {pane.draw(false)}
    </div>
  );
}

/** The pass rate of a single agent, with its confidence interval. */
function Certainty({ index: { certainty = [] } }: { readonly index: PageIndex }) {
  const [first, ...others] = certainty;
  if (first === undefined || others.length > 0) return null;
  const line = visible(first.lines[0] ?? '');
  return (
    <span class="certainty" title={line}>
      {line.replace(/^pass rate /, '').replace(' confidence interval ', ' interval ')}
    </span>
  );
}

/** Facts about the run, collapsed to one line except when printing. */
function About(props: { readonly index: PageIndex; readonly printing: boolean; readonly children: ComponentChildren }) {
  const { info } = props.index;
  if (props.printing) return <>{props.children}</>;
  const took = info.endedAt === null ? [] : [`took ${formatTime(info.endedAt - info.startedAt)}`];
  const repeats = info.repeats > 1 ? [`${repeatsOf(info)} repeats of each case`] : [];
  const line = [info.agent, localTime(info.startedAt), ...took, ...repeats].join(', ');
  return (
    <Fold class="about" summary={(open) => <>About this run {!open && <bdi class="first">{visible(line)}</bdi>}</>}>
      {() => props.children}
    </Fold>
  );
}

function repeatsOf({ auto, repeats }: RunInfo): string {
  return `${auto ? 'up to ' : ''}${repeats}`;
}

function outcomeText({ info, summary: { verdicts, total }, outcome }: PageIndex): string {
  if (outcome !== undefined && (outcome.gates.length > 0 || outcome.problems.length > 0))
    return visible(outcome.headline);
  // With several agents, each case has several results.
  const noun = info.variants === undefined ? 'case' : 'result';
  const good = verdicts.passed + verdicts.informational;
  if (total === 0) return 'There were no cases.';
  if (info.scoring === 0) return `${count(total, noun)}, not scored yet.`;
  if (verdicts.passed === total) return `${total === 1 ? `The only ${noun}` : `All ${count(total, noun)}`} passed.`;
  if (good === total)
    return `${count(verdicts.passed, noun)} of ${total.toLocaleString('en')} passed, the rest only measured.`;
  return `${verdicts.passed.toLocaleString('en')} of ${count(total, noun)} passed.`;
}

/** Lists the verdicts to filter by. A report may contain only some cases, but its summary counts all. */
function verdictsIn({ summary, cases, progress }: PageIndex): ReadonlySet<AnyVerdict> {
  if (progress !== undefined) return new Set(cases.map(({ verdict }) => verdict));
  const counts = Object.entries(summary.verdicts) as [AnyVerdict, number][];
  return new Set(counts.flatMap(([verdict, cases]) => (cases > 0 ? [verdict] : [])));
}

/** The share of each verdict, as a bar. */
function Proportions({ index: { summary } }: { readonly index: PageIndex }) {
  const verdicts: Readonly<Partial<Record<AnyVerdict, number>>> = summary.verdicts;
  const parts = CASE_VERDICTS.map((verdict) => ({ verdict, number: verdicts[verdict] ?? 0 }));
  const label = parts.map(({ verdict, number }) => `${number} ${VERDICT_WORDS[verdict].toLowerCase()}`).join(', ');
  return (
    <div class="proportions" role="img" aria-label={label}>
      {parts
        .filter(({ number }) => number > 0)
        .map(({ verdict, number }) => (
          <span key={verdict} class={verdict} style={{ flexGrow: number }} />
        ))}
    </div>
  );
}

function Banners({ index, printing }: { readonly index: PageIndex; readonly printing: boolean }) {
  const { summary, info, warnings, cases, outcome } = index;
  const { units } = info;
  const limited = cases.reduce((sum, row) => sum + row.limited, 0);
  const masked = maskedNote(
    cases.reduce((sum: MaskedCounts, row) => (row.masked ? addMasked(sum, row.masked) : sum), {}),
    cases.reduce((sum: MaskedCases, row) => (row.masked ? addMaskedCases(sum, [row.id]) : sum), []),
  );
  return (
    <>
      {outcome?.problems.map((problem) => (
        <Prose key={problem} class="banner error" text={visible(problem)} />
      ))}
      {outcome?.notes.map((note) => (
        <Prose key={note} class="banner informational" text={visible(note)} />
      ))}
      {index.progress === undefined && summary.nothingJudged && (
        <p class="banner not-evaluated">
          <b>Nothing was judged.</b> Every criterion of this run only measures, so there is no verdict.
        </p>
      )}
      {index.progress === undefined && info.scoring === 0 && (
        <p class="banner not-evaluated">
          <b>Not scored yet.</b> These are the conversations alone, so no case has passed or failed.
        </p>
      )}
      {index.progress === undefined &&
        info.scoring !== 0 &&
        (info.endedAt === null || units.finished < units.total) && (
          <p class="banner error">
            <b>Unfinished run.</b> {units.finished.toLocaleString('en')} of {info.auto && 'up to '}
            {count(units.total, 'conversation')} done: what is missing is not shown, and the verdict may change.
          </p>
        )}
      {info.onlyFailed === true && (
        <p class="banner informational">
          <b>Only what did not pass</b> is in this file. The counts are those of the whole run; usage is only counted
          for these cases.
        </p>
      )}
      {limited > 0 && (
        <p class="banner not-evaluated">
          <b>Turn limit reached.</b> {count(limited, 'conversation')} ended there, before the user had finished.
        </p>
      )}
      {masked !== null && <p class="banner not-evaluated">{masked}</p>}
      {warnings.length > 0 && (
        <details class="banner not-evaluated" open={printing}>
          <summary>
            <b>{count(warnings.length, 'warning')}</b> <bdi class="first">{formatProblem(warnings[0]!)}</bdi>
          </summary>
          <ul>
            {warnings.slice(0, 200).map((warning) => (
              <li key={warning} dir="auto">
                {formatProblem(warning)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** A fact with a name, and a `value` (escaped and bidi-isolated) or `children`. */
function Fact(props: { readonly name: string; readonly value?: string; readonly children?: ComponentChildren }) {
  const { name, value, children } = props;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value === undefined ? children : <bdi>{visible(value)}</bdi>}</dd>
    </div>
  );
}

function commitFact(commit: RunCommit): string {
  return `${commitText(commit)}${commit.branch === undefined ? '' : ` on ${commit.branch}`}`;
}

function SetFact({ set, alone }: { readonly set: RunSet; readonly alone: boolean }) {
  return (
    <Fact name="Set">
      <bdi>{visible(set.name ?? set.id)}</bdi>
      {!alone && ` (${set.summary.verdicts.passed} of ${set.summary.total} passed)`}
      {set.file !== null && <small>{visible(set.file)}</small>}
      {set.configFile !== null && <small>by {visible(set.configFile)}</small>}
    </Fact>
  );
}
