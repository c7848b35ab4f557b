import type { Invocation, Span } from '@agent-criteria/core';
import type { TurnResult } from '@agent-criteria/core/host';
import type { RunCase, RunSet } from '@agent-criteria/results';
import { useContext } from 'preact/hooks';
import { Answers } from './answers.tsx';
import { Calls, callEvidence } from './calls.tsx';
import { type EventLink, tiedTo } from './event-link.tsx';
import { formatTime } from './format.ts';
import { JsonTree } from './json-tree.tsx';
import { Whole } from './long-text.tsx';
import { CopyText, Message } from './message.tsx';
import { OnTheWay } from './on-the-way.tsx';
import { isSaidAbove } from './reason-of.ts';
import { ScoreView } from './score.tsx';
import { Steps } from './steps.tsx';
import { Trace } from './trace.tsx';
import { TurnTools } from './turn-tools.ts';

/** Returns the id of a turn's element, for deep links. */
export function turnId(turn: number): string {
  return `turn-${turn + 1}`;
}

/** One turn: the question, the expected and actual answer, calls and scores. */
export function TurnView(props: {
  readonly one: RunCase;
  readonly set: RunSet | undefined;
  readonly repeat: number;
  readonly turn: number;
  readonly href: string;
  readonly actual: Invocation | undefined;
  readonly expected: Invocation | undefined;
  readonly spans: readonly Span[];
  /** Links to the trace next to the conversation. */
  readonly link?: EventLink | undefined;
}) {
  const { one, set, repeat, turn, actual, expected, link } = props;
  const Tools = useContext(TurnTools);
  const events = link?.events(turn) ?? [];
  const answer = actual?.finalResponse ? events.at(-1) : undefined;
  const steps = events.filter((event) => event !== answer && event.content?.parts?.some(({ text }) => text));
  const tiedSteps = tiedTo(
    link,
    steps.map(({ id }) => id),
  );
  const results = scoresOf(one, set, repeat, turn);
  const scores = results.map(({ score }) => score);
  const drawn = callEvidence(actual, expected, scores);
  const rubrics = expected?.rubrics ?? [];
  const asked = (actual ?? expected)?.userContent;
  return (
    <section class="turn" id={turnId(turn)} tabIndex={-1} aria-labelledby={`${turnId(turn)}-title`}>
      <h3 id={`${turnId(turn)}-title`}>
        <a href={props.href} title="Link to this turn">
          Turn {turn + 1}
        </a>
        {typeof actual?.duration === 'number' && <small> {formatTime(actual.duration * 1000)}</small>}
      </h3>
      {Tools !== null && <Tools one={one} repeat={repeat} turn={turn} />}
      <div class="user">
        <h4>
          User <CopyText of="message of the user" content={asked} />
        </h4>
        <Message content={asked} />
      </div>
      <Answers
        expected={expected?.finalResponse}
        actual={actual?.finalResponse}
        hasReference={expected !== undefined}
        happened={actual !== undefined}
        link={link}
        events={answer === undefined ? [] : [answer.id]}
      />
      <Calls actual={actual} expected={expected} scores={scores} link={link} events={events} spans={props.spans} />
      <OnTheWay actual={actual} expected={expected} />
      <div class={`tied${tiedSteps.class}`} {...tiedSteps.props}>
        <Steps invocation={actual} />
      </div>
      {rubrics.length > 0 && <JsonTree name="rubrics of this turn" value={rubrics} />}
      {results.length > 0 && (
        <section class="scores">
          <h4>Scores of this turn</h4>
          {[...results]
            .sort((a, b) => rankOf(a) - rankOf(b))
            .map((result) => (
              <ScoreView key={result.name} {...result} drawn={drawn} />
            ))}
        </section>
      )}
      {link === undefined && (
        <Whole.Provider value={false}>
          <Trace spans={props.spans} invocation={actual} />
        </Whole.Provider>
      )}
    </section>
  );
}

/** Ranks scores for sorting: those that fall short first, then those that could not be judged. */
function rankOf({ reached, score }: Pick<TurnResult, 'reached' | 'score'>): number {
  if (reached === false) return 0;
  return 'missing' in score && score.missing === 'could-not-judge' ? 1 : 2;
}

export function criterionOf(set: RunSet | undefined, name: string) {
  return set?.criteria.find((criterion) => criterion.name === name);
}

/** Returns the scores of a turn or, if `turn` is `null`, those of a repeat's whole conversation. */
export function scoresOf(one: RunCase, set: RunSet | undefined, repeat: number, turn: number | null) {
  return one.result.criteria.flatMap((result) =>
    result.turns
      .filter((own) => own.repeat === repeat && own.turn === turn)
      .map((own) => ({
        name: result.name,
        criterion: criterionOf(set, result.name),
        saidAbove: isSaidAbove(result),
        ...own,
      })),
  );
}
