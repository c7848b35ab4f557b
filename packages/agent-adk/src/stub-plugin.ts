import { setTimeout as wait } from 'node:timers/promises';
import type { ToolStubs } from '@agent-criteria/calls';
import { type State, toErrorInfo } from '@agent-criteria/core';
import type { AdkModule, AdkTool, CallbackContext } from './adk-shapes.ts';
import type { CurrentTurn } from './capture-plugin.ts';

interface ToolCallback {
  readonly tool: AdkTool;
  readonly toolArgs: Readonly<Record<string, unknown>>;
  readonly toolContext: CallbackContext;
}

/**
 * Creates the plugin that answers instead of stubbed tools. It runs after all others, so that a guard among an App's
 * plugins can still block a call.
 */
export function stubPlugin(adk: AdkModule, stubs: ToolStubs, turn: () => CurrentTurn): object {
  return Object.assign(new adk.BasePlugin('agent_criteria_stubs'), {
    async beforeToolCallback({ tool, toolArgs, toolContext }: ToolCallback): Promise<State | undefined> {
      const { recorder, signal, fail } = turn();
      try {
        const stubbed = stubs.call(tool.name, toolArgs);
        if (stubbed === null) return undefined;
        if (stubbed.latency > 0) await wait(stubbed.latency, undefined, { signal }).catch(() => undefined);
        // After an abort, the real tool must not be called.
        if (signal.aborted) return {};
        return stubbed.response === null ? undefined : structuredClone(stubbed.response);
      } catch (error) {
        const failure = toErrorInfo(error);
        recorder.toolFailed(toolContext, failure);
        fail(failure);
        return {};
      }
    },
  });
}
