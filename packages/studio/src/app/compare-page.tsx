import {
  type Change,
  changeCells,
  comparisonNotes,
  type FlippedCase,
  type RunComparison,
} from '@agent-criteria/analysis';
import { count, VERDICT_WORDS, VerdictIcon, visible } from '@agent-criteria/viewer/views';
import { useEffect, useState } from 'preact/hooks';
import { ask } from './api-client.ts';
import { formatRoute, type Route } from './route.ts';
import { localTime } from './run-history.tsx';
import { LOADING, type Loaded, loaded } from './store.ts';
import { View } from './view.tsx';

type Compared = Extract<Route, { view: 'compare' }>;

/** The smallest changes that count, to choose from. */
const EFFECTS = [0.01, 0.02, 0.05, 0.1] as const;
const MORE = 20;

/** Two runs of the same cases: what changed, how certain that is, and the cases behind it. */
export function ComparePage({ route }: { readonly route: Compared }) {
  const [base, candidate] = route.runs;
  const [effect, setEffect] = useState(0.05);
  const [found, setFound] = useState<Loaded<readonly RunComparison[]>>(LOADING);
  useEffect(() => {
    let over = false;
    setFound(LOADING);
    const query = new URLSearchParams({ base, candidate, min_effect: String(effect) });
    void loaded(() => ask<readonly RunComparison[]>('GET', `/comparison?${query}`)).then((next) => {
      if (!over) setFound(next);
    });
    return () => {
      over = true;
    };
  }, [base, candidate, effect]);
  return (
    <View
      title="Two runs"
      above={<a href="#/runs">Runs</a>}
      actions={
        <a class="button" href={formatRoute({ view: 'compare', runs: [candidate, base] })}>
          Exchange
        </a>
      }
    >
      <p class="compared">
        <RunLink id={base} label="Before" /> <RunLink id={candidate} label="Now" />
        <label>
          Smallest change that counts{' '}
          <select value={effect} onChange={(event) => setEffect(Number(event.currentTarget.value))}>
            {EFFECTS.map((one) => (
              <option key={one} value={one}>
                {count(Math.round(one * 100), 'point')}
              </option>
            ))}
          </select>
        </label>
      </p>
      {found.state === 'loading' && <p class="note">Comparing the runs…</p>}
      {found.state === 'failed' && (
        <p class="problem" role="alert">
          {found.problem}
        </p>
      )}
      {found.state === 'there' &&
        found.value.map((comparison) => (
          <OneComparison
            key={`${comparison.base.variant} ${comparison.candidate.variant}`}
            comparison={comparison}
            runs={route.runs}
          />
        ))}
    </View>
  );
}

function RunLink({ id, label }: { readonly id: string; readonly label: string }) {
  return (
    <span>
      {label}: <a href={formatRoute({ view: 'run', run: id })}>{visible(id)}</a>
    </span>
  );
}

interface OneProps {
  readonly comparison: RunComparison;
  readonly runs: Compared['runs'];
}

function OneComparison({ comparison, runs }: OneProps) {
  const { base, candidate, outcome, statement, cases, flipped } = comparison;
  const variants = [base.variant, candidate.variant].filter((one) => one !== undefined);
  return (
    <section class="comparison" aria-label={variants.length === 0 ? 'Comparison' : variants.join(' and ')}>
      <h2 class={variants.length === 0 ? 'unseen' : ''}>
        {variants.length === 0 ? 'What changed' : variants.map(visible).join(' → ')}
      </h2>
      <p class={`banner ${BANNERS[outcome]}`} role="status">
        {visible(statement)}
      </p>
      <p class="note">
        {visible(base.agent)}, {localTime(base.startedAt)} → {visible(candidate.agent)},{' '}
        {localTime(candidate.startedAt)}; {count(cases.paired, 'paired case')}
      </p>
      <Flips flipped={flipped} runs={runs} comparison={comparison} />
      <Numbers comparison={comparison} />
      <Sidelines comparison={comparison} />
    </section>
  );
}

const BANNERS: Readonly<Record<RunComparison['outcome'], string>> = {
  regression: 'failed',
  improvement: 'passed',
  'no-change': 'informational',
  'cannot-tell': 'not-evaluated',
  'nothing-compared': 'not-evaluated',
};

