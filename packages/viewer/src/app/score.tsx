import type { Evidence, Missing, Score, ScorePart } from '@agent-criteria/core';
import { meetsThreshold } from '@agent-criteria/core/host';
import { type RunCriterion, readOpinions } from '@agent-criteria/results';
import { isUnjudged, scoreValue } from '../score-value.ts';
import { seemsMarkdown } from '../seems-markdown.ts';
import { diffWords } from '../word-diff.ts';
import { AnswerText } from './answer-text.tsx';
import { count, scoreText, visible } from './format.ts';
import { JsonChanges } from './json-changes.tsx';
import { Fold, JsonTree, Some } from './json-tree.tsx';
import { LongText, Prose, TEXT_SHOWN } from './long-text.tsx';
import { Marked } from './marked.tsx';
import { Opinions } from './opinions.tsx';
import type { AnyVerdict } from './route.ts';
import { VerdictIcon } from './verdict.tsx';

const MISSING_WORDS: Readonly<Record<Missing, string>> = {
  'not-applicable': 'not applicable',
  'could-not-judge': 'could not be judged',
};

/** The score of a turn or a conversation, with its reason, parts and evidence. */
export function ScoreView(props: {
  readonly name: string;
  readonly criterion: RunCriterion | undefined;
  readonly value: number | null;
  readonly reached: boolean | null;
  readonly score: Score;
  /** Evidence that is already shown elsewhere. */
  readonly drawn?: Evidence | null;
  /** Whether the reason is already shown elsewhere. */
  readonly saidAbove?: boolean;
}) {
  const { name, criterion, value, reached, score, drawn = null, saidAbove = false } = props;
  const { reason: _above, ...rest } = score;
  const shown: Score = saidAbove ? rest : score;
  const state = stateOf(reached, score);
  const headline = (
    <>
      <ScoreSign reached={reached} score={score} />
      <b class="name">{visible(name)}</b>
      <Value value={value} score={score} reached={reached} criterion={criterion} />
      {value !== null && criterion !== undefined && <Meter value={value} criterion={criterion} />}
    </>
  );
  const body = () => <ScoreBody score={shown} criterion={criterion} drawn={drawn} />;
  if (!isWell(state) || !hasBody(shown)) {
    return (
      <div class={`score-view ${state}`}>
        <p class="headline">{headline}</p>
        {body()}
      </div>
    );
  }
  const short = 'parts' in score ? score.parts.filter((part) => stateOfPart(part, criterion) === 'short').length : 0;
  const warnings = score.warnings?.length ?? 0;
  return (
    <Fold
      class={`score-view ${state}`}
      summary={() => (
        <span class="headline">
          {headline}
          {short > 0 && <small>{short === 1 ? '1 part falls short' : `${short} parts fall short`}</small>}
          {warnings > 0 && <small class="warning">{count(warnings, 'warning')}</small>}
        </span>
      )}
    >
      {body}
    </Fold>
  );
}

/** Whether a score needs no explanation, so that it can be collapsed. */
function isWell(state: string): boolean {
  return state === 'reached' || state === 'measured' || state === 'not-applicable';
}

function hasBody(score: Score): boolean {
  const { reason, warnings = [], evidence = [] } = score;
  return reason !== undefined || warnings.length > 0 || evidence.length > 0 || 'parts' in score;
}

function stateOf(reached: boolean | null, score: Score): string {
  if ('missing' in score) return score.missing;
  if (reached === null) return 'measured';
  return reached ? 'reached' : 'not-reached';
}

function ScoreSign({ reached, score }: { readonly reached: boolean | null; readonly score: Score }) {
  const verdict = signOf(score, reached);
  return (
    <>
      <VerdictIcon verdict={verdict} />
      {verdict === 'passed' && <span class="unseen">reaches its threshold: </span>}
      {verdict === 'failed' && <span class="unseen">does not reach its threshold: </span>}
    </>
  );
}

/** Returns the verdict whose icon represents the score of a turn. */
export function signOf(score: Score, reached: boolean | null): AnyVerdict {
  if ('missing' in score) return score.missing === 'not-applicable' ? 'skipped' : 'not-evaluated';
  if (reached === null) return 'informational';
  return reached ? 'passed' : 'failed';
}

