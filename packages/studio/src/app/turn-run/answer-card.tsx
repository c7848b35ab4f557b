import { contentText, type Invocation } from '@agent-criteria/core';
import type { RunCriterion } from '@agent-criteria/results';
import {
  type diffWords,
  formatTime,
  LongText,
  scoreText,
  shortNames,
  TextBlock,
  VERDICT_WORDS,
  VerdictBadge,
  VerdictIcon,
  visible,
} from '@agent-criteria/viewer/views';
import { useMemo } from 'preact/hooks';
import type { TurnAnswer } from '../../api.ts';
import { Button } from '../button.tsx';
import { TurnCalls } from './turn-calls.tsx';
import { usageText } from './usage-text.ts';

/** One of the answers, with what differs from the one before. */
export function AnswerCard(props: {
  readonly id: string;
  readonly answer: TurnAnswer;
  /** Number of earlier messages that are sent again first. */
  readonly resent: number;
  readonly before: Invocation;
  readonly criteria: readonly RunCriterion[];
  /** `null` if there is nothing to compare with. */
  readonly diff: typeof diffWords | null;
  /** `null` if the agent has no chat. */
  readonly openChat: (() => void) | null;
  readonly addCase: (() => void) | null;
}) {
  const { id, answer, before, criteria, openChat, addCase } = props;
  const { invocation, problem, time, usage, verdict, scores, repeat } = answer;
  const name = `Answer ${repeat + 1}`;
  return (
    <article id={id} class="answer-card" tabIndex={-1} aria-label={name}>
      <header>
        <h3>{repeat + 1}</h3>
        {verdict !== null && <VerdictBadge verdict={verdict} />}
        <State answer={answer} resent={props.resent} />
        <small>
          {[...(time === null ? [] : [formatTime(time)]), ...(usage === null ? [] : [usageText(usage)])].join(', ')}
        </small>
      </header>
      {problem !== null && (
        <p class="problem" dir="auto">
          <LongText text={problem} />
        </p>
      )}
      {invocation === null ? (
        <Partial answer={answer} />
      ) : (
        <>
          <Text
            now={contentText(invocation.finalResponse)}
            before={contentText(before.finalResponse)}
            diff={props.diff}
          />
          <TurnCalls now={invocation} before={props.diff === null ? null : before} />
        </>
      )}
      {scores.length > 0 && <Scores scores={scores} criteria={criteria} />}
      {invocation !== null && openChat !== null && addCase !== null && (
        <footer>
          <Button text="Open as chat" unseen={`: ${name}`} class="quiet" onClick={openChat} />
          <Button text="Add to eval set…" unseen={`: ${name}`} class="quiet" onClick={addCase} />
        </footer>
      )}
    </article>
  );
}

function State({ answer: { state, resent: sent }, resent }: { readonly answer: TurnAnswer; readonly resent: number }) {
  if (state === 'done') return null;
  if (state === 'left') return <span class="note">Not run</span>;
  const word =
    state === 'waiting'
      ? 'Waiting'
      : state === 'scoring'
        ? 'Scoring'
        : sent < resent
          ? `Sending earlier message ${sent + 1} of ${resent}`
          : 'Answering';
  return (
    <span class="note doing">
      <VerdictIcon verdict={state === 'waiting' ? 'waiting' : 'running'} /> {word}
    </span>
  );
}

/** The agent's answer so far. */
function Partial({ answer: { text, calls, state } }: { readonly answer: TurnAnswer }) {
  if (state === 'waiting' || state === 'left') return null;
  return (
    <>
      {calls.length > 0 && <p class="note">Called {calls.map(visible).join(', ')}</p>}
      {text !== '' && <TextBlock text={text} />}
    </>
  );
}

function Text(props: { readonly now: string; readonly before: string; readonly diff: typeof diffWords | null }) {
  const { now, before, diff } = props;
  const pieces = useMemo(
    () => (diff === null || now === '' || now === before ? null : diff(before, now)),
    [now, before, diff],
  );
  if (now === '') return <p class="nothing">The agent gave no answer.</p>;
  return (
    <>
      {now === before && <p class="note as-before">Word for word as before</p>}
      {pieces === null ? <TextBlock text={now} /> : <TextBlock text={now} pieces={pieces.after} as="ins" />}
    </>
  );
}

function Scores({
  scores,
  criteria,
}: {
  readonly scores: TurnAnswer['scores'];
  readonly criteria: readonly RunCriterion[];
}) {
  const labels = useMemo(() => shortNames(criteria.map(({ name }) => name)), [criteria]);
  return (
    <ul class="repeat-scores" aria-label="Scores">
      {scores.map(({ name, verdict, score, reason }) => {
        const criterion = criteria.find((one) => one.name === name);
        return (
          <li key={name} title={[name, ...(reason === null ? [] : [reason])].join('\n')}>
            <VerdictIcon verdict={verdict} />
            <span class="unseen">{VERDICT_WORDS[verdict]}</span> {visible(labels.get(name) ?? name)}{' '}
            <b>{scoreText(score, criterion?.threshold, verdict === 'passed' ? criterion?.range : null)}</b>
          </li>
        );
      })}
    </ul>
  );
}
