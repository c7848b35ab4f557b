import type { Ending, Inference } from '@agent-criteria/core';
import type { RunCase, RunCriterion, RunSet } from '@agent-criteria/results';
import { countTurns } from '../count-turns.ts';
import { isSameJson } from '../json-diff.ts';
import type { PageCase } from '../page-data.ts';
import { ErrorStack } from './error-stack.tsx';
import type { EventLink } from './event-link.tsx';
import { formatTime, scoreText, visible } from './format.ts';
import { JsonChanges } from './json-changes.tsx';
import { JsonTree, Some } from './json-tree.tsx';
import { Whole } from './long-text.tsx';
import { ModelCalls } from './model-calls.tsx';
import { ScoreView } from './score.tsx';
import { Trace } from './trace.tsx';
import { criterionOf, scoresOf, TurnView } from './turn.tsx';
import { VERDICT_WORDS, VerdictIcon } from './verdict.tsx';

const ENDING_WORDS: Readonly<Record<Ending['by'], string>> = {
  'end-of-case': 'The conversation finished.',
  user: 'The user ended the conversation.',
  'turn-limit': 'The conversation reached its turn limit before the user had finished.',
  abort: 'The conversation was aborted.',
  error: 'An error ended the conversation.',
};

const ENDING_CLASSES: Readonly<Partial<Record<Ending['by'], string>>> = {
  'turn-limit': 'limited',
  abort: 'bad',
  error: 'bad',
};

/** One repeat of a case: its turns, stop reason and session state. */
export function RepeatView(props: {
  readonly one: PageCase;
  readonly set: RunSet | undefined;
  readonly repeat: number;
  /** The turn that the address identifies. */
  readonly turn: number | null;
  readonly tabbed: boolean;
  /** Links to the trace next to the conversation. */
  readonly link?: EventLink | undefined;
  hrefOf(turn: number): string;
}) {
  const { one, set, repeat, tabbed, link } = props;
  const recorded = one.inferences.find(({ key }) => key.repeat === repeat);
  const inference = recorded?.inference;
  const actual = inference?.invocations ?? [];
  const expected = one.evalCase.conversation ?? [];
  const spans = inference?.trace ?? [];
  const turns = Array.from({ length: countTurns(one, repeat) }, (_, turn) => turn);
  const ending = inference?.ending ?? one.result.units.find((unit) => unit.repeat === repeat)?.ending;
  const panel = tabbed ? { role: 'tabpanel' as const, 'aria-labelledby': `repeat-${repeat}` } : {};
  return (
    <div id="repeat" {...panel}>
      {recorded?.startedAt !== undefined && recorded.endedAt !== undefined && (
        <p class="case-facts">
          <span>{formatTime(recorded.endedAt - recorded.startedAt)}</span>
          <span>
            Session <bdi>{visible(recorded.inference.sessionId)}</bdi>
          </span>
        </p>
      )}
      {tabbed && <RepeatScores one={one} set={set} repeat={repeat} />}
      {ending?.by === 'error' && <EndingView ending={ending} saidAbove={one.result.reason === ending.error.message} />}
      <Some items={turns} step={50} atLeast={(props.turn ?? 0) + 1}>
        {(turn) => (
          <TurnView
            key={turn}
            one={one}
            set={set}
            repeat={repeat}
            turn={turn}
            href={props.hrefOf(turn)}
            actual={actual[turn]}
            expected={expected[turn]}
            spans={spans.filter((span) => span.turn === turn)}
            link={link}
          />
        )}
      </Some>
      {ending === undefined && <p class="nothing">This repeat did not run.</p>}
      {ending !== undefined && ending.by !== 'error' && <EndingView ending={ending} />}
      <WholeScores one={one} set={set} repeat={repeat} />
      {inference !== undefined && <SessionState inference={inference} wanted={one.evalCase.finalSessionState} />}
      {/* Not expanded by "unfold", because it is much longer than the conversation. */}
      <Whole.Provider value={false}>
        {link === undefined && <Trace spans={spans.filter((span) => !turns.includes(span.turn))} />}
        <ModelCalls calls={(one.calls ?? []).filter(({ key }) => key.repeat === repeat)} texts={one.callTexts} />
      </Whole.Provider>
    </div>
  );
}

/** The scores of this repeat alone, which never determine the verdict. */
function RepeatScores(props: { readonly one: RunCase; readonly set: RunSet | undefined; readonly repeat: number }) {
  const unit = props.one.result.units.find(({ repeat }) => repeat === props.repeat);
  if (unit === undefined || unit.criteria.length === 0) return null;
  return (
    <ul class="repeat-scores" aria-label="This repeat alone">
      {unit.criteria.map(({ name, verdict, score }) => (
        <li key={name}>
          <VerdictIcon verdict={verdict} />
          <span class="unseen">{VERDICT_WORDS[verdict]}</span> {visible(name)}{' '}
          <b>{ownScore(score, verdict === 'passed', criterionOf(props.set, name))}</b>
        </li>
      ))}
    </ul>
  );
}

function ownScore(score: number | null, passed: boolean, criterion: RunCriterion | undefined): string {
  return scoreText(score, criterion?.threshold, passed ? criterion?.range : null);
}

function EndingView({ ending, saidAbove = false }: { readonly ending: Ending; readonly saidAbove?: boolean }) {
  const of = ending.by === 'error' ? ` (${ending.of})` : '';
  return (
    <section class={`ending ${ENDING_CLASSES[ending.by] ?? ''}`}>
      <p>
        <b>
          {ENDING_WORDS[ending.by]}
          {of}
        </b>{' '}
        {ending.reason !== undefined && <span dir="auto">{ending.reason}</span>}
      </p>
      {ending.by === 'error' && (
        <>
          <p class="reason" dir="auto">
            {!saidAbove && ending.error.message} <code>{ending.error.code}</code>
          </p>
          {ending.error.stack !== undefined && <ErrorStack stack={ending.error.stack} />}
        </>
      )}
    </section>
  );
}

/** The scores of the whole conversation. */
function WholeScores(props: { readonly one: RunCase; readonly set: RunSet | undefined; readonly repeat: number }) {
  const results = scoresOf(props.one, props.set, props.repeat, null);
  if (results.length === 0) return null;
  return (
    <section class="scores whole">
      <h3>Scores of the whole conversation</h3>
      {results.map((result) => (
        <ScoreView key={result.name} {...result} />
      ))}
    </section>
  );
}

function SessionState(props: { readonly inference: Inference; readonly wanted: unknown }) {
  const { initial, final } = props.inference.state;
  const nothing = (state: unknown) => state === null || state === undefined || isSameJson(state, {});
  const { wanted } = props;
  if (nothing(initial) && nothing(final) && (wanted === null || wanted === undefined)) return null;
  return (
    <section class="state">
      <h3>Session state</h3>
      {wanted !== null && wanted !== undefined && (
        <>
          <p class="note">Expected and actual final state</p>
          <JsonChanges before={wanted} after={final} name="final" />
        </>
      )}
      <p class="note">
        {isSameJson(initial, final) ? 'Unchanged by the conversation' : 'Before the first turn and after the last'}
      </p>
      {isSameJson(initial, final) ? (
        <JsonTree name="state" value={final} />
      ) : (
        <JsonChanges before={initial} after={final} name="state" />
      )}
    </section>
  );
}
