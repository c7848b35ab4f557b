import type { CallbackContext } from './adk-shapes.ts';
import type { OpenSpan, SpanList } from './span-list.ts';

/** The spans of agents, each from its first call to its last, nested like the agents. */
export interface AgentSpans {
  /** Returns the span of the active agent; starts one if there is none yet. */
  of(context: CallbackContext): OpenSpan;
  /** Records activity of the agent. @returns the time. */
  touch(context: CallbackContext): number;
  /** Declares that a tool runs the agent of this invocation, which is nested in the tool's call. */
  nest(invocationId: string, tool: OpenSpan): void;
}

export function openAgentSpans(spans: Pick<SpanList, 'start'>): AgentSpans {
  const agents = new Map<string, OpenSpan>();
  const outerTools = new Map<string, OpenSpan>();

  function of(context: CallbackContext): OpenSpan {
    const { invocationId, agent } = context.invocationContext;
    const key = agentKey(context);
    let span = agents.get(key);
    if (span === undefined) {
      const parent = outerSpan(context) ?? outerTools.get(invocationId);
      const name = agent?.name ?? 'agent';
      span = spans.start({ kind: 'agent', name, author: name, parentId: parent?.id });
      agents.set(key, span);
    }
    return span;
  }

  /** Returns the span of the nearest parent agent that was active in this turn. */
  function outerSpan({ invocationContext }: CallbackContext): OpenSpan | undefined {
    const seen = new Set<object>();
    for (
      let above = invocationContext.agent?.parentAgent;
      above !== undefined && !seen.has(above);
      above = above.parentAgent
    ) {
      seen.add(above);
      const { name } = above;
      const found = [...agents.values()].find((span) => span.name === name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  return {
    of,
    touch(context) {
      const now = Date.now();
      of(context).endedAt = now;
      return now;
    },
    nest(invocationId, tool) {
      outerTools.set(invocationId, tool);
    },
  };
}

/** An agent may be active in several invocations and branches of one turn. */
export function agentKey({ invocationContext: { invocationId, branch = '', agent } }: CallbackContext): string {
  return [invocationId, branch, agent?.name].join('\n');
}