/** Cases with another verdict, each with both answers and a link to either side. */
function Flips(props: OneProps & { readonly flipped: readonly FlippedCase[] }) {
  const { flipped, runs, comparison } = props;
  const [shown, setShown] = useState(MORE);
  if (flipped.length === 0) return <p class="note">No case has another verdict.</p>;
  return (
    <>
      <h3>Cases with another verdict ({flipped.length})</h3>
      <ol class="flips">
        {flipped.slice(0, shown).map((one) => (
          <li key={`${one.setId} ${one.caseId}`} class={one.direction}>
            <h4>
              {visible(one.caseId)} <small>{visible(one.setId)}</small>
            </h4>
            <div class="flip-sides">
              <Side side={one.base} of={one} id={runs[0]} variant={comparison.base.variant} label="Before" />
              <Side side={one.candidate} of={one} id={runs[1]} variant={comparison.candidate.variant} label="Now" />
            </div>
          </li>
        ))}
      </ol>
      {flipped.length > shown && (
        <button type="button" onClick={() => setShown(shown + MORE)}>
          Show {Math.min(MORE, flipped.length - shown)} more
        </button>
      )}
    </>
  );
}

function Side(props: {
  readonly side: FlippedCase['base'];
  readonly of: FlippedCase;
  readonly id: string;
  readonly variant: string | undefined;
  readonly label: string;
}) {
  const { side, of, id, variant, label } = props;
  const segment = encodeURIComponent;
  const query = variant === undefined ? '' : `?variant=${segment(variant)}`;
  const rest = `/case/${segment(of.setId)}/${segment(of.caseId)}${query}`;
  return (
    <div class="flip-side">
      <p>
        <small>{label}</small> <VerdictIcon verdict={side.verdict} /> {VERDICT_WORDS[side.verdict]}
        {side.of > 1 && ` ${side.passed}/${side.of}`}{' '}
        <a href={`#/runs/${segment(id)}${rest}`}>
          Open
          <span class="unseen">
            {' '}
            {visible(of.caseId)}, {label.toLowerCase()}
          </span>
        </a>
      </p>
      {side.answer !== null && <blockquote dir="auto">{visible(side.answer)}</blockquote>}
      {side.reason !== undefined && <p class="note">{visible(side.reason)}</p>}
    </div>
  );
}

function Numbers({ comparison: { passRate, criteria, measures, level } }: Pick<OneProps, 'comparison'>) {
  const deciding = [...(passRate === null ? [] : [passRate]), ...criteria];
  const measured = measures.filter(({ difference }) => difference !== null);
  if (deciding.length + measured.length === 0) return null;
  // The largest change first, by its share of what counts.
  const size = ({ difference, minEffect }: Change) => Math.abs(difference ?? 0) / minEffect;
  const rows = [...deciding.toSorted((a, b) => size(b) - size(a)), ...measured];
  return (
    <>
      <h3>Numbers</h3>
      <section
        class="numbers"
        aria-label="Numbers"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keys, too.
        tabIndex={0}
      >
        <table>
          <thead>
            <tr>
              <th scope="col">Number</th>
              <th scope="col">Before</th>
              <th scope="col">Now</th>
              <th scope="col">Change</th>
              <th scope="col">{Math.round(level * 100)}% interval</th>
              <th scope="col">p</th>
              <th scope="col">Verdict</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((change) => (
              <NumberRow key={change.name} change={change} decides={deciding.includes(change)} />
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

function NumberRow({ change, decides }: { readonly change: Change; readonly decides: boolean }) {
  const { before, now, difference, interval, p, verdict } = changeCells(change, decides);
  return (
    <tr class={decides ? change.verdict : 'measured'}>
      <th scope="row">{visible(change.name)}</th>
      <td>{before ?? '–'}</td>
      <td>{now ?? '–'}</td>
      <td>{difference?.replace('-', '−') ?? '–'}</td>
      <td>
        {interval ?? '–'}
        <Dot change={change} />
      </td>
      <td>{p ?? '–'}</td>
      <td title={change.text}>{verdict.charAt(0).toUpperCase() + verdict.slice(1)}</td>
    </tr>
  );
}

/** The change as a dot and its interval as a line, around no change in the middle. */
function Dot({ change: { difference, interval, minEffect } }: { readonly change: Change }) {
  if (difference === null || 'unknown' in interval) return null;
  const { low, high } = interval;
  const most = Math.max(Math.abs(low), Math.abs(high), minEffect * 2);
  const at = (value: number) => 60 + (value / most) * 56;
  return (
    <svg class="dot" viewBox="0 0 120 12" width="120" height="12" aria-hidden="true">
      <rect x={at(-minEffect)} y="0" width={at(minEffect) - at(-minEffect)} height="12" class="uncounted" />
      <line x1="60" y1="0" x2="60" y2="12" class="none" />
      <line x1={at(low)} y1="6" x2={at(high)} y2="6" class="interval" />
      <circle cx={at(difference)} cy="6" r="3.5" />
    </svg>
  );
}

/** What has to be known beside the numbers. */
function Sidelines({ comparison }: Pick<OneProps, 'comparison'>) {
  const lines = comparisonNotes(comparison, visible);
  if (lines.length === 0) return null;
  return (
    <ul class="sidelines">
      {lines.map((line) => (
        <li key={line}>{visible(line)}</li>
      ))}
    </ul>
  );
}
