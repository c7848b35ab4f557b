import type { ComparedCase } from '@agent-criteria/analysis';
import { type Content, contentText, type Invocation, type Span } from '@agent-criteria/core';
import type { CriterionResult } from '@agent-criteria/core/host';
import { useEffect, useRef, useState } from 'preact/hooks';
import { countTurns } from '../count-turns.ts';
import type { PageCase } from '../page-data.ts';
import { diffWords } from '../word-diff.ts';
import { RawSwitch } from './answer-form.tsx';
import { AnswerText } from './answer-text.tsx';
import { Calls } from './calls.tsx';
import { SIDE_WORDS, SIDES, type Side } from './compared-runs-view.tsx';
import { scoreText, visible } from './format.ts';
import { Fold } from './json-tree.tsx';
import { TextBlock } from './long-text.tsx';
import { Message } from './message.tsx';
import { NumberTable } from './number-table.tsx';
import { WalkBar } from './page-tools.tsx';
import { Trace } from './trace.tsx';
import { VERDICT_WORDS, VerdictBadge, VerdictIcon } from './verdict.tsx';

/** The details of a case on one side, or `null` if that run does not have it. */
export type SideDetails = PageCase | 'loading' | 'missing' | null;
type Details = Readonly<Record<Side, SideDetails>>;

/** A case in two runs, with scores and conversations side by side. */
export function ComparedCaseView(props: {
  readonly one: ComparedCase;
  readonly details: Details;
  readonly backTo: string;
  /** The zero-based position among the cases shown. */
  readonly place: number;
  readonly of: number;
  /** Opens the case at a position. */
  go(place: number): void;
  sideHref?: ((side: Side, one: ComparedCase) => string) | undefined;
}) {
  const { one, details, place, of } = props;
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    scrollTo(0, 0);
    title.current?.focus({ preventScroll: true });
  }, [one]);
  return (
    <>
      <WalkBar backTo={props.backTo} back="Both runs" at={place} of={of} go={(step) => props.go(place + step)} />
      <article class="compared-case-view" aria-labelledby="compared-title">
        <h2 id="compared-title" ref={title} tabIndex={-1}>
          <bdi>{visible(one.caseId)}</bdi> <small>{visible(one.setId)}</small>
        </h2>
        {one.unpaired !== undefined && <p class="banner not-evaluated">Not compared: {one.unpaired}.</p>}
        <div class="pair">
          {SIDES.map((side) => (
            <SideHead key={side} one={one} side={side} href={props.sideHref?.(side, one)} />
          ))}
        </div>
        <Scores details={details} />
        <Conversations details={details} />
      </article>
    </>
  );
}

function SideHead(props: { readonly one: ComparedCase; readonly side: Side; readonly href: string | undefined }) {
  const { one, side, href } = props;
  const own = one[side];
  return (
    <section class="pair-head" aria-label={SIDE_WORDS[side]}>
      <h3>{SIDE_WORDS[side]}</h3>
      {own === null ? (
        <p class="nothing">This run does not have the case.</p>
      ) : (
        <>
          <p>
            <VerdictBadge verdict={own.verdict} />
            {own.of > 1 && ` ${own.passed} of ${own.of} repeats passed`}{' '}
            {href !== undefined && (
              <a href={href}>
                Open in its run<span class="unseen">, {SIDE_WORDS[side].toLowerCase()}</span>
              </a>
            )}
          </p>
          {own.reason !== undefined && <p class="note">{visible(own.reason)}</p>}
        </>
      )}
    </section>
  );
}

/** The scores of both sides, by criterion. */
function Scores({ details }: { readonly details: Details }) {
  const [base = [], candidate = []] = SIDES.map((side) => presentCase(details[side])?.result.criteria ?? []);
  const names = [...new Set([...candidate, ...base].map(({ name }) => name))];
  if (names.length === 0) return null;
  return (
    <NumberTable label="Scores" columns={['Criterion', 'Before', 'Now']}>
      {names.map((name) => (
        <tr key={name}>
          <th scope="row">{visible(name)}</th>
          <ScoreCell result={base.find((one) => one.name === name)} />
          <ScoreCell result={candidate.find((one) => one.name === name)} />
        </tr>
      ))}
    </NumberTable>
  );
}

function ScoreCell({ result }: { readonly result: CriterionResult | undefined }) {
  if (result === undefined) return <td>–</td>;
  const { verdict, score, threshold } = result;
  return (
    <td>
      <VerdictIcon verdict={verdict} />
      <span class="unseen">{VERDICT_WORDS[verdict]}</span> {scoreText(score, threshold)}
    </td>
  );
}

