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
 * Returns a tool that runs its agent with the outer run's plugins and call limit. ADK's own tool runs the agent in a
 * separate run without them: stubs would be bypassed there, failures would come back as empty text, and the model call
 * count would restart from zero. The original tool, which sessions share, is not modified.
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
    // Further messages to the tool go to the sub-agent that spoke last.
    findAgent: (name: string) => through(agent.findAgent(name)),
    findSubAgent: (name: string) => through(agent.findSubAgent(name)),
  });
}

/** Creates an object that inherits from another, with some properties replaced. */
function derive<T extends object>(from: T, replaced: Partial<T>): T {
  return Object.create(from, Object.getOwnPropertyDescriptors(replaced)) as T;
}
