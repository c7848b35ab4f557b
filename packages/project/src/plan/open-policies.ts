import { CriteriaError, type Problem, type Tools } from '@agent-criteria/core';
import type { CallPolicies, Plan } from '@agent-criteria/core/host';
import type { CallEvent, Spent } from '@agent-criteria/models';
import { type CallOptions, callSettings, checkCallOptions } from '../config/call-settings.ts';
import { type LoadedProjectConfig, withoutProjectConfig } from '../config/project-config.ts';
import { makesCalls, plannedModels } from './planned-models.ts';

/** The call policies of a run. */
export interface OpenedPolicies extends CallPolicies {
  /** The recording that all answers come from, and its label, or `null` if there is none. */
  readonly recorded: { readonly file: string; readonly label: string | null } | null;
  /** Returns what counts against the budget so far. */
  spent(): Spent;
}

export interface PolicyWatcher {
  readonly onCall?: ((event: CallEvent) => void) | undefined;
  /** Called when a call fails permanently, once per kind of failure for each model or service. */
  readonly onDead?: ((problem: Problem) => void) | undefined;
}

/**
 * Opens the call policies for the models and paid services that these plans use. Returns `undefined`, without even
 * loading them, if nothing makes calls.
 *
 * @param calls Settings that override the project's.
 * @throws CriteriaError USAGE for mistakes in `calls`; for a recording that is missing or damaged; and for a cost limit
 *   without a known price.
 */
export async function openPolicies(
  plans: readonly Plan[],
  project: LoadedProjectConfig,
  calls: CallOptions = {},
  { onCall, onDead }: PolicyWatcher = {},
): Promise<OpenedPolicies | undefined> {
  // Mistakes are reported even if nothing makes a call.
  checkCallOptions(calls);
  if (!plans.some(makesCalls)) return undefined;
  const models = await import('@agent-criteria/models');
  const settings = callSettings(project, calls);
  const ids = plannedModels(plans).map(({ model }) => model.id);
  const problems = models.checkBudget(settings, settings.prices, ids);
  if (problems.length > 0) {
    const { file } = project;
    throw new CriteriaError(problems.map((problem) => ({ ...problem, ...(file === null ? {} : { file }) })));
  }
  const policies = await models.callPolicies({ ...settings, onEvent: onCall });
  const reported = new Set<string>();
  /** Reports permanent failures immediately, whatever the run does with them. */
  const watch = <T>(to: string, answer: Promise<T>, signal: AbortSignal): Promise<T> =>
    answer.catch((error: unknown) => {
      const { kind, message } = models.classifyFailure(error, signal);
      const advice = ADVICE[kind];
      if (advice !== undefined && !reported.has(`${kind} ${to}`)) {
        reported.add(`${kind} ${to}`);
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
    spent: () => policies.spent(),
    recorded: policies.live ? null : { file: settings.recording?.file ?? '', label: policies.label },
  };
}

/** Advice for permanent failures, by cause. */
const ADVICE: Readonly<Record<string, string | undefined>> = {
  'not-found': 'Every call to it will fail like this',
  auth: 'Every call to it will fail like this: agent-criteria doctor shows where the key comes from',
  quota: 'When quota is available again, agent-criteria resume scores what is missing',
};

/** The call policies for an evaluation in code. */
export interface PolicySource {
  /** The caller's policies, which the caller closes. Default: those of the project. */
  readonly policies?: CallPolicies | undefined;
  readonly project?: LoadedProjectConfig | undefined;
  readonly calls?: CallOptions | undefined;
}

/**
 * Evaluates under the caller's policies, or under the project's, which are then closed and whose warnings are added.
 */
export async function withPolicies<Outcome extends { readonly warnings: readonly Problem[] }>(
  plans: readonly Plan[],
  { policies, project, calls }: PolicySource,
  work: (policies: CallPolicies | undefined) => Promise<Outcome>,
): Promise<Outcome> {
  if (policies !== undefined) return work(policies);
  const own = await openPolicies(plans, project ?? withoutProjectConfig(), calls);
  let atClosing: readonly Problem[] = [];
  let outcome: Outcome;
  try {
    outcome = await work(own);
  } finally {
    atClosing = (await own?.close()) ?? [];
  }
  return atClosing.length === 0 ? outcome : { ...outcome, warnings: [...outcome.warnings, ...atClosing] };
}
