import { contentText, type FunctionCall, type Invocation, toolCalls, toolSteps } from '@agent-criteria/core';
import type { CriterionResult, TurnResult } from '@agent-criteria/core/host';
import type { RunCase, RunCriterion } from '@agent-criteria/results';
import { alignCalls, isSameCall } from '../align-calls.ts';
import { turnsToExplain } from '../turns-to-explain.ts';
import { diffWords } from '../word-diff.ts';
import { resultText, scoreText, visible } from './format.ts';
import { preview, Some } from './json-tree.tsx';
import { DiffText, Prose } from './long-text.tsx';
import { Value } from './score.tsx';
import { VERDICT_WORDS, VerdictIcon } from './verdict.tsx';

export type Judged = Pick<RunCriterion, 'range' | 'threshold'>;

/** The expected and the actual turn side by side, with the score, for the turn that best explains a verdict. */
export function Comparison(props: {
  readonly one: RunCase;
  readonly result: CriterionResult;
  readonly criterion: Judged | undefined;
  /** The turn to show. Default: the first one that falls short, with the number of further such turns. */
  readonly turn?: TurnResult | undefined;
  openTurn?(repeat: number, turn: number | null): void;
}) {
  const { one, result, criterion, openTurn } = props;
  const { name, verdict, score, threshold } = result;
  const [first, ...others] = props.turn === undefined ? turnsToExplain(result) : [props.turn];
  return (
    <>
      <p class="mark-head">
        <VerdictIcon verdict={verdict} />
        <b>{visible(name)}</b> {VERDICT_WORDS[verdict].toLowerCase()}
        {score !== null && (
          <span>
            {resultText(result, criterion?.range)}
            {threshold !== null && `, ${criterion?.range.better === 'lower' ? 'at most' : 'at least'} ${threshold}`}
          </span>
        )}
      </p>
      {first === undefined ? (
        <p class="note">{result.reason ?? 'No turn of it was scored.'}</p>
      ) : (
        <OneTurn one={one} turn={first} criterion={criterion} />
      )}
      {others.length > 0 && (
        <p class="note">
          {others
            .slice(0, 4)
            .map(
              (turn) => `${placeOf(turn, one)}: ${turn.value === null ? 'no score' : scoreText(turn.value, threshold)}`,
            )
            .join(' · ')}
          {others.length > 4 && ` · and ${others.length - 4} more`}
        </p>
      )}
      {first !== undefined && openTurn !== undefined && (
        <button type="button" class="quiet" onClick={() => openTurn(first.repeat, first.turn)}>
          Show {first.turn === null ? 'the conversation' : `turn ${first.turn + 1}`}
        </button>
      )}
    </>
  );
}

function OneTurn(props: { readonly one: RunCase; readonly turn: TurnResult; readonly criterion: Judged | undefined }) {
  const { one, turn, criterion } = props;
  const { score, value, reached } = turn;
  const { actual, expected } = sidesOf(turn, one);
  return (
    <>
      <p>
        <b>{placeOf(turn, one)}</b> <Value value={value} score={score} reached={reached} criterion={criterion} />
      </p>
      {score.reason !== undefined && <Prose text={score.reason} most={400} />}
      <Sides actual={actual} expected={expected} score={score} />
    </>
  );
}

/** Returns the actual and expected turn of a result, or the last turn if the result is about a whole conversation. */
export function sidesOf({ repeat, turn }: TurnResult, { inferences, evalCase }: RunCase) {
  const ran = inferences.find(({ key }) => key.repeat === repeat)?.inference.invocations ?? [];
  const due = evalCase.conversation;
  const at = turn ?? Math.max(ran.length, due?.length ?? 0) - 1;
  return { actual: ran[at], expected: due?.[at] };
}

export function placeOf({ repeat, turn }: TurnResult, { inferences }: RunCase): string {
  const place = turn === null ? 'Conversation' : `Turn ${turn + 1}`;
  return inferences.length > 1 ? `${place} of repeat ${repeat + 1}` : place;
}

export function Sides(props: {
  readonly actual: Invocation | undefined;
  readonly expected: Invocation | undefined;
  readonly score: TurnResult['score'];
}) {
  const { actual, expected, score } = props;
  const made = actual === undefined ? [] : toolSteps(actual);
  const due = expected === undefined ? [] : toolCalls(expected);
  const { rows } = alignCalls(due, made, [score]);
  const [wanted, given] = [contentText(expected?.finalResponse), contentText(actual?.finalResponse)];
  const diff = wanted !== '' && given !== '' && wanted !== given ? diffWords(wanted, given) : null;
  return (
    <table class="mark-sides">
      <thead>
        <tr>
          <th scope="col">Expected</th>
          <th scope="col">Actual</th>
        </tr>
      </thead>
      <tbody>
        <Some items={rows} step={8}>
          {({ expected: call, made: step }, place) => {
            const isSame = call !== null && step !== null && isSameCall(call, step.call);
            return (
              <tr key={place}>
                <td>{call === null ? <CallNone /> : <CallText call={call} as={isSame ? 'span' : 'del'} />}</td>
                <td>{step === null ? <CallNone /> : <CallText call={step.call} as={isSame ? 'span' : 'ins'} />}</td>
              </tr>
            );
          }}
        </Some>
        <tr>
          <td dir="auto">
            {wanted === '' ? (
              <i class="nothing">No answer is expected.</i>
            ) : (
              <DiffText text={wanted} pieces={diff?.before} as="del" most={600} />
            )}
          </td>
          <td dir="auto">
            {given === '' ? (
              <i class="nothing">{actual === undefined ? 'This turn did not happen.' : 'No answer.'}</i>
            ) : (
              <DiffText text={given} pieces={diff?.after} most={600} />
            )}
          </td>
        </tr>
      </tbody>
    </table>
  );
}

function CallNone() {
  return <i class="nothing">No call</i>;
}

function CallText({ call, as: Side }: { readonly call: FunctionCall; readonly as: 'del' | 'ins' | 'span' }) {
  return (
    <code>
      <Side>
        {visible(call.name ?? '(no name)')}({call.args ? preview(call.args) : ''})
      </Side>
    </code>
  );
}
