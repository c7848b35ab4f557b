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
 * A tool that runs an agent does so in a run of its own, without the plugins of the outer one: stubs would be passed
 * over there, failures would come back as an empty text, and the limit of model calls would begin anew. This is the tool
 * with the outer run's plugins and limit; the tool itself, which sessions share, is not changed.
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
    // A conversation with the tool goes on with the agent below that spoke last.
    findAgent: (name: string) => through(agent.findAgent(name)),
    findSubAgent: (name: string) => through(agent.findSubAgent(name)),
  });
}

/** The object with some of its properties replaced, and the object itself as it was. */
function derive<T extends object>(from: T, replaced: Partial<T>): T {
  return Object.create(from, Object.getOwnPropertyDescriptors(replaced)) as T;
}
