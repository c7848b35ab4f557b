import { CriteriaError, type EvalCase, type Inference, type Invocation, type Plugin } from '@agent-criteria/core';
import { type CriterionResult, counted, type ModelLookup } from '@agent-criteria/core/host';
import type { CallOptions } from '@agent-criteria/project';
import { findProjectConfig, loadProjectConfig } from '@agent-criteria/project/config';
import { loadPlan, openPolicies } from '@agent-criteria/project/plan';
import { safe, safeLines } from '@agent-criteria/report/terminal';
import { runRecord } from '@agent-criteria/results';
import { score } from '@agent-criteria/runner';
import { failuresText } from './describe-case.ts';
import { failure } from './plain-error.ts';
import { type PluginOptions, projectRegistry } from './project-registry.ts';
import { testFolder } from './test-folder.ts';

/** The subject of a matcher: one turn, or a result of `runAgent`. */
export type Judged = Invocation | Pick<Inference, 'invocations'>;

/** The reference for a turn. */
export type ExpectedTurn = Pick<Invocation, 'finalResponse' | 'intermediateData'>;

/** Models, plugins and policies for judging turns. */
export interface JudgeOptions extends PluginOptions {
  /** Models by name. Default: those of the project and of installed providers. */
  readonly models?: ModelLookup | undefined;
  /** The judge model, which overrides the one in the criterion's options or the project. */
  readonly judgeModel?: string | undefined;
  /** Call policies, which override the project's. */
  readonly calls?: CallOptions | undefined;
  /** The environment variables that criteria read. Default `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The result of a criterion on some turns. */
export interface Judgement {
  readonly result: CriterionResult;
  /** The turns that did not pass, with their differences, or an empty string if all passed. */
  readonly text: string;
}

const SET_ID = 'expect';
const CASE_ID = 'this run';

/**
 * Extracts the turns from a value passed to `expect`.
 *
 * @throws CriteriaError USAGE if there are none.
 */
export function turnsOf(judged: unknown): readonly Invocation[] {
  if (typeof judged === 'object' && judged !== null) {
    if ('invocations' in judged && Array.isArray(judged.invocations) && judged.invocations.length > 0)
      return judged.invocations;
    if ('userContent' in judged) return [judged as Invocation];
  }
  const message = 'there is no turn to judge: pass the result of runAgent, { invocations: […] }, or one invocation';
  throw new CriteriaError({ code: 'USAGE', message });
}

/**
 * Judges turns by one criterion, as a run would.
 *
 * @param criterion The criterion or its name.
 * @param written The threshold, or the criterion's entry in a config.
 * @param expected The reference for each turn, or `null` if there is none.
 * @throws CriteriaError if the criterion is unknown, its options are invalid, or it needs something that turns do not
 *   have.
 * @throws Error with the reason if the criterion could not judge the turns, so that the matcher fails even after
 *   `.not`.
 */
export async function judgeTurns(
  turns: readonly Invocation[],
  criterion: string | Plugin,
  written: unknown,
  expected: readonly ExpectedTurn[] | null,
  options: JudgeOptions = {},
): Promise<Judgement> {
  const folder = testFolder();
  const name = typeof criterion === 'string' ? criterion : criterion.name;
  const { models, judgeModel, calls, environment, registry, plugins = [] } = options;
  const own = typeof criterion === 'string' ? plugins : [...plugins, criterion];
  const project = await loadProjectConfig(await findProjectConfig(folder));
  const known = await projectRegistry([name], { registry, plugins: [...project.plugins, ...own] }, folder);
  const needs = known.get('criterion', name)?.needs;
  if (needs?.scenario === true) {
    const message = `${name} scores simulated users, but this conversation has no scenario: test an eval set with scenarios, as in describeEvalSet(agent, 'scenarios.evalset.json')`;
    throw new CriteriaError({ code: 'USAGE', message });
  }
  if (expected === null && needs?.reference !== undefined) {
    const message = `${name} compares with a reference: pass the expected answer, as in toPassCriterion(name, options, { expected })`;
    throw new CriteriaError({ code: 'USAGE', message });
  }
  const { plan } = await loadPlan({
    evalSet: { evalSetId: SET_ID, evalCases: [caseOf(turns, expected)] },
    config: { criteria: { [name]: written } },
    registry: known,
    project,
    models,
    judgeModel,
    environment,
    only: 'scores',
    modelsRecorded: calls?.recording && calls.recording.mode === 'replay',
  });
  const inference: Inference = {
    sessionId: SET_ID,
    invocations: turns,
    state: { initial: null, final: null },
    ending: { by: 'end-of-case' },
  };
  const inferences = [{ key: { setId: SET_ID, caseId: CASE_ID, repeat: 0 }, inference }];
  const policies = await openPolicies([plan], project, calls);
  try {
    const cases = await score({ plan, inferences, policies });
    const [result] = cases[0]?.criteria ?? [];
    const record = runRecord({ id: SET_ID, startedAt: 0, endedAt: 0, agent: CASE_ID }, [{ plan, cases, inferences }]);
    const text = await failuresText(record);
    if (result?.verdict === 'passed' || result?.verdict === 'failed') return { result, text };
    const reason = result?.reason ?? cases[0]?.reason ?? 'it gave no verdict';
    const details = text === '' ? '' : `\n${text}`;
    throw failure(`${safe(name)} gave no verdict: ${safeLines(reason, 2)}${details}`);
  } finally {
    await policies?.close();
  }
}

/**
 * Creates a case for these turns. Without a reference, it has a scenario instead of turns, because an expected turn
 * without calls means that no calls are expected.
 */
function caseOf(turns: readonly Invocation[], expected: readonly ExpectedTurn[] | null): EvalCase {
  if (expected === null) {
    return { evalId: CASE_ID, conversationScenario: { startingPrompt: '', conversationPlan: '' } };
  }
  if (expected.length !== turns.length) {
    const message = `the run has ${counted(turns.length, 'turn')}, but ${expected.length} are expected`;
    throw new CriteriaError({ code: 'USAGE', message });
  }
  return {
    evalId: CASE_ID,
    // If only an answer is expected, the actual calls become the expected ones, so that none of them shows up as a
    // difference.
    conversation: turns.map(({ userContent, intermediateData }, index) => ({
      userContent,
      ...(intermediateData === undefined ? {} : { intermediateData }),
      ...expected[index],
    })),
  };
}
