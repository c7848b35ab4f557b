import { confirmedRun, type RunCommit } from '@agent-criteria/results';
import { commitText, gatesText } from '@agent-criteria/results/text';
import {
  CopyButton,
  count,
  formatTime,
  localTime,
  usePhone,
  VERDICT_WORDS,
  VerdictBadge,
  VerdictIcon,
  visible,
} from '@agent-criteria/viewer/views';
import type { RunOrder, RunSummary, RunThreshold } from '../../api.ts';
import { Button } from '../button.tsx';
import { Menu } from '../menu.tsx';
import { OlderCode } from '../older-code.tsx';
import { pin, pinOf } from '../pinned.ts';
import { compareRoute, formatRoute } from '../route.ts';
import { isSameCriteria, ruleText } from './common-criteria.ts';

const STATES = { here: 'Running', elsewhere: 'Running elsewhere', open: 'Unfinished', finished: '' } as const;

export interface RunActions {
  toggle(run: RunSummary): void;
  rename(run: RunSummary): void;
  remove(run: RunSummary): void;
}

/** A page of runs, in dense rows. */
export function RunTable(props: {
  readonly runs: readonly RunSummary[];
  readonly chosen: ReadonlySet<string>;
  /** Criteria that are shown above the table, and not again in each row. */
  readonly common: readonly RunThreshold[];
  readonly order: RunOrder;
  sort(order: RunOrder): void;
  readonly actions: RunActions;
}) {
  const { runs, chosen, common, order, sort, actions } = props;
  const phone = usePhone();
  const head = (name: string, first: RunOrder, then: RunOrder) => (
    <SortHead name={name} first={first} then={then} order={order} sort={sort} />
  );
  return (
    <table class="run-table">
      {/* On a phone, rows are cards, and a field chooses the order. */}
      <thead class={phone ? 'unseen' : ''}>
        <tr>
          <th scope="col">
            <span class="unseen">Chosen</span>
          </th>
          <th scope="col">Run</th>
          <th scope="col">Verdict</th>
          {phone ? <th scope="col">Cases</th> : head('Cases', 'least-passed', 'most-passed')}
          <th scope="col">Agent</th>
          {phone ? <th scope="col">Started</th> : head('Started', 'newest', 'oldest')}
          {phone ? <th scope="col">Took</th> : head('Took', 'longest', 'shortest')}
          <th scope="col">
            <span class="unseen">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <Row key={run.id} run={run} isChosen={chosen.has(run.id)} common={common} actions={actions} />
        ))}
      </tbody>
    </table>
  );
}

/** A column head that sorts, and sorts the other way if it is pressed again. */
function SortHead(props: {
  readonly name: string;
  readonly first: RunOrder;
  readonly then: RunOrder;
  readonly order: RunOrder;
  sort(order: RunOrder): void;
}) {
  const { name, first, then, order, sort } = props;
  const isOn = order === first || order === then;
  const isDown = order === 'newest' || order === 'most-passed' || order === 'longest';
  return (
    <th scope="col" aria-sort={isOn ? (isDown ? 'descending' : 'ascending') : undefined}>
      <Button
        class="quiet sort"
        text={
          <>
            {name}
            <span aria-hidden="true">{isOn ? (isDown ? ' ↓' : ' ↑') : ''}</span>
          </>
        }
        onClick={() => sort(order === first ? then : first)}
      />
    </th>
  );
}

function Row(props: {
  readonly run: RunSummary;
  readonly isChosen: boolean;
  readonly common: readonly RunThreshold[];
  readonly actions: RunActions;
}) {
  const { run, isChosen, common, actions } = props;
  const { app, agent, startedAt, endedAt, commit, variants } = run;
  const isBaseline = pinOf(app) === run.id;
  return (
    <tr class={`run-row${isChosen ? ' chosen' : ''}${isBaseline ? ' baseline' : ''}`}>
      <td class="pick">
        <label>
          <input
            type="checkbox"
            aria-label={`Choose the run ${visible(run.id)}`}
            checked={isChosen}
            onChange={() => actions.toggle(run)}
          />
        </label>
      </td>
      <td class="of-run">
        <RunTitle run={run} isBaseline={isBaseline} />
        <RunFacts run={run} common={common} />
      </td>
      <td class="of-verdict">
        <Verdict run={run} />
      </td>
      <td class="of-cases">
        {run.summary !== null && <Counts run={run} />}
        <GatesOf run={run} />
      </td>
      <td class="of-agent">
        <bdi title={visible(agent)}>
          {variants === undefined ? visible(app ?? agent) : count(variants.length, 'variant')}
        </bdi>
        {commit !== undefined && <Commit commit={commit} />}
      </td>
      <td class="of-start">{run.result !== 'unreadable' && <ShortTime at={startedAt} />}</td>
      <td class="of-time">{endedAt !== null && formatTime(endedAt - startedAt)}</td>
      <td class="of-menu">
        <RowMenu run={run} isBaseline={isBaseline} actions={actions} />
      </td>
    </tr>
  );
}

/** The short hash, with a star if files had been changed since. */
function Commit({ commit }: { readonly commit: RunCommit }) {
  const { hash, dirty } = commit;
  return (
    <code title={`Commit ${visible(commitText({ ...commit, hash }))}`}>
      <span class="unseen">commit </span>
      {visible(hash.slice(0, 7))}
      {dirty === true && (
        <>
          <span aria-hidden="true">*</span>
          <span class="unseen"> with changes</span>
        </>
      )}
    </code>
  );
}