export function Value(props: {
  readonly value: number | null;
  readonly score: Score;
  readonly criterion: Pick<RunCriterion, 'range' | 'threshold'> | undefined;
  readonly reached?: boolean | null;
}) {
  const { value, score, criterion, reached } = props;
  if ('missing' in score) return <span class={`missing ${score.missing}`}>{MISSING_WORDS[score.missing]}</span>;
  if (value === null) return <span class="missing could-not-judge">no part could be scored</span>;
  const { threshold = null, range = null } = criterion ?? {};
  return <span class="value">{scoreText(value, threshold, reached === true ? range : null)}</span>;
}

/** Shows where a number and the threshold lie in the range. */
export function Meter({ value, criterion }: { readonly value: number; readonly criterion: RunCriterion }) {
  const { range, threshold, decides } = criterion;
  if (range.max === null || range.max <= range.min) return null;
  const { min, max } = range;
  const share = (number: number) => `${Math.min(Math.max((number - min) / (max - min), 0), 1) * 100}%`;
  return (
    <span class="meter" aria-hidden="true">
      <span class="fill" style={{ width: share(value) }} />
      {decides && threshold !== null && <span class="tick" style={{ left: share(threshold) }} />}
    </span>
  );
}

interface Explained {
  readonly score: Score;
  readonly criterion: RunCriterion | undefined;
  readonly drawn: Evidence | null;
}

function ScoreBody({ score, criterion, drawn }: Explained) {
  return (
    <>
      {score.reason !== undefined && <Reason text={score.reason} isJudged={isJudged(score)} />}
      <Warnings warnings={score.warnings ?? []} />
      {'parts' in score && <Parts parts={score.parts} criterion={criterion} />}
      {score.evidence?.map((evidence, place) => (
        <EvidenceView key={place} evidence={evidence} drawn={drawn} />
      ))}
    </>
  );
}

/** A reason. Only judges write Markdown; the other criteria quote names and values in theirs. */
function Reason({ text, isJudged }: { readonly text: string; readonly isJudged: boolean }) {
  if (!isJudged || !seemsMarkdown(text)) return <Prose class="reason" text={text} most={TEXT_SHOWN} />;
  return (
    <div class="reason">
      <AnswerText text={text} />
    </div>
  );
}

function isJudged({ evidence = [] }: Score): boolean {
  return evidence.some(({ kind }) => kind === 'opinions');
}

export function Warnings({ warnings }: { readonly warnings: readonly string[] }) {
  return (
    <>
      {warnings.map((warning) => (
        <Prose key={warning} class="warning" text={`Warning: ${warning}`} />
      ))}
    </>
  );
}

type PartState = 'short' | 'could-not-judge' | 'not-applicable' | 'well' | 'measured';

const PART_WORDS: Readonly<Record<PartState, readonly [verdict: AnyVerdict, words: string]>> = {
  short: ['failed', 'falls short'],
  'could-not-judge': ['not-evaluated', 'could not be judged'],
  'not-applicable': ['skipped', 'not applicable'],
  well: ['passed', 'is well'],
  measured: ['informational', 'is measured'],
};

function stateOfPart(part: ScorePart, criterion: RunCriterion | undefined): PartState {
  const value = scoreValue(part);
  const threshold = criterion?.threshold ?? null;
  if (value !== null && criterion && threshold !== null && !meetsThreshold(value, threshold, criterion.range, null))
    return 'short';
  if (isUnjudged(part)) return 'could-not-judge';
  if (value === null) return 'not-applicable';
  return threshold === null ? 'measured' : 'well';
}

/** The minimum number of parts at which a count of the parts that fall short is shown. */
const COUNTED_PARTS = 4;

