import type { AdkEvent } from './adk-shapes.ts';

/** The response that the agent sees for a tool that was interrupted. */
const CUT_OFF = { error: 'The turn was stopped before this tool answered. It may have done its work or not.' };

/**
 * Creates responses for calls that will get none because their turn was stopped: models reject a conversation with an
 * open call. Calls of long-running tools stay open.
 */
export function answersToOpenCalls(events: readonly AdkEvent[]): readonly AdkEvent[] {
  const answered = new Set(
    events.flatMap(({ content }) => (content?.parts ?? []).map(({ functionResponse }) => functionResponse?.id)),
  );
  return events.flatMap((event) => {
    const { author = 'agent', invocationId, content, longRunningToolIds = [], branch } = event;
    const open = (content?.parts ?? []).flatMap(({ functionCall: call }) =>
      call?.id && !answered.has(call.id) && !longRunningToolIds.includes(call.id) ? [call] : [],
    );
    if (open.length === 0) return [];
    const parts = open.map(({ id, name }) => ({ functionResponse: { id, name, response: CUT_OFF } }));
    return [{ author, invocationId, ...(branch === undefined ? {} : { branch }), content: { role: 'user', parts } }];
  });
}
