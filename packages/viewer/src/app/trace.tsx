import type { Invocation, Span } from '@agent-criteria/core';
import { tokenCounts } from '@agent-criteria/results';
import { tokensText } from '@agent-criteria/results/text';
import { waterfall } from '../waterfall.ts';
import { count, formatTime, visible } from './format.ts';
import { Fold, JsonTree, Some } from './json-tree.tsx';
import { Prose } from './long-text.tsx';
import { moveFocus, VERTICAL } from './move-focus.ts';

/** The trace of a turn: agents, model calls and tool calls, with their times and tokens. */
export function Trace({
  spans,
  invocation,
}: {
  readonly spans: readonly Span[];
  readonly invocation?: Invocation | undefined;
}) {
  if (spans.length === 0) return null;
  const { rows, start, length, tokens, models, tools, errors } = waterfall(spans, invocation);
  const share = (time: number) => `${Math.min(Math.max((time - start) / Math.max(length ?? 0, 1), 0), 1) * 100}%`;
  const facts = [
    ...(models > 0 ? [count(models, 'model call')] : []),
    ...(tools > 0 ? [count(tools, 'tool call')] : []),
    ...(models + tools === 0 ? [count(spans.length, 'step')] : []),
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
                  startedAt,
                  endedAt,
                  error,
                  ...rest
                } = span;
                const own = tokenCounts(span.usage);
                const hasDetails = Object.keys(rest).length > 0 || error !== undefined;
                const line = (
                  <span class="step">
                    <span class="step-name" style={{ paddingLeft: `${depth * 14}px` }}>
                      <small class={`kind ${kind}`}>{kind}</small> {visible(name)}
                      {author !== undefined && author !== name && <small> {visible(author)}</small>}
                    </span>
                    <span class="track" aria-hidden="true">
                      <span
                        class={`bar ${kind}${error === undefined ? '' : ' failed'}${endedAt === undefined ? ' open' : ''}`}
                        style={{
                          left: share(startedAt),
                          right: `calc(100% - ${endedAt === undefined ? '100%' : share(endedAt)})`,
                        }}
                      />
                    </span>
                    <span class="step-facts">
                      <span class="unseen">after {formatTime(startedAt - start)}, </span>
                      <span>{endedAt === undefined ? 'did not end' : formatTime(endedAt - startedAt)}</span>
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
