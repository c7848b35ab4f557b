import { type Invocation, toolSteps } from '@agent-criteria/core';
import { eventsOfCall, Fold, JsonTree, preview, Some, type TurnEvent, visible } from '@agent-criteria/viewer/views';
import type { TraceLink } from './trace-view.tsx';

const NOTHING: ReadonlySet<string> = new Set();

/** The calls of a turn whose agent recorded no steps: in their order, without times. */
export function CallList(props: {
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
          const mark = () => {
            link.marked.value = new Set(ids);
          };
          const unmark = () => {
            link.marked.value = NOTHING;
          };
          return (
            <li
              key={place}
              class={ids.some((id) => link.marked.value.has(id)) ? 'marked' : ''}
              onMouseEnter={mark}
              onMouseLeave={unmark}
              onFocusIn={mark}
              onFocusOut={unmark}
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
