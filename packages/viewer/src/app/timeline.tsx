import type { Span } from '@agent-criteria/core';
import { formatTime, visible } from './format.ts';
import { Fold, JsonTree, Some } from './json-tree.tsx';

/** The steps of a conversation on a line of time. */
export function Timeline({ spans }: { readonly spans: readonly Span[] }) {
  if (spans.length === 0) return null;
  const sorted = [...spans].sort((a, b) => a.startedAt - b.startedAt);
  const ends = sorted.map(({ startedAt, endedAt }) => endedAt ?? startedAt);
  const start = sorted[0]?.startedAt ?? 0;
  const length = Math.max(ends.reduce((last, end) => Math.max(last, end), start) - start, 1);
  const depths = depthsOf(sorted);
  const share = (time: number) => `${Math.min(Math.max(time / length, 0), 1) * 100}%`;
  return (
    <Fold class="timeline" summary={() => `Trace (${spans.length} steps, ${formatTime(length)})`}>
      {() => (
        <ol>
          <Some items={sorted}>
            {(span, place) => {
              const { id, parentId: _parent, name, kind, author, turn, startedAt, endedAt, error, ...rest } = span;
              const took = endedAt === undefined ? undefined : endedAt - startedAt;
              return (
                <li key={place}>
                  <span class="span-name" style={{ paddingLeft: `${(depths.get(id) ?? 0) * 14}px` }}>
                    <small>{kind}</small> {visible(name)} {author !== undefined && <small>{visible(author)}</small>}
                  </span>
                  <span class="track" aria-hidden="true">
                    <span class={`bar ${kind}`} style={{ left: share(startedAt - start), width: share(took ?? 0) }} />
                  </span>
                  <span class="span-time">{took === undefined ? 'did not end' : formatTime(took)}</span>
                  {error !== undefined && <p class="reason">{error.message}</p>}
                  {Object.keys(rest).length > 0 && <JsonTree name={`turn ${turn + 1}`} value={rest} />}
                </li>
              );
            }}
          </Some>
        </ol>
      )}
    </Fold>
  );
}

const DEEPEST = 8;

/** How far each span is inside others. Parents begin before their children. */
function depthsOf(sorted: readonly Span[]): ReadonlyMap<string, number> {
  const depths = new Map<string, number>();
  for (const { id, parentId } of sorted) {
    const above = parentId === undefined ? undefined : depths.get(parentId);
    depths.set(id, above === undefined ? 0 : Math.min(above + 1, DEEPEST));
  }
  return depths;
}