function Conversations({ details }: { readonly details: Details }) {
  const [chosen, setChosen] = useState<Readonly<Partial<Record<Side, number>>>>({});
  const sides = SIDES.map((side) => {
    const own = details[side];
    const one = presentCase(own);
    return { side, own, one, repeat: chosen[side] ?? tellingRepeat(one) };
  });
  const turns = Math.max(...sides.map(({ one, repeat }) => (one === null ? 0 : countTurns(one, repeat))));
  return (
    <>
      <h3>Conversation</h3>
      {sides.some(({ own, one }) => typeof own === 'string' || (one?.result.units.length ?? 0) > 1) && (
        <div class="pair">
          {sides.map(({ side, own, one, repeat }) => (
            <div key={side}>
              {own === 'loading' && <p class="nothing">This case is still being read…</p>}
              {own === 'missing' && <p class="nothing">The details of this side are not there.</p>}
              {one !== null && one.result.units.length > 1 && (
                <RepeatChoice
                  side={side}
                  one={one}
                  repeat={repeat}
                  choose={(next) => setChosen({ ...chosen, [side]: next })}
                />
              )}
            </div>
          ))}
        </div>
      )}
      {Array.from({ length: turns }, (_, turn) => {
        const [base, candidate] = sides.map(({ one, repeat }) => turnOf(one, repeat, turn));
        return base === undefined || candidate === undefined ? null : (
          <TurnPair key={turn} turn={turn} base={base} candidate={candidate} />
        );
      })}
    </>
  );
}

function RepeatChoice(props: {
  readonly side: Side;
  readonly one: PageCase;
  readonly repeat: number;
  choose(repeat: number): void;
}) {
  return (
    <label>
      {SIDE_WORDS[props.side]}, repeat{' '}
      <select value={props.repeat} onChange={(event) => props.choose(Number(event.currentTarget.value))}>
        {props.one.result.units.map(({ repeat, verdict }) => (
          <option key={repeat} value={repeat}>
            {repeat + 1}: {VERDICT_WORDS[verdict].toLowerCase()}
          </option>
        ))}
      </select>
    </label>
  );
}

function presentCase(details: SideDetails): PageCase | null {
  return typeof details === 'object' ? details : null;
}

/** Returns the first repeat with the same verdict as the case. */
function tellingRepeat(one: PageCase | null): number {
  return one?.result.units.find(({ verdict }) => verdict === one.result.verdict)?.repeat ?? 0;
}

interface TurnSide {
  readonly actual: Invocation | undefined;
  readonly expected: Invocation | undefined;
  readonly spans: readonly Span[];
}

function turnOf(one: PageCase | null, repeat: number, turn: number): TurnSide {
  const inference = one?.inferences.find(({ key }) => key.repeat === repeat)?.inference;
  return {
    actual: inference?.invocations[turn],
    expected: one?.evalCase.conversation?.[turn],
    spans: inference?.trace?.filter((span) => span.turn === turn) ?? [],
  };
}

function TurnPair(props: { readonly turn: number; readonly base: TurnSide; readonly candidate: TurnSide }) {
  const { turn, base, candidate } = props;
  const asked = (side: TurnSide) => (side.actual ?? side.expected)?.userContent;
  const [before, now] = [contentText(asked(base)), contentText(asked(candidate))];
  const isAlike = before === now || before === '' || now === '';
  const answers = [base, candidate].map(({ actual }) => contentText(actual?.finalResponse));
  const diff = answers.every((text) => text !== '') ? diffWords(answers[0] ?? '', answers[1] ?? '') : null;
  const due = contentText((candidate.expected ?? base.expected)?.finalResponse);
  return (
    <section class="turn">
      <h4>Turn {turn + 1}</h4>
      {isAlike && <User content={asked(candidate) ?? asked(base)} />}
      <div class="pair">
        {SIDES.map((side) => {
          const { actual, expected, spans } = props[side];
          const [pieces, as] = side === 'base' ? ([diff?.before, 'del'] as const) : ([diff?.after, 'ins'] as const);
          return (
            <section key={side} class="pair-side" aria-label={`${SIDE_WORDS[side]}, turn ${turn + 1}`}>
              {!isAlike && <User content={asked(props[side])} />}
              <Calls actual={actual} expected={expected} scores={[]} />
              <div class="side-text">
                <h5>
                  {SIDE_WORDS[side]}
                  {pieces === undefined && (
                    <RawSwitch texts={[contentText(actual?.finalResponse)]} of={`the answer of ${SIDE_WORDS[side]}`} />
                  )}
                </h5>
                {actual === undefined ? (
                  <p class="nothing">This turn did not happen.</p>
                ) : pieces !== undefined ? (
                  <TextBlock text="" pieces={pieces} as={as} />
                ) : (actual.finalResponse?.parts ?? []).length === 0 ? (
                  <p class="nothing">The agent gave no answer.</p>
                ) : (
                  <Message content={actual.finalResponse} isAnswer />
                )}
              </div>
              <Trace spans={spans} invocation={actual} />
            </section>
          );
        })}
      </div>
      {due !== '' && (
        <Fold summary={() => 'Expected answer'}>{() => <AnswerText text={due} most={Number.POSITIVE_INFINITY} />}</Fold>
      )}
    </section>
  );
}

function User({ content }: { readonly content: Content | null | undefined }) {
  return (
    <div class="user">
      <h5>User</h5>
      <Message content={content} />
    </div>
  );
}
