import { resolve } from 'node:path';
import type { Duration } from '@agent-criteria/calls';
import { type Content, CriteriaError, type Inference, type State } from '@agent-criteria/core';
import type { Plan } from '@agent-criteria/core/host';
import type { AgentSource } from '@agent-criteria/project';
import { adaptAgent, loadAgent } from '@agent-criteria/project/plan';
import { safeLines } from '@agent-criteria/report/terminal';
import { generate, isUrl } from '@agent-criteria/runner';
import { type PluginOptions, projectRegistry } from './project-registry.ts';
import { testFolder } from './test-folder.ts';

/** Settings for the agent's session, and its limits. */
export interface RunAgentOptions extends PluginOptions {
  /** The initial state of the session. Default: empty. */
  readonly state?: State | undefined;
  /** Default `test_user_id`. */
  readonly userId?: string | undefined;
  /** The time limit for one turn. Default `"300s"`. */
  readonly turnTimeout?: Duration | undefined;
  /** Aborts the run. Pass the test's signal: `test('…', async ({ signal }) => …)`. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

const SET_ID = 'agent run';

/**
 * Sends messages to an agent one after another, in a fresh session. The matchers accept the result.
 *
 * @param agent A single agent, as for `describeEvalSet`.
 * @returns The invocations, and the state of the session before and after.
 * @throws CriteriaError if the agent cannot be loaded, fails, or exceeds the time limit.
 */
export async function runAgent(
  agent: AgentSource | object,
  messages: string | readonly (string | Content)[],
  options: RunAgentOptions = {},
): Promise<Inference> {
  const folder = testFolder();
  const { state = {}, userId = '', turnTimeout, signal, ...plugins } = options;
  const registry = await projectRegistry([], plugins, folder);
  const said = typeof messages === 'string' ? [messages] : messages;
  const plan: Plan = {
    evalSet: {
      evalSetId: SET_ID,
      evalCases: [
        {
          evalId: 'run',
          conversation: said.map((message) => ({ userContent: contentOf(message) })),
          sessionInput: { appName: SET_ID, userId, state: { ...state } },
        },
      ],
    },
    config: null,
    criteria: [],
    simulator: null,
    environments: new Map(),
    stubs: new Map(),
    compat: null,
    warnings: [],
    models: () => undefined,
  };
  const loaded =
    typeof agent === 'string'
      ? await loadAgent(isUrl(agent) ? agent : resolve(folder, agent), registry)
      : await adaptAgent(agent, registry);
  const [recorded] = await generate({ plan, agent: loaded, turnTimeout, signal });
  if (recorded === undefined) throw new CriteriaError({ code: 'EMPTY', message: 'there is no message to send' });
  const { inference } = recorded;
  const { ending } = inference;
  if (ending.by === 'error')
    throw new CriteriaError({ code: 'AGENT_FAILED', message: safeLines(ending.error.message, 2) });
  if (ending.by === 'abort')
    throw new CriteriaError({ code: 'AGENT_FAILED', message: safeLines(ending.reason ?? 'aborted', 2) });
  return inference;
}

function contentOf(message: string | Content): Content {
  return typeof message === 'string' ? { role: 'user', parts: [{ text: message }] } : message;
}
