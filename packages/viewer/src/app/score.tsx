import type { Evidence, Missing, RunCriterion, Score, ScorePart } from '@agent-criteria/core';
import { count, formatScore, visible } from './format.ts';
import { JsonChanges } from './json-changes.tsx';
import { JsonTree, Some } from './json-tree.tsx';
import { LongText } from './long-text.tsx';
import { Marked } from './marked.tsx';
import { VerdictIcon } from './verdict.tsx';
import { diffWords } from './word-diff.ts';

const MISSING_WORDS: Readonly<Record<Missing, string>> = {
  'not-applicable': 'not applicable',
  'could-not-judge': 'could not be judged',
};

/** A score of a turn or a conversation, with all that it rests on. */
export function ScoreView(props: {
  readonly name: string;
  readonly criterion: RunCriterion | undefined;
  readonly value: number | null;
  readonly reached: boolean | null;
  readonly score: Score;
  /** Stands elsewhere on the page already. */
  readonly drawn?: Evidence | null;
}) {
  const { name, criterion, value, reached, score, drawn = null } = props;
  return (
    <div class={`score-view ${stateOf(reached, score)}`}>
      <p class="headline">
        <ScoreSign reached={reached} score={score} />
        <b class="name">{visible(name)}</b>
        <Value {...{ value, score }} threshold={criterion?.threshold ?? null} />
        {value !== null && criterion !== undefined && <Meter value={value} criterion={criterion} />}
      </p>
      <ScoreBody score={score} drawn={drawn} />
    </div>
  );
}

function stateOf(reached: boolean | null, score: Score): string {
  if ('missing' in score) return score.missing;
  if (reached === null) return 'measured';
  return reached ? 'reached' : 'not-reached';
}

function ScoreSign({ reached, score }: { readonly reached: boolean | null; readonly score: Score }) {
  if ('missing' in score)
    return <VerdictIcon verdict={score.missing === 'not-applicable' ? 'skipped' : 'not-evaluated'} />;
  if (reached === null) return <VerdictIcon verdict="informational" />;
  return (
    <>
      <VerdictIcon verdict={reached ? 'passed' : 'failed'} />
      <span class="unseen">{reached ? 'reaches its threshold: ' : 'does not reach its threshold: '}</span>
    </>
  );
}

export function Value(props: {
  readonly value: number | null;
  readonly score: Score;
  readonly threshold: number | null;
}) {
  const { value, score, threshold } = props;
  if ('missing' in score) return <span class={`missing ${score.missing}`}>{MISSING_WORDS[score.missing]}</span>;
  if (value === null) return <span class="missing could-not-judge">no part could be scored</span>;
  return <span class="value">{formatScore(value, threshold)}</span>;
}

/** Where a number lies in its range, and where the threshold is. */
export function Meter({ value, criterion }: { readonly value: number; readonly criterion: RunCriterion }) {
  const { range, threshold, gates } = criterion;
  if (range.max === null || range.max <= range.min) return null;
  const { min, max } = range;
  const share = (number: number) => `${Math.min(Math.max((number - min) / (max - min), 0), 1) * 100}%`;
  return (
    <span class="meter" aria-hidden="true">
      <span class="fill" style={{ width: share(value) }} />
      {gates && threshold !== null && <span class="tick" style={{ left: share(threshold) }} />}
    </span>
  );
}

function ScoreBody({ score, drawn }: { readonly score: Score; readonly drawn: Evidence | null }) {
  return (
    <>
      {score.reason !== undefined && (
        <p class="reason" dir="auto">
          <LongText text={score.reason} />
        </p>
      )}
      {score.warnings?.map((warning) => (
        <p key={warning} class="warning" dir="auto">
          Warning: {warning}
        </p>
      ))}
      {'parts' in score && (
        <ul class="parts">
          <Some items={score.parts}>{(part, place) => <PartScore key={place} part={part} />}</Some>
        </ul>
      )}
      {score.evidence?.map((evidence, place) => (
        <EvidenceView key={place} evidence={evidence} drawn={drawn} />
      ))}
    </>
  );
}

