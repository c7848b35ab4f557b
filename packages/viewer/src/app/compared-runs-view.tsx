import type { ComparedCase, RunComparison, ScoreChange } from '@agent-criteria/analysis';
import { comparisonNotes } from '@agent-criteria/analysis/text';
import { useState } from 'preact/hooks';
import type { ComparedRuns } from '../compared-runs.ts';
import { ChangeNumbers } from './change-numbers.tsx';
import { count, localTime, scoreText, visible } from './format.ts';
import { VERDICT_WORDS, VerdictIcon } from './verdict.tsx';

const MORE = 50;

export const SIDES = ['base', 'candidate'] as const;
export type Side = (typeof SIDES)[number];
export const SIDE_WORDS: Readonly<Record<Side, string>> = { base: 'Before', candidate: 'Now' };

export interface ComparedRunsProps {
  readonly runs: ComparedRuns;
  /** Whether to show cases without differences too. */
  readonly all: boolean;
  showAll(all: boolean): void;
  /** Returns the address of a case with both sides. */
  hrefOf(one: ComparedCase): string;
  /** Returns the address of a case in its own run. */
  sideHref?: ((side: Side, one: ComparedCase) => string) | undefined;
}

/** Compares two runs of the same cases: the changes, how certain they are, and one row per case. */
export function ComparedRunsView(props: ComparedRunsProps) {
  const { comparison } = props.runs;
  const { base, candidate, outcome, statement, cases } = comparison;
  const variants = [base.variant, candidate.variant].filter((one) => one !== undefined);
  return (
    <section class="comparison" aria-label={variants.length === 0 ? 'Comparison' : variants.map(visible).join(' and ')}>
      <h2 class={variants.length === 0 ? 'unseen' : ''}>
        {variants.length === 0 ? 'What changed' : variants.map(visible).join(' → ')}
      </h2>
      <p class={`banner ${BANNERS[outcome]}`} role="status">
        {visible(statement)}
      </p>
      <p class="note">
        {props.sideHref === undefined && (
          <>
            {visible(base.agent)}, {localTime(base.startedAt)} → {visible(candidate.agent)},{' '}
            {localTime(candidate.startedAt)};{' '}
          </>
        )}
        {count(cases.paired, 'paired case')}
      </p>
      <ChangeNumbers comparison={comparison} />
      <Cases {...props} />
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

/** Returns the cases to show. With `all`, these include cases without differences. */
export function shownCases({ cases }: ComparedRuns, all: boolean): readonly ComparedCase[] {
  return all ? cases : cases.filter(({ change }) => change !== 'same');
}

function Cases(props: ComparedRunsProps) {
  const { runs, all } = props;
  const [most, setMost] = useState(MORE);
  const rows = shownCases(runs, all);
  const flipped = runs.comparison.flipped.length;
  const paired = rows.filter(({ change }) => change !== 'unpaired');
  const unpaired = rows.filter(({ change }) => change === 'unpaired');
  const same = runs.cases.filter(({ change }) => change === 'same').length;
  return (
    <>
      <div class="compared-head">
        <h3>Cases: {flipped === 0 ? 'no verdict changed' : `${flipped.toLocaleString('en')} whose verdict changed`}</h3>
        <label class="switch">
          <input type="checkbox" checked={!all} onChange={(event) => props.showAll(!event.currentTarget.checked)} />{' '}
          Only differences
        </label>
        <p class="shown" role="status">
          {all
            ? count(rows.length, 'case')
            : `${rows.length.toLocaleString('en')} of ${count(runs.cases.length, 'case')}`}
        </p>
      </div>
      {paired.length === 0 && (
        <p class="note">
          {same === 0 ? 'These runs have no case in common.' : `No difference in ${count(same, 'case')}.`}
        </p>
      )}
      <Rows cases={paired.slice(0, most)} {...props} />
      {paired.length < most && unpaired.length > 0 && (
        <>
          <h3>Not compared: {count(unpaired.length, 'case')}</h3>
          <Rows cases={unpaired.slice(0, most - paired.length)} {...props} />
        </>
      )}
      {rows.length > most && (
        <button type="button" onClick={() => setMost(most + MORE)}>
          Show {Math.min(MORE, rows.length - most)} more
        </button>
      )}
    </>
  );
}

function Rows({ cases, ...props }: ComparedRunsProps & { readonly cases: readonly ComparedCase[] }) {
  if (cases.length === 0) return null;
  return (
    <ol class="compared-rows">
      {cases.map((one) => (
        <Row key={`${one.setId} ${one.caseId}`} one={one} {...props} />
      ))}
    </ol>
  );
}

const CHANGE_WORDS: Readonly<Record<ComparedCase['change'], string>> = {
  lost: 'Got worse',
  gained: 'Got better',
  other: 'Verdict changed',
  changed: 'Scores changed',
  same: 'No difference',
  unpaired: 'Not compared',
};

function Row({ one, ...props }: ComparedRunsProps & { readonly one: ComparedCase }) {
  const { change, unpaired, scores } = one;
  return (
    <li class={`compared-row ${change}`}>
      <div class="compared-case">
        <h4>
          <a href={props.hrefOf(one)}>
            <bdi>{visible(one.caseId)}</bdi>
            <span class="unseen">, both sides</span>
          </a>
        </h4>
        <p>
          <small>
            <b>{CHANGE_WORDS[change]}</b>
            {unpaired !== undefined && `: ${unpaired}`} · <bdi>{visible(one.setId)}</bdi>
          </small>
        </p>
        {scores.slice(0, 3).map((score) => (
          <ScoreLine key={score.name} score={score} />
        ))}
        {scores.length > 3 && <small>and {scores.length - 3} more scores</small>}
      </div>
      {SIDES.map((side) => (
        <OneSide key={side} one={one} side={side} href={props.sideHref?.(side, one)} />
      ))}
    </li>
  );
}

function ScoreLine({ score: { name, base, candidate, better } }: { readonly score: ScoreChange }) {
  return (
    <p class={`score-change ${better === null ? '' : better ? 'better' : 'worse'}`}>
      {visible(name)} {scoreText(base)} → {scoreText(candidate)}
      {better !== null && <span class="unseen">, {better ? 'better' : 'worse'}</span>}
    </p>
  );
}

function OneSide(props: { readonly one: ComparedCase; readonly side: Side; readonly href: string | undefined }) {
  const { one, side, href } = props;
  const label = SIDE_WORDS[side];
  const own = one[side];
  if (own === null) {
    return (
      <div class="compared-side">
        <p>
          <small>{label}</small> <span class="nothing">not in this run</span>
        </p>
      </div>
    );
  }
  return (
    <div class="compared-side">
      <p>
        <small>{label}</small> <VerdictIcon verdict={own.verdict} /> {VERDICT_WORDS[own.verdict]}
        {own.of > 1 && ` ${own.passed}/${own.of}`}{' '}
        {href !== undefined && (
          <a href={href}>
            Open
            <span class="unseen">
              {' '}
              {visible(one.caseId)}, {label.toLowerCase()}
            </span>
          </a>
        )}
      </p>
      {one.change !== 'same' && own.answer !== null && <blockquote dir="auto">{visible(own.answer)}</blockquote>}
      {one.change !== 'same' && own.reason !== undefined && <p class="note">{visible(own.reason)}</p>}
    </div>
  );
}

/** Notes on the comparison. */
function Sidelines({ comparison }: { readonly comparison: RunComparison }) {
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
