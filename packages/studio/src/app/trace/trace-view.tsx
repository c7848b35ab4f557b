import { type Invocation, type Span, toolSteps } from '@agent-criteria/core';
import { tokenCounts } from '@agent-criteria/results';
import { tokensText } from '@agent-criteria/results/text';
import {
  count,
  eventsOfCall,
  Fold,
  formatTime,
  JsonTree,
  moveFocus,
  preview,
  Some,
  type TurnEvent,
  VERTICAL,
  visible,
  waterfall,
} from '@agent-criteria/viewer/views';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { AgentNode } from '../../api.ts';
import { SpanPanes } from './span-panes.tsx';
import { producedBy, type TraceGroup } from './trace-group.ts';
import { marking, type TraceLink } from './trace-link.ts';
import { turnEvents } from './turn-events.ts';

/** Shows the trace of each message in a chat session, or of each turn in a repeat. */
export function TraceView(props: {
  readonly groups: readonly TraceGroup[];
  /** `null` if the agent does not describe itself. */
  readonly agent: AgentNode | null;
  readonly link: TraceLink;
}) {
  const { groups, agent, link } = props;
  if (groups.length === 0) return <p class="note">Send a message, and its model and tool calls appear here.</p>;
  return (
    <div class="trace-groups">
      <Some items={groups} step={50}>
        {(group, place) => <Group key={group.id} group={group} number={place + 1} agent={agent} link={link} />}
      </Some>
    </div>
  );
}

function Group(props: {
  readonly group: TraceGroup;
  readonly number: number;
  readonly agent: AgentNode | null;
  readonly link: TraceLink;
}) {
  const { group, number, agent, link } = props;
  const { rows, start, length, models, tools, errors, tokens } = useMemo(
    () => waterfall(group.spans, group.invocation),
    [group],
  );
  const facts = [
    ...(length === null ? [] : [formatTime(length)]),
    ...(models > 0 ? [count(models, 'model call')] : []),
    ...(tools > 0 ? [count(tools, 'tool call')] : []),
    ...(tokens === null ? [] : [tokensText(tokens)]),
    ...(errors > 0 ? [`${errors} failed`] : []),
  ];
  const title = visible(group.title.trim() === '' ? 'A message without text' : group.title);
  const opened = link.opened.value;
  return (
    <section class="trace-group" aria-label={`Trace of message ${number}`}>
      <h2 class="sub" dir="auto" title={title.slice(0, 500)}>
        <small>{number}</small> <span>{title.slice(0, 200)}</span>
      </h2>
      {facts.length > 0 ? (
        <p class="note">{facts.join(' · ')}</p>
      ) : (
        group.invocation === undefined && <p class="note">The agent recorded no steps of this turn.</p>
      )}
      {rows.length === 0 && group.invocation !== undefined && (
        <CallList invocation={group.invocation} events={turnEvents(group.invocation, number - 1)} link={link} />
      )}
      {rows.length > 0 && (
        <ol class="spans" onKeyDown={(event) => moveFocus(event, '.span-row', VERTICAL)}>
          <Some items={rows}>
            {({ span, depth }) => (
              <Row
                key={span.id}
                group={group}
                span={span}
                depth={depth}
                start={start}
                length={length}
                agent={agent}
                link={link}
                isOpen={opened !== null && opened.group === group.id && opened.span === span.id}
              />
            )}
          </Some>
        </ol>
      )}
    </section>
  );
}

function Row(props: {
  readonly group: TraceGroup;
  readonly span: Span;
  readonly depth: number;
  readonly start: number;
  readonly length: number | null;
  readonly agent: AgentNode | null;
  readonly link: TraceLink;
  readonly isOpen: boolean;
}) {
  const { group, span, depth, start, length, agent, link, isOpen } = props;
  const { id, name, kind, author, startedAt, endedAt, error } = span;
  const row = useRef<HTMLLIElement>(null);
  const own = group.eventOfSpan.get(id);
  const tokens = tokenCounts(span.usage);
  const share = (time: number) => Math.min(Math.max((time - start) / Math.max(length ?? 0, 1), 0), 1) * 100;
  const end = endedAt ?? start + (length ?? 0);
  const marks = marking(link, () => producedBy(group, id));
  // The span may have been opened from the conversation.
  useEffect(() => {
    if (isOpen) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  const isMarked = own !== undefined && link.marked.value.has(own);
  return (
    <li ref={row} class={isOpen ? 'open' : ''}>
      <button
        type="button"
        class={`span-row${isMarked ? ' marked' : ''}`}
        aria-expanded={isOpen}
        {...marks}
        onClick={() => {
          link.opened.value = isOpen ? null : { group: group.id, span: id };
          marks.onFocusIn();
        }}
      >
        <span class="span-name" style={{ paddingLeft: `${depth * 14}px` }}>
          <small class={`kind ${kind}`}>{kind}</small> <bdi>{visible(name)}</bdi>
          {author !== undefined && author !== name && <small> {visible(author)}</small>}
          {own !== undefined && (
            <span class="has-event" title="Produced an event">
              <span aria-hidden="true"> ●</span>
              <span class="unseen">, produced an event</span>
            </span>
          )}
        </span>
        <span class="track" aria-hidden="true">
          <span
            class={`bar-of ${kind}${error === undefined ? '' : ' failed'}`}
            style={{ left: `${share(startedAt)}%`, right: `${100 - share(end)}%` }}
          />
        </span>
        <span class="span-facts">
          <span class="unseen">after {formatTime(startedAt - start)}, </span>
          {endedAt === undefined ? 'did not end' : formatTime(endedAt - startedAt)}
          {tokens !== null && <small> {tokensText(tokens)}</small>}
          {error !== undefined && <small class="failure"> failed</small>}
        </span>
      </button>
      {isOpen && <SpanPanes group={group} span={span} agent={agent} show={link.show} />}
    </li>
  );
}

/** Lists the calls of a turn without recorded spans, in order but without times. */
function CallList(props: {
  readonly invocation: Invocation;
  readonly events: readonly TurnEvent[];
  readonly link: TraceLink;
}) {
  const { invocation, events, link } = props;
  const steps = toolSteps(invocation);
  if (steps.length === 0) return <p class="note">It recorded no tool calls in this turn.</p>;
  return (
    <ol class="spans">
      <Some items={steps}>
        {(step, place) => {
          const { call, response } = step;
          const ids = eventsOfCall(events, step);
          return (
            <li
              key={place}
              class={ids.some((id) => link.marked.value.has(id)) ? 'marked' : ''}
              {...marking(link, () => ids)}
            >
              <Fold
                class="untimed"
                summary={(open) => (
                  <>
                    <small class="kind tool">tool</small> <bdi>{visible(call.name ?? '(no name)')}</bdi>
                    {!open && <span class="preview"> {preview(call.args ?? {})}</span>}
                  </>
                )}
              >
                {() => (
                  <>
                    <JsonTree name="request" value={call.args ?? {}} open />
                    {response === null ? (
                      <p class="note">No response was recorded.</p>
                    ) : (
                      <JsonTree name="response" value={response.response ?? null} open />
                    )}
                  </>
                )}
              </Fold>
            </li>
          );
        }}
      </Some>
    </ol>
  );
}
