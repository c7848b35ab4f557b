import { tokenCounts } from '@agent-criteria/results';
import { tokensText } from '@agent-criteria/results/text';
import type { TraceStep } from '@agent-criteria/viewer/trace-steps';
import { SimulatedMark, StepBar, StepTime, waterfall } from '@agent-criteria/viewer/trace-views';
import { count, formatTime, moveFocus, preview, Some, VERTICAL, visible } from '@agent-criteria/viewer/views';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { AgentNode } from '../../api.ts';
import { SpanPanes } from './span-panes.tsx';
import { producedBy, type TraceGroup } from './trace-group.ts';
import { marking, type TraceLink } from './trace-link.ts';

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
        rows.length === 0 && <p class="note">The agent recorded no steps of this turn.</p>
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
                isFromGraph={opened?.fromGraph === true}
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
  readonly span: TraceStep;
  readonly depth: number;
  readonly start: number;
  readonly length: number | null;
  readonly agent: AgentNode | null;
  readonly link: TraceLink;
  readonly isOpen: boolean;
  /** Whether the open step was opened from the graph. */
  readonly isFromGraph: boolean;
}) {
  const { group, span, depth, start, length, agent, link, isOpen, isFromGraph } = props;
  const { id, name, kind, author, error, request, untimed } = span;
  const row = useRef<HTMLLIElement>(null);
  const own = group.eventOfSpan.get(id);
  const tokens = tokenCounts(span.usage);
  const marks = marking(link, () => producedBy(group, id));
  // The step may have been opened from the conversation, or from the graph of another one, which is gone with its focus.
  useEffect(() => {
    if (!isOpen) return;
    if (isFromGraph) row.current?.querySelector<HTMLElement>('.span-row')?.focus({ preventScroll: true });
    row.current?.scrollIntoView({ block: 'nearest' });
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
          <SimulatedMark by={span.simulated} />
          {own !== undefined && (
            <span class="has-event" title="Produced an event">
              <span aria-hidden="true"> ●</span>
              <span class="unseen">, produced an event</span>
            </span>
          )}
          {/* A step without times is below its agent. */}
          {author !== undefined && author !== name && untimed === undefined && <small> {visible(author)}</small>}
          {kind === 'tool' && hasFields(request) && <span class="preview"> {preview(request)}</span>}
        </span>
        <StepBar step={span} start={start} length={length} />
        <span class="span-facts">
          <StepTime step={span} start={start} />
          {tokens !== null && <small> {tokensText(tokens)}</small>}
          {error !== undefined && <small class="failure"> failed</small>}
        </span>
      </button>
      {isOpen && (
        <SpanPanes
          group={group}
          span={span}
          agent={agent}
          isGraph={isFromGraph}
          show={link.show}
          open={(step) => {
            link.opened.value = { group: group.id, span: step, fromGraph: true };
          }}
        />
      )}
    </li>
  );
}

function hasFields(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}