/** A time without its year, unless it is another one than now. */
function ShortTime({ at }: { readonly at: number }) {
  const date = new Date(at);
  const isThisYear = date.getFullYear() === new Date().getFullYear();
  const shown = date.toLocaleString(undefined, {
    ...(isThisYear ? {} : { year: 'numeric' }),
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  });
  return (
    <time dateTime={Number.isNaN(date.getTime()) ? '' : date.toISOString()} title={localTime(at)}>
      {shown}
    </time>
  );
}

function RunTitle({ run, isBaseline }: { readonly run: RunSummary; readonly isBaseline: boolean }) {
  const { id, selection, repeats, auto, olderCode, variants } = run;
  return (
    <p class="run-title">
      <a class="run-name" href={formatRoute({ view: 'run', run: id })} title={titleOf(run)} dir="auto">
        {titleOf(run)}
      </a>
      {isBaseline && <b class="run-mark">baseline</b>}
      {selection !== undefined && (
        <span class="run-mark" title={selection.by.map(visible).join(', ')}>
          some cases
        </span>
      )}
      {variants !== undefined && (
        <bdi class="run-mark" title={visible(variants.join(', '))}>
          {visible(variants.join(', '))}
        </bdi>
      )}
      {repeats > 1 && (
        <span class="run-mark">
          {auto && 'up to '}
          {repeats} repeats
        </span>
      )}
      {olderCode === true && <OlderCode />}
    </p>
  );
}

function titleOf({ id, name, sets }: RunSummary): string {
  return visible(name ?? (sets.length === 0 ? id : sets.join(', ')));
}

function RunFacts({ run, common }: { readonly run: RunSummary; readonly common: readonly RunThreshold[] }) {
  const { id, name, sets, criteria, problem, outcome } = run;
  const confirmed = confirmedRun(outcome?.gates ?? []);
  const differs = criteria.length > 0 && !isSameCriteria(criteria, common);
  const rules = criteria.map(ruleText).map(visible).join(', ');
  return (
    <p class="run-facts">
      <code>{visible(id)}</code>
      {name !== undefined && <bdi>{visible(sets.join(', '))}</bdi>}
      {problem !== undefined && <span class="problem">{problem}</span>}
      {confirmed !== undefined && (
        <span>
          run to confirm <a href={formatRoute({ view: 'run', run: confirmed })}>{visible(confirmed)}</a>
        </span>
      )}
      {differs && (
        <bdi class="rules" title={rules}>
          {rules}
        </bdi>
      )}
    </p>
  );
}

function Verdict({ run: { result, state, units, outcome, summary } }: { readonly run: RunSummary }) {
  switch (result) {
    case 'under-way':
    case 'unfinished':
      return (
        <span class={`badge run-state ${state}`}>
          {STATES[state]}, {units.finished.toLocaleString('en')} of {units.total.toLocaleString('en')}
        </span>
      );
    case 'not-judged':
      return <span class="note">not judged</span>;
    case 'unreadable':
      return <span class="note">cannot be read</span>;
    default:
      return <VerdictBadge verdict={outcome?.verdict ?? summary?.verdict ?? result} />;
  }
}

function Counts({ run }: { readonly run: Pick<RunSummary, 'summary'> }) {
  const verdicts = Object.entries(run.summary?.verdicts ?? {}) as [keyof typeof VERDICT_WORDS, number][];
  return (
    <span class="counts">
      {verdicts
        .filter(([, number]) => number > 0)
        .map(([verdict, number]) => (
          <span key={verdict} title={VERDICT_WORDS[verdict]}>
            <VerdictIcon verdict={verdict} />
            <span class="unseen">{VERDICT_WORDS[verdict]}: </span>
            {number.toLocaleString('en')}
          </span>
        ))}
    </span>
  );
}

/** Summarises the gates of a run, or shows the first problem with it. */
function GatesOf({ run: { outcome, state } }: { readonly run: RunSummary }) {
  const { gates = [], problems = [] } = outcome ?? {};
  if (state !== 'finished' || (gates.length === 0 && problems.length === 0)) return null;
  const text = visible(problems[0] ?? gatesText(gates));
  return (
    <small class="gates" title={text}>
      {text}
    </small>
  );
}

function RowMenu(props: { readonly run: RunSummary; readonly isBaseline: boolean; readonly actions: RunActions }) {
  const { run, isBaseline, actions } = props;
  const { id, app, state, summary } = run;
  const baseline = pinOf(app);
  return (
    <Menu label={`Actions for the run ${visible(id)}`} sign="⋯">
      {(close) => {
        const item = (text: string, act: () => void, style = '') => (
          <li>
            <Button
              text={text}
              class={`quiet ${style}`}
              onClick={() => {
                close();
                act();
              }}
            />
          </li>
        );
        return (
          <>
            {item(run.name === undefined ? 'Name…' : 'Rename…', () => actions.rename(run))}
            <li>
              <CopyButton name="Copy id" text={() => id} />
            </li>
            {app !== null &&
              state === 'finished' &&
              summary !== null &&
              item(isBaseline ? 'Unpin as baseline' : 'Pin as baseline', () => pin(app, isBaseline ? null : id))}
            {baseline !== null && !isBaseline && summary !== null && (
              <li>
                <a class="action" href={formatRoute(compareRoute(baseline, id))}>
                  Compare with the baseline
                </a>
              </li>
            )}
            {run.result !== 'under-way' && item('Delete…', () => actions.remove(run), 'bad')}
          </>
        );
      }}
    </Menu>
  );
}