function PartScore({ part }: { readonly part: ScorePart }) {
  const value = 'value' in part ? part.value : null;
  return (
    <li class={'missing' in part ? part.missing : ''}>
      <p class="headline">
        <span class="part-kind">{part.kind}</span>
        <span class="part-text" dir="auto">
          {part.text ?? visible(part.id)}
        </span>
        {'parts' in part ? (
          <span class="missing">{count(part.parts.length, 'part')}</span>
        ) : (
          <Value value={value} score={part} threshold={null} />
        )}
      </p>
      <ScoreBody score={part} drawn={null} />
    </li>
  );
}

/** Evidence of any criterion. */
function EvidenceView({ evidence, drawn }: { readonly evidence: Evidence; readonly drawn: Evidence | null }) {
  switch (evidence.kind) {
    case 'note':
      return (
        <p class="evidence note" dir="auto">
          <LongText text={evidence.text} />
        </p>
      );
    case 'json':
      return (
        <div class="evidence">
          <JsonTree name={evidence.label ?? 'details'} value={evidence.value} />
        </div>
      );
    case 'diff':
      return <DiffEvidence {...{ evidence, drawn }} />;
    case 'vote':
      return <Vote vote={evidence} />;
    case 'words':
      return (
        <dl class="evidence words">
          <Words name="Missing words" words={evidence.missing} class="removed" />
          <Words name="Extra words" words={evidence.extra} class="added" />
        </dl>
      );
  }
}

type Of<Kind extends Evidence['kind']> = Extract<Evidence, { kind: Kind }>;

function DiffEvidence({ evidence, drawn }: { readonly evidence: Of<'diff'>; readonly drawn: Evidence | null }) {
  const { expected, actual, path } = evidence;
  const place = path !== undefined && (
    <p class="note">
      First difference at <code>{visible(path)}</code>
      {evidence === drawn && ', in the tool calls above'}
    </p>
  );
  if (evidence === drawn) return <div class="evidence">{place}</div>;
  const words = typeof expected === 'string' && typeof actual === 'string' ? diffWords(expected, actual) : null;
  return (
    <div class="evidence">
      {place}
      {words === null ? (
        <JsonChanges before={expected} after={actual} />
      ) : (
        <div class="columns">
          <div class="side-text expected" dir="auto">
            <h5>Expected</h5>
            <Marked pieces={words.before} as="del" />
          </div>
          <div class="side-text actual" dir="auto">
            <h5>Actual</h5>
            <Marked pieces={words.after} as="ins" />
          </div>
        </div>
      )}
    </div>
  );
}

function Vote({ vote }: { readonly vote: Of<'vote'> }) {
  const { positive, negative, unreadable, of } = vote;
  const open = Math.max(of - positive - negative - unreadable, 0);
  const parts = [
    ['yes', positive],
    ['no', negative],
    ['unreadable', unreadable],
    ['not asked', open],
  ] as const;
  return (
    <div class="evidence vote">
      <span class="vote-bar" aria-hidden="true">
        {parts.map(([name, number]) => number > 0 && <span key={name} class={name} style={{ flexGrow: number }} />)}
      </span>
      Vote: {parts.flatMap(([name, number]) => (number > 0 ? [`${number} ${name}`] : [])).join(', ')} of {of}
    </div>
  );
}

function Words(props: { readonly name: string; readonly words: readonly string[]; readonly class: string }) {
  if (props.words.length === 0) return null;
  return (
    <div class={props.class}>
      <dt>{props.name}</dt>
      <dd>
        <Some items={props.words} step={60}>
          {(word, place) => (
            <bdi key={place} class="word">
              {word}
            </bdi>
          )}
        </Some>
      </dd>
    </div>
  );
}
