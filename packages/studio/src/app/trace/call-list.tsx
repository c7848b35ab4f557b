import { type Invocation, toolSteps } from '@agent-criteria/core';
import { eventsOfCall, Fold, JsonTree, preview, Some, type TurnEvent, visible } from '@agent-criteria/viewer/views';
import { marking, type TraceLink } from './trace-link.ts';

/** The calls of a turn without recorded spans, in their order, without times. */
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
