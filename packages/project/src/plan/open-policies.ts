import { CriteriaError, type Problem, type Tools } from '@agent-criteria/core';
import type { CallPolicies, Plan } from '@agent-criteria/core/host';
import type { CallEvent } from '@agent-criteria/models';
import { type CallOptions, callSettings } from '../config/call-settings.ts';
import type { Project } from '../config/open-project.ts';
import { makesCalls, plannedModels } from './planned-models.ts';

/** The call policies of a run. */
export interface OpenedPolicies extends CallPolicies {
  /** Where all answers come from, and what that says of itself; `null`: not from a recording. */
  readonly recorded: { readonly file: string; readonly label: string | null } | null;
}

export interface OpenPoliciesOptions {
  readonly plans: readonly Plan[];
  readonly project: Project;
  /** These override the project's. */
  readonly calls?: CallOptions | undefined;
  onCall?(event: CallEvent): void;
  /** A call failed permanently. Each such failure of a model is reported once. */
  onDead?(problem: Problem): void;
}

/**
 * The call policies for the models of these plans; `undefined` if no model is asked: then they are not even loaded.
 *
 * @throws CriteriaError if a recording is missing or damaged, and for a cost limit without a known price.
 */
export async function openPolicies(options: OpenPoliciesOptions): Promise<OpenedPolicies | undefined> {
  const { plans, project, calls = {}, onCall, onDead } = options;
  if (!plans.some(makesCalls)) return undefined;
  const models = await import('@agent-criteria/models');
  const settings = callSettings(project.config, { ...calls, cache: cacheOf(calls, project) });
  const ids = plannedModels(plans).map(({ model }) => model.id);
  const problems = models.checkBudget(settings, settings.prices, ids);
  if (problems.length > 0) {
    const { file } = project.config;
    throw new CriteriaError(problems.map((problem) => ({ ...problem, ...(file === null ? {} : { file }) })));
  }
  const policies = await models.callPolicies({ ...settings, onEvent: onCall });
  const told = new Set<string>();
  /** Whatever the run makes of it, a model that is not there is said at once. */
  const watch = <T>(to: string, answer: Promise<T>, signal: AbortSignal): Promise<T> =>
    answer.catch((error: unknown) => {
      const { kind, message } = models.classifyFailure(error, signal);
      const advice = ADVICE[kind];
      if (advice !== undefined && !told.has(`${kind} ${to}`)) {
        told.add(`${kind} ${to}`);
        const what = message.startsWith(to) ? message : `${to}: ${message}`;
        onDead?.({ code: 'CALL_FAILED', message: `${what.replace(/\.$/, '')}. ${advice}` });
      }
      throw error;
    });
  return {
    apply(tools, caller): Tools {
      const under = policies.apply(tools, caller);
      return {
        ...under,
        model(name) {
          const model = under.model(name);
          return {
            ...model,
            generate: (request, signal) => watch(model.id, model.generate(request, signal), signal),
          };
        },
        call: (ask, send) => watch(ask.service, under.call(ask, send), under.signal),
      };
    },
    close: () => policies.close(),
    recorded: policies.live ? null : { file: settings.recording?.file ?? '', label: policies.label },
  };
}

/** Of failures that stay: what to do. */
const ADVICE: Readonly<Record<string, string | undefined>> = {
  'not-found': 'Every call to it will fail like this',
  auth: 'Every call to it will fail like this: agent-criteria doctor shows where the key comes from',
  quota: 'When quota is available again, agent-criteria resume scores what is missing',
};

/** Where nothing is set, answers are kept beside the runs. */
function cacheOf({ cache }: CallOptions, { config, cacheFolder }: Project): CallOptions['cache'] {
  return cache ?? (config.settings.cache === undefined ? cacheFolder : undefined);
}
