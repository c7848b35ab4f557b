import type { Invocation, Span } from '@agent-criteria/core';
import { tokenCounts } from '@agent-criteria/results';
import { tokensText } from '@agent-criteria/results/text';
import { useMemo } from 'preact/hooks';
import { stepsOfTurn } from '../steps-of-turn.ts';
import type { TraceStep } from '../trace-step.ts';
import { timeOfTurn, turnEvents } from '../turn-events.ts';
import { waterfall } from '../waterfall.ts';
import { ErrorStack } from './error-stack.tsx';
import { count, formatTime, visible } from './format.ts';
import { Fold, JsonTree, Some } from './json-tree.tsx';
import { Prose } from './long-text.tsx';
import { moveFocus, VERTICAL } from './move-focus.ts';
import { SimulatedMark } from './simulated-mark.tsx';
import { StepBar, StepTime } from './step-bar.tsx';

/** The trace of a turn: agents, model calls and tool calls, with their times and tokens. */
export function Trace({
  spans,
  invocation,
}: {
  readonly spans: readonly Span[];
  readonly invocation?: Invocation | undefined;
}) {
  const steps = useMemo(() => stepsOf(spans, invocation), [spans.length, invocation]);
  // An agent without steps adds nothing to the turn.
  if (spans.length === 0 && steps.every(({ kind }) => kind === 'agent')) return null;
  const { rows, start, length, tokens, models, tools, errors } = waterfall(steps, invocation);
  const facts = [
    ...(models > 0 ? [count(models, 'model call')] : []),
    ...(tools > 0 ? [count(tools, 'tool call')] : []),
    ...(models + tools === 0 ? [count(steps.length, 'step')] : []),
    ...(length === null ? [] : [formatTime(length)]),
    ...(tokens === null ? [] : [tokensText(tokens)]),
    ...(errors > 0 ? [`${errors} failed`] : []),
  ];
  return (
    <Fold class="trace" summary={() => `Trace: ${facts.join(', ')}`}>
      {() => (
        <>
          {length !== null && (
            <p class="axis" aria-hidden="true">
              <span>0</span>
              <span>{formatTime(length / 2)}</span>
              <span>{formatTime(length)}</span>
            </p>
          )}
          <ol onKeyDown={(event) => moveFocus(event, ':scope > li > .fold > summary', VERTICAL)}>
            <Some items={rows}>
              {({ span, depth }, place) => {
                const {
                  id: _id,
                  parentId: _parent,
                  name,
                  kind,
                  author,
                  turn: _turn,
                  startedAt: _from,
                  endedAt: _to,
                  untimed: _untimed,
                  error,
                  simulated,
                  ...rest
                } = span;
                const own = tokenCounts(span.usage);
                const hasDetails = Object.keys(rest).length > 0 || error !== undefined;
                const line = (
                  <span class="step">
                    <span class="step-name" style={{ paddingLeft: `${depth * 14}px` }}>
                      <small class={`kind ${kind}`}>{kind}</small> {visible(name)} <SimulatedMark by={simulated} />
                      {author !== undefined && author !== name && <small> {visible(author)}</small>}
                    </span>
                    <StepBar step={span} start={start} length={length} />
                    <span class="step-facts">
                      <StepTime step={span} start={start} />
                      {own !== null && <small>{tokensText(own)}</small>}
                      {error !== undefined && <small class="failure">failed</small>}
                    </span>
                  </span>
                );
                return (
                  <li key={place}>
                    {hasDetails ? (
                      <Fold summary={() => line}>
                        {() => (
                          <>
                            {error !== undefined && <Prose class="reason" text={error.message} />}
                            {error?.stack !== undefined && <ErrorStack stack={error.stack} />}
                            {Object.entries(rest).map(
                              ([key, value]) => value !== undefined && <JsonTree key={key} name={key} value={value} />,
                            )}
                          </>
                        )}
                      </Fold>
                    ) : (
                      line
                    )}
                  </li>
                );
              }}
            </Some>
          </ol>
        </>
      )}
    </Fold>
  );
}

/** Returns the spans of a turn, and the steps that only its events show. */
function stepsOf(spans: readonly Span[], invocation: Invocation | undefined): readonly TraceStep[] {
  if (invocation === undefined) return spans;
  const events = turnEvents(invocation, 0);
  const turn = { turn: 0, spans, events, eventOfSpan: new Map<string, string>(), time: timeOfTurn(invocation) };
  return stepsOfTurn(turn).steps;
}
