import { type Evidence, type Invocation, type Score, type Span, toolCalls, toolSteps } from '@agent-criteria/core';
import { alignCalls, type CallRow, isSameCall } from '../align-calls.ts';
import { simulatedBy } from '../simulated-by.ts';
import { eventsOfCall, type TurnEvent } from '../turn-event.ts';
import { type EventLink, StepButton, tiedTo } from './event-link.tsx';
import { count, visible } from './format.ts';
import { JsonChanges, Sign } from './json-changes.tsx';
import { Fold, JsonTree, preview, Some } from './json-tree.tsx';
import { SimulatedMark } from './simulated-mark.tsx';

/** Returns the evidence that the aligned calls already show. */
export function callEvidence(
  actual: Invocation | undefined,
  expected: Invocation | undefined,
  scores: readonly Score[],
): Evidence | null {
  if (actual === undefined || expected === undefined) return null;
  return alignCalls(toolCalls(expected), toolSteps(actual), scores).evidence;
}

/** The calls of a turn, aligned with the expected ones. */
export function Calls(props: {
  readonly actual: Invocation | undefined;
  readonly expected: Invocation | undefined;
  readonly scores: readonly Score[];
  readonly link?: EventLink | undefined;
  readonly events?: readonly TurnEvent[];
  readonly spans?: readonly Span[];
}) {
  const { actual, expected, scores, link, events = [], spans = [] } = props;
  const made = actual === undefined ? [] : toolSteps(actual);
  const due = expected === undefined ? [] : toolCalls(expected);
  if (made.length === 0 && due.length === 0) return null;
  const { rows } = alignCalls(due, made, scores);
  const asExpected = expected !== undefined && rows.every((row) => kindOf(row, true) === 'same');
  return (
    <section class="calls">
      <h4>
        Tool calls{' '}
        <small>
          {count(made.length, 'call')}
          {expected !== undefined && (asExpected ? ', as expected' : `, ${due.length} expected`)}
        </small>
      </h4>
      <ol>
        <Some items={rows}>
          {(row, place) => (
            <Call
              key={place}
              row={row}
              compared={expected !== undefined}
              simulated={row.made === null ? undefined : simulatedBy(row.made, made, spans)}
              link={link}
              events={row.made === null ? [] : eventsOfCall(events, row.made)}
            />
          )}
        </Some>
      </ol>
    </section>
  );
}

type CallKind = 'same' | 'changed' | 'missing' | 'extra' | 'plain';

const KIND_WORDS: Readonly<Record<CallKind, string>> = {
  same: '',
  changed: 'not as expected',
  missing: 'expected, not called',
  extra: 'called, not expected',
  plain: '',
};

function kindOf({ expected, made }: CallRow, compared: boolean): CallKind {
  if (!compared) return 'plain';
  if (made === null) return 'missing';
  if (expected === null) return 'extra';
  return isSameCall(expected, made.call) ? 'same' : 'changed';
}

function Call(props: {
  readonly row: CallRow;
  readonly compared: boolean;
  readonly simulated: string | undefined;
  readonly link: EventLink | undefined;
  readonly events: readonly string[];
}) {
  const { row, compared, link, events } = props;
  const tied = tiedTo(link, events);
  const kind = kindOf(row, compared);
  const { expected, made } = row;
  const call = made?.call ?? expected;
  if (call === null) return null;
  const renamed = kind === 'changed' && expected?.name !== call.name;
  const hasDetails = Object.keys(call.args ?? {}).length > 0 || made?.response !== undefined || kind === 'changed';
  const title = (
    <>
      {kind === 'missing' && <Sign side="removed" />}
      {kind === 'extra' && <Sign side="added" />}
      {renamed && (
        <>
          <del>{visible(expected?.name ?? '(no name)')}</del>{' '}
        </>
      )}
      <b>{visible(call.name ?? '(no name)')}</b>
      <span class="preview">({call.args ? preview(call.args) : ''})</span>
      <SimulatedMark by={props.simulated} />
      {KIND_WORDS[kind] !== '' && <span class="kind">{KIND_WORDS[kind]}</span>}
    </>
  );
  return (
    <li class={`call ${kind}${tied.class}`} {...tied.props}>
      <StepButton link={link} events={events} of={call.name ?? 'this call'} />
      {hasDetails ? (
        <Fold open={kind === 'changed'} summary={() => title}>
          {() => (
            <>
              {kind === 'changed' ? (
                <JsonChanges before={expected?.args ?? {}} after={call.args ?? {}} name="args" />
              ) : (
                <JsonTree name="args" value={call.args ?? {}} open />
              )}
              {made !== null &&
                (made.response === null ? (
                  <p class="nothing">No response was recorded.</p>
                ) : (
                  <JsonTree name="response" value={made.response.response ?? null} />
                ))}
            </>
          )}
        </Fold>
      ) : (
        <div class="title">{title}</div>
      )}
    </li>
  );
}
