import type {
  AdkAgentTool,
  AdkEvent,
  CallbackContext,
  InvocationContext,
  RunnableAgent,
  ToolRequest,
} from './adk-shapes.ts';

export interface NestedHooks {
  started(context: InvocationContext, toolContext: CallbackContext): void;
  event(event: AdkEvent): void;
}

/**
 * ADK's tool runs an agent in a separate run, without the plugins of the outer run: stubs would be bypassed there,
 * failures would return as empty text, and the limit of model calls would start anew. Returns the tool with the outer
 * run's plugins and limit; the tool itself, which sessions share, is unchanged.
 */
export function runsNested(tool: AdkAgentTool, hooks: NestedHooks): AdkAgentTool {
  const runAsync = (request: ToolRequest): Promise<unknown> => {
    const agent = inOuterRun(tool.agent, request.toolContext, hooks);
    return tool.runAsync.call(derive(tool, { agent }), request);
  };
  return derive(tool, { runAsync });
}

function inOuterRun(agent: RunnableAgent, toolContext: CallbackContext, hooks: NestedHooks): RunnableAgent {
  const { pluginManager, invocationCostManager, runConfig } = toolContext.invocationContext;
  const through = (found: RunnableAgent | undefined) => found && inOuterRun(found, toolContext, hooks);
  return derive(agent, {
    async *runAsync(context: InvocationContext): AsyncGenerator<AdkEvent> {
      Object.assign(context, { pluginManager, invocationCostManager, runConfig });
      hooks.started(context, toolContext);
      for await (const event of agent.runAsync(context)) {
        hooks.event(event);
        yield event;
      }
    },
    // A conversation with the tool continues with the sub-agent that spoke last.
    findAgent: (name: string) => through(agent.findAgent(name)),
    findSubAgent: (name: string) => through(agent.findSubAgent(name)),
  });
}

/** Creates an object that inherits from another, with some properties replaced. */
function derive<T extends object>(from: T, replaced: Partial<T>): T {
  return Object.create(from, Object.getOwnPropertyDescriptors(replaced)) as T;
}