function Parts(props: { readonly parts: readonly ScorePart[] } & Pick<Explained, 'criterion'>) {
  const parts = props.parts.map((part) => ({ part, state: stateOfPart(part, props.criterion) }));
  const number = (wanted: PartState) => parts.filter(({ state }) => state === wanted).length;
  const [short, unjudged] = [number('short'), number('could-not-judge')];
  const counts = [
    ...(short > 0 ? [`${short} ${short === 1 ? 'falls' : 'fall'} short`] : []),
    ...(unjudged > 0 ? [`${unjudged} could not be judged`] : []),
  ];
  return (
    <>
      {parts.length >= COUNTED_PARTS && counts.length > 0 && (
        <p class="note">
          Of {parts.length} parts, {counts.join(', ')}.
        </p>
      )}
      <ul class="parts">
        <Some items={parts}>
          {({ part, state }, place) => <PartScore key={place} part={part} state={state} criterion={props.criterion} />}
        </Some>
      </ul>
    </>
  );
}

function PartScore(props: { readonly part: ScorePart; readonly state: PartState } & Pick<Explained, 'criterion'>) {
  const { part, state, criterion } = props;
  const [verdict, words] = PART_WORDS[state];
  const headline = (
    <>
      <VerdictIcon verdict={verdict} />
      <span class="unseen">{words}: </span>
      <span class="part-kind">{part.kind}</span>
      <span class="part-text" dir="auto">
        {part.text ? <LongText text={part.text} most={1000} /> : visible(part.id)}
      </span>
      <Value value={scoreValue(part)} score={part} criterion={criterion} />
    </>
  );
  const body = () => <ScoreBody score={part} criterion={criterion} drawn={null} />;
  return (
    <li class={state}>
      {(state === 'well' || state === 'not-applicable') && hasBody(part) ? (
        <Fold summary={() => <span class="headline">{headline}</span>}>{body}</Fold>
      ) : (
        <>
          <p class="headline">{headline}</p>
          {body()}
        </>
      )}
    </li>
  );
}

function EvidenceView({ evidence, drawn }: { readonly evidence: Evidence; readonly drawn: Evidence | null }) {
  switch (evidence.kind) {
    case 'note':
      return <Prose class="evidence note" text={evidence.text} most={TEXT_SHOWN} />;
    case 'json':
      return <JsonEvidence evidence={evidence} />;
    case 'diff':
      return <DiffEvidence evidence={evidence} drawn={drawn} />;
    case 'opinions':
      return <Opinions of={evidence} />;
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

function JsonEvidence({ evidence }: { readonly evidence: Of<'json'> }) {
  const { label = 'details', value } = evidence;
  const opinions = readOpinions(evidence);
  if (opinions !== null) return <Opinions of={opinions} />;
  if (typeof value === 'string')
    return (
      <figure class="evidence quote">
        <figcaption>{visible(label)}</figcaption>
        <blockquote dir="auto">
          <LongText text={value} />
        </blockquote>
      </figure>
    );
  return (
    <div class="evidence">
      <JsonTree name={label} value={value} />
    </div>
  );
}

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
          {(['expected', 'actual'] as const).map((side) => (
            <div key={side} class={`side-text ${side}`} dir="auto">
              <h5>{side === 'expected' ? 'Expected' : 'Actual'}</h5>
              {side === 'expected' ? (
                <Marked pieces={words.before} as="del" />
              ) : (
                <Marked pieces={words.after} as="ins" />
              )}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

function Vote({ vote }: { readonly vote: Of<'vote'> }) {
  const { positive, negative, unreadable, of } = vote;
  const parts = [
    ['yes', positive, 'yes'],
    ['no', negative, 'no'],
    ['without an opinion', unreadable, 'unreadable'],
    ['not asked', Math.max(of - positive - negative - unreadable, 0), 'open'],
  ] as const;
  const given = parts.filter(([, number]) => number > 0);
  return (
    <div class="evidence vote">
      <span class="vote-bar" aria-hidden="true">
        {given.map(([name, number, kind]) => (
          <span key={name} class={kind} style={{ flexGrow: number }} />
        ))}
      </span>
      <span>
        Vote{' '}
        <b>
          {positive}:{negative}
        </b>{' '}
        ({given.map(([name, number]) => `${number} ${name}`).join(', ')} of {of})
      </span>
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
