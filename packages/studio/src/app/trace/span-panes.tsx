import type { Span } from '@agent-criteria/core';
import { tokenCounts } from '@agent-criteria/results';
import { tokensText } from '@agent-criteria/results/text';
import { CopyButton, formatTime, JsonTree, visible } from '@agent-criteria/viewer/views';
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { AgentNode } from '../../api.ts';
import { Button } from '../button.tsx';
import { Tabs } from '../tabs.tsx';
import { type AgentLine, agentLines, type PathStep, pathOf } from './agent-path.ts';
import { readRequest, readResponse } from './model-messages.ts';
import { RequestView, ResponseView } from './model-view.tsx';
import type { TraceGroup } from './trace-group.ts';

const CLOCK = { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 } as const;

type PaneName = 'Event' | 'Request' | 'Response' | 'Graph';

export function SpanPanes(props: {
  readonly group: TraceGroup;
  readonly span: Span;
  readonly agent: AgentNode | null;
  readonly show?: ((event: string) => void) | undefined;
}) {
  const { group, span, agent, show } = props;
  const event = group.events.find(({ id }) => id === group.eventOfSpan.get(span.id));
  const path = useMemo(() => pathOf(group), [group]);
  const [pane, setPane] = useState<PaneName>(event === undefined ? 'Graph' : 'Event');
  const { kind, startedAt, endedAt, error, author } = span;
  const tokens = tokenCounts(span.usage);
  const facts: readonly (readonly [string, string])[] = [
    ['Step', `${kind} ${span.name}`],
    ...(author === undefined ? [] : [['Agent', author] as const]),
    ['Began', new Date(startedAt).toLocaleTimeString('en-GB', CLOCK)],
    ['Took', endedAt === undefined ? 'did not end' : formatTime(endedAt - startedAt)],
    ...(tokens === null ? [] : [['Tokens', tokensText(tokens)] as const]),
  ];
  const values: Readonly<Record<Exclude<PaneName, 'Graph'>, unknown>> = {
    Event: event?.value,
    Request: span.request,
    Response: span.response,
  };
  const value = pane === 'Graph' ? undefined : values[pane];
  return (
    <div class="span-panes">
      <dl class="span-about">
        {facts.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{visible(text)}</dd>
          </div>
        ))}
      </dl>
      {error !== undefined && (
        <p class="problem" dir="auto">
          <code>{visible(error.code)}</code> {error.message}
        </p>
      )}
      <Tabs
        label="Details of the step"
        names={['Event', 'Request', 'Response', 'Graph']}
        chosen={pane}
        choose={(name) => setPane(name)}
      >
        {pane === 'Graph' ? (
          <>
            <CopyButton name="Copy" label="Copy the path" text={() => pathText(path)} />
            <AgentTree
              lines={agentLines(agent, path)}
              path={path}
              here={kind === 'model' ? { kind: 'agent', name: author ?? '' } : span}
            />
          </>
        ) : value === undefined ? (
          <p class="note">{WITHOUT[pane]}</p>
        ) : (
          <>
            <CopyButton
              name="Copy"
              label={`Copy the ${pane.toLowerCase()}`}
              text={() => JSON.stringify(value, null, 2)}
            />
            {pane === 'Event' && event !== undefined && show !== undefined && (
              <Button text="Show the message" class="quiet" onClick={() => show(event.id)} />
            )}
            <Value value={value} form={formOf(span, pane)} />
          </>
        )}
      </Tabs>
    </div>
  );
}

/** Returns the messages of a model's request or response, if it has a known form. */
function formOf(span: Span, pane: PaneName): ComponentChildren | null {
  if (span.kind !== 'model') return null;
  const request = pane === 'Request' ? readRequest(span.request) : null;
  if (request !== null) return <RequestView request={request} />;
  const response = pane === 'Response' ? readResponse(span.response) : null;
  return response && <ResponseView response={response} />;
}

const FORMS = ['Messages', 'JSON'] as const;

/** A value as messages, or else as JSON. */
function Value({ value, form }: { readonly value: unknown; readonly form: ComponentChildren | null }) {
  const [chosen, choose] = useState<(typeof FORMS)[number]>('Messages');
  if (form === null) return <JsonTree value={value} open />;
  return (
    <Tabs label="Form" names={FORMS} chosen={chosen} choose={(name) => choose(name)}>
      {chosen === 'JSON' ? <JsonTree value={value} open /> : form}
    </Tabs>
  );
}

const WITHOUT: Readonly<Record<Exclude<PaneName, 'Graph'>, string>> = {
  Event: 'This step produced no event of its own.',
  Request: 'The agent does not tell what this step was asked.',
  Response: 'The agent does not tell what this step answered.',
};

/** Shows agents with their sub-agents and tools, and the path of a message through them. */
function AgentTree(props: {
  readonly lines: readonly AgentLine[];
  readonly path: readonly PathStep[];
  /** The open span. */
  readonly here: Pick<Span, 'kind' | 'name'> | null;
}) {
  const { lines, path, here } = props;
  if (lines.length === 0) return <p class="note">The agent tells neither what it is made of nor what it used.</p>;
  return (
    <>
      <ul class="agent-tree">
        {lines.map(({ kind, name, depth, used, isExtra, description }, place) => {
          const isHere = here !== null && here.kind === kind && here.name === name;
          return (
            <li
              key={place}
              class={`${used.length > 0 ? 'used' : 'unused'}${isHere ? ' here' : ''}`}
              style={{ paddingLeft: `${depth * 18 + 8}px` }}
              title={description}
            >
              <small class={`kind ${kind}`}>{kind}</small> <bdi>{visible(name)}</bdi>
              <small class="used-at">
                {used.length === 0 ? ' not used' : ` step ${used.join(', ')}`}
                {isExtra && ', not described by the agent'}
                {isHere && <span class="unseen">, this step</span>}
              </small>
            </li>
          );
        })}
      </ul>
      {path.length > 0 && (
        <p class="path" dir="auto">
          <b>Path</b> {pathText(path)}
        </p>
      )}
    </>
  );
}

function pathText(path: readonly PathStep[]): string {
  return path.map(({ kind, name }) => visible(kind === 'tool' ? `${name}()` : name)).join(' → ');
}
