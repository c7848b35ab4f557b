import { tokenCounts } from '@agent-criteria/results';
import { tokensText } from '@agent-criteria/results/text';
import { isUntimed, type TraceStep } from '@agent-criteria/viewer/trace-steps';
import { ErrorStack } from '@agent-criteria/viewer/trace-views';
import { CopyButton, formatTime, JsonTree, visible } from '@agent-criteria/viewer/views';
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { AgentNode } from '../../api.ts';
import { Button } from '../button.tsx';
import { lazy } from '../lazy.tsx';
import { store, stored } from '../store.ts';
import { Tabs } from '../tabs.tsx';
import { type AgentLine, agentLines, type PathStep, pathOf } from './agent-path.ts';
import { readRequest, readResponse } from './model-messages.ts';
import { RequestView, ResponseView } from './model-view.tsx';
import { pathGraph } from './path-graph.ts';
import type { TraceGroup } from './trace-group.ts';

const CLOCK = { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 } as const;

type PaneName = 'Event' | 'Request' | 'Response' | 'Graph';

export function SpanPanes(props: {
  readonly group: TraceGroup;
  readonly span: TraceStep;
  readonly agent: AgentNode | null;
  /** Whether the graph is shown first. */
  readonly isGraph: boolean;
  readonly show?: ((event: string) => void) | undefined;
  /** Opens another step from the graph. */
  open(step: string): void;
}) {
  const { group, span, agent, show } = props;
  const event = group.events.find(({ id }) => id === group.eventOfSpan.get(span.id));
  const path = useMemo(() => pathOf(group), [group]);
  const [pane, setPane] = useState<PaneName>(firstPane(span, event !== undefined, props.isGraph));
  const { kind, startedAt, endedAt, error, author } = span;
  const tokens = tokenCounts(span.usage);
  const facts: readonly (readonly [string, string])[] = [
    ['Step', kind === 'text' ? kind : `${kind} ${span.name}`],
    ...(author === undefined ? [] : [['Agent', author] as const]),
    ...(span.simulated === undefined ? [] : [['Answered by', `${span.simulated}, not by the tool`] as const]),
    ...(isUntimed(span)
      ? [['Time', 'not recorded'] as const]
      : ([
          ['Began', new Date(startedAt).toLocaleTimeString('en-GB', CLOCK)],
          ['Took', endedAt === undefined ? 'did not end' : formatTime(endedAt - startedAt)],
        ] as const)),
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
      {error?.stack !== undefined && <ErrorStack stack={error.stack} />}
      <Tabs
        label="Details of the step"
        names={['Event', 'Request', 'Response', 'Graph']}
        chosen={pane}
        choose={(name) => setPane(name)}
      >
        {pane === 'Graph' ? (
          <AgentMap
            agent={agent}
            path={path}
            here={kind === 'model' || kind === 'text' ? { kind: 'agent', name: author ?? '' } : span}
            open={props.open}
          />
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
function formOf(span: TraceStep, pane: PaneName): ComponentChildren | null {
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

/** Chooses what is shown of a step first: its own event, else what it was asked, else where it is in the graph. */
function firstPane({ request, response }: TraceStep, hasEvent: boolean, isGraph: boolean): PaneName {
  if (isGraph) return 'Graph';
  if (hasEvent) return 'Event';
  return request !== undefined ? 'Request' : response !== undefined ? 'Response' : 'Graph';
}

const PathGraphView = lazy(
  () => import('./path-graph-view.tsx').then((module) => module.default),
  <p class="note">Drawing the graph…</p>,
);

const MAPS = ['graph', 'list'] as const;

/** Shows what an agent is made of, and the path of a message through it, as a graph or as a list. */
function AgentMap(props: {
  readonly agent: AgentNode | null;
  readonly path: readonly PathStep[];
  /** The open step. */
  readonly here: Pick<TraceStep, 'kind' | 'name'>;
  open(step: string): void;
}) {
  const { agent, path, here, open } = props;
  const [map, setMap] = useState<(typeof MAPS)[number]>(stored('map') === 'list' ? 'list' : 'graph');
  const graph = useMemo(() => pathGraph(agent, path), [agent, path]);
  if (graph.nodes.length === 0) return <p class="note">It is not known what the agent is made of.</p>;
  const other = map === 'graph' ? 'list' : 'graph';
  return (
    <div class="agent-map">
      <div class="map-tools">
        <Button
          text={map === 'graph' ? 'List' : 'Graph'}
          unseen={map === 'graph' ? ' instead of the graph' : ' instead of the list'}
          class="quiet"
          onClick={() => {
            store('map', other);
            setMap(other);
          }}
        />
        <CopyButton name="Copy" label="Copy the path" text={() => pathText(path)} />
      </div>
      {map === 'graph' ? (
        <PathGraphView graph={graph} here={here} open={open} />
      ) : (
        <AgentTree lines={agentLines(agent, path)} here={here} />
      )}
      {path.length > 0 && (
        <p class="path" dir="auto">
          <b>Path</b> {pathText(path)}
        </p>
      )}
    </div>
  );
}

/** Shows agents with their sub-agents and tools, and the path of a message through them. */
function AgentTree(props: {
  readonly lines: readonly AgentLine[];
  /** The open step. */
  readonly here: Pick<TraceStep, 'kind' | 'name'>;
}) {
  const { lines, here } = props;
  return (
    <ul class="agent-tree">
      {lines.map(({ kind, name, depth, used, isExtra, description }, place) => {
        const isHere = here.kind === kind && here.name === name;
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
  );
}

function pathText(path: readonly PathStep[]): string {
  return path.map(({ kind, name }) => visible(kind === 'tool' ? `${name}()` : name)).join(' → ');
}
