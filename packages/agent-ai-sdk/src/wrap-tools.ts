import type { ToolStubs } from '@agent-criteria/calls';
import { toJson } from '@agent-criteria/calls/json';
import type { State } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import type { AiSdkTool, AiSdkTools, ToolExecute } from './ai-sdk-shapes.ts';

/** A call to a tool as it ran. Times are in milliseconds since the epoch. */
export interface ToolRun {
  readonly id: string | undefined;
  readonly name: string;
  readonly input: unknown;
  readonly startedAt: number;
  endedAt?: number;
  /** The source of an answer in place of the tool's: `injection`, or the name of a tool simulator. Default: the tool itself. */
  simulated?: string;
  /** Set if the tool has answered. */
  answer?: { readonly output: unknown } | { readonly error: unknown };
}

/** The turn to which the runs of tools belong. */
export interface ToolWatch {
  /** Aborts when the turn must stop. */
  readonly signal: AbortSignal;
  started(run: ToolRun): void;
  /** Stops the turn, because a stub cannot answer. */
  fail(error: unknown): void;
}

/**
 * Copies tools so that their runs are recorded, and stubs answer in their place. Tools without `execute`, which run in a
 * browser or in the service of the model, stay as they are, unless a stub answers for them.
 */
export function wrapTools<TOOLS extends AiSdkTools>(tools: TOOLS, stubs: ToolStubs, watch: ToolWatch): TOOLS {
  const wrapped = Object.entries(tools).map(([name, tool]): [string, object] => {
    const { execute, type } = tool as AiSdkTool;
    const isOfModel = typeof execute !== 'function' && type === 'provider';
    if (isOfModel || (typeof execute !== 'function' && !stubs.has(name))) return [name, tool];
    const own = typeof execute === 'function' ? execute.bind(tool) : undefined;
    return [name, withExecute(tool, watchedExecute(name, own, stubs, watch))];
  });
  return Object.fromEntries(wrapped) as TOOLS;
}

/** Copies a tool with everything that it has, including getters and inherited methods. */
function withExecute(tool: object, execute: ToolExecute): object {
  return Object.create(Object.getPrototypeOf(tool), {
    ...Object.getOwnPropertyDescriptors(tool),
    execute: { value: execute, enumerable: true },
  });
}

function watchedExecute(name: string, own: ToolExecute | undefined, stubs: ToolStubs, watch: ToolWatch): ToolExecute {
  return (input, options) => {
    const id = typeof options?.toolCallId === 'string' ? options.toolCallId : undefined;
    const run: ToolRun = { id, name, input, startedAt: Date.now() };
    watch.started(run);
    const end = (answer: NonNullable<ToolRun['answer']>): void => {
      run.endedAt = Date.now();
      run.answer = answer;
    };
    const call = (): unknown => {
      const answering = stubs.call(name, toJson(isObject(input) ? input : { input }) as State, watch.signal);
      if (answering === null) return own?.(input, options);
      return (async () => {
        const stub = await answering.catch((error: unknown) => {
          // A call without an answer is a mistake of the case: the agent must not work around it.
          if (!watch.signal.aborted) watch.fail(error);
          throw error;
        });
        watch.signal.throwIfAborted();
        if (stub.response !== null) {
          run.simulated = stub.by;
          return stub.response;
        }
        if (own === undefined)
          throw new Error(`the tool "${name}" has no execute function, and no stub applies to this call`);
        return lastOf(own(input, options));
      })();
    };
    let output: unknown;
    try {
      output = call();
    } catch (error) {
      end({ error });
      throw error;
    }
    if (isAsyncIterable(output)) return watchedIterable(output, end);
    return Promise.resolve(output).then(
      (value) => {
        end({ output: value });
        return value;
      },
      (error: unknown) => {
        end({ error });
        throw error;
      },
    );
  };
}

/** A tool may yield preliminary outputs, of which the last one is its result. */
async function* watchedIterable(
  outputs: AsyncIterable<unknown>,
  end: (answer: NonNullable<ToolRun['answer']>) => void,
): AsyncGenerator<unknown> {
  let output: unknown;
  try {
    for await (output of outputs) yield output;
  } catch (error) {
    end({ error });
    throw error;
  }
  end({ output });
}

async function lastOf(output: unknown): Promise<unknown> {
  if (!isAsyncIterable(output)) return output;
  let last: unknown;
  for await (last of output);
  return last;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
