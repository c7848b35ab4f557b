import type { ToolStubs } from '@agent-criteria/calls';
import { toolDeclarations } from '@agent-criteria/formats/messages';
import type { AiSdkFunction, AiSdkSession } from './ai-sdk-agent.ts';
import {
  type AgentSettings,
  type AiSdkAgentObject,
  type AiSdkTools,
  isConfigured,
  type PreparedCall,
  textOfInstructions,
} from './ai-sdk-shapes.ts';
import type { AiSdkModelMessage } from './model-messages.ts';
import type { TurnReport } from './run-turn.ts';
import { wrapTools } from './wrap-tools.ts';

/** The input of one turn of a session. */
export interface TurnInput {
  readonly session: AiSdkSession;
  readonly messages: AiSdkModelMessage[];
  readonly stubs: ToolStubs;
  /** Whether to stream. Default: as the agent is configured. */
  readonly streaming: boolean | undefined;
}

/** Runs a turn, and returns a result of `generateText` or `streamText`. */
export type RunSource = (input: TurnInput, report: TurnReport) => unknown;

/** Runs turns of an agent of the AI SDK. */
export function sourceOfAgent(
  agent: AiSdkAgentObject,
  options: { readonly streaming: boolean; readonly callOptions: ((session: AiSdkSession) => unknown) | undefined },
): RunSource {
  const { streaming: byDefault, callOptions } = options;
  return ({ session, messages, stubs, streaming = byDefault }, report) => {
    const watched = isConfigured(agent) ? withSettings(agent, watchedSettings(agent.settings, stubs, report)) : agent;
    const call = {
      messages,
      abortSignal: report.signal,
      // Version 7 calls it `onStepEnd`, too. Both add it to the agent's own.
      onStepFinish: report.stepEnded,
      ...(callOptions === undefined ? {} : { options: callOptions(session) }),
    } as never;
    return streaming ? watched.stream(call) : watched.generate(call);
  };
}

/** Runs turns of a function. */
export function sourceOfFunction(run: AiSdkFunction<AiSdkTools>, tools: AiSdkTools): RunSource {
  return ({ session, messages, stubs }, report) =>
    run({ messages, tools: wrapTools(tools, stubs, report), abortSignal: report.signal }, session);
}

/** Derives an agent, because the user's own is shared by all sessions. Its methods read the settings from `this`. */
function withSettings(agent: AiSdkAgentObject, settings: AgentSettings): AiSdkAgentObject {
  return Object.create(agent, { settings: { value: settings } });
}

/**
 * Extends the settings of an agent: each call runs with watched tools, including those that the agent's own `prepareCall`
 * chooses, and reports what the model receives.
 */
function watchedSettings(settings: AgentSettings, stubs: ToolStubs, report: TurnReport): AgentSettings {
  return {
    ...settings,
    // The AI SDK would print the error, which the turn reports.
    onError: settings.onError ?? (() => undefined),
    async prepareCall(call) {
      const own = settings.prepareCall === undefined ? call : await settings.prepareCall(call);
      const prepared = (own ?? call) as PreparedCall;
      const { instructions, tools = {}, prepareStep } = prepared;
      const declared = toolDeclarations(tools);
      report.prepared({
        instructions: textOfInstructions(instructions),
        toolDeclarations: declared.length === 0 ? [] : [{ functionDeclarations: declared }],
      });
      const watched: PreparedCall = {
        ...prepared,
        tools: wrapTools(tools, stubs, report),
        async prepareStep(step) {
          const changed = await prepareStep?.(step);
          const { messages, instructions: ofStep, system } = Object(changed) as Readonly<Record<string, unknown>>;
          report.stepBegan({
            instructions: textOfInstructions(ofStep ?? system ?? instructions),
            messages: messages ?? step.messages,
          });
          return changed;
        },
      };
      return watched;
    },
  };
}
