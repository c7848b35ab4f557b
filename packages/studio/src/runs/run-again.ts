import type { State } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { fieldOf } from '@agent-criteria/formats/schema';
import { type PreparedRun, type PrepareRunOptions, prepareRun } from '@agent-criteria/project';
import { mistakeInSetting } from '@agent-criteria/project/config';
import { loadEvalSet } from '@agent-criteria/project/files';
import { recordedAgents } from '@agent-criteria/project/runs';
import type { OpenedRun } from '@agent-criteria/runner';
import type { RunAgain } from '../api.ts';
import { type App, appOfAgent } from '../apps/app.ts';
import { mistake, refusal } from '../http/refusal.ts';
import type { Studio } from '../studio.ts';
import { openedRun } from './run-folder.ts';

const KEYS = ['scope', 'only', 'repeats'] as const satisfies readonly (keyof RunAgain)[];

/**
 * Prepares another run with the agents, eval sets, cases, repeats, criteria and judge of a run. Files are read as they
 * are now, so that changes to agents, cases and configs take effect.
 *
 * @throws A refusal, or CriteriaError if the run cannot start.
 */
export async function prepareRunAgain(
  studio: Studio,
  id: string,
  body: unknown,
): Promise<{ readonly app: App; readonly prepared: PreparedRun }> {
  const asked = readAsked(body);
  const { run, rows } = await openedRun(studio, id);
  const { plan, scoringPlan, folder } = run;
  const agents = recordedAgents(plan).map(({ variant, name, path, agentName }) => {
    if (path !== null && appOfAgent(studio.apps, path) !== null) return { variant, path, agentName };
    throw refusal(400, `The agent of this run (${name}) is not one of this studio: run it again where it was started.`);
  });
  const [first] = agents;
  const app = first === undefined ? null : appOfAgent(studio.apps, first.path);
  if (first === undefined || app === null) throw refusal(400, 'This run has no agent.');
  const sets = run.sets.map(({ id: setId, file }) => {
    if (file !== null) return { id: setId, file };
    throw refusal(
      400,
      `The eval set "${setId}" of this run is not a file: run it again from the code that started it.`,
    );
  });
  const ofSet = asked.only === undefined ? sets : sets.filter(({ id: setId }) => setId === asked.only?.set);
  if (ofSet.length === 0) throw refusal(404, `The run has no eval set "${asked.only?.set}".`);
  const { auto, repeats: before } = plan;
  const isAuto = auto !== undefined && asked.repeats === undefined;
  const hasVariants = plan.variants !== undefined;
  const { settings } = studio.projectOptions;
  const options: PrepareRunOptions = {
    ...studio.projectOptions,
    settings: {
      ...settings,
      repeats: isAuto ? `auto:${before}` : (asked.repeats ?? before),
      compat: scoringPlan?.compat ?? plan.compat ?? undefined,
      variants: hasVariants
        ? Object.fromEntries(
            agents.map(({ variant = '', path, agentName }) => [
              variant,
              agentName === undefined || agentName === null ? path : `${path}#${agentName}`,
            ]),
          )
        : undefined,
    },
    agent: hasVariants ? undefined : first.path,
    agentName: hasVariants ? undefined : (first.agentName ?? undefined),
    ...(await casesOf(ofSet, asked, plan.selection === undefined ? null : await rows())),
    filter: asked.scope === 'failed' ? { failedIn: folder } : {},
    config: configOf(run),
    gates: isAuto ? { casePassRate: auto.casePassRate } : undefined,
    only: plan.judged === false || scoringPlan === null ? 'inferences' : undefined,
  };
  return { app, prepared: await withJudgeOf(run, options) };
}

/** Selects one case, or those of a run of chosen cases that its eval sets still have. */
async function casesOf(
  sets: readonly { readonly id: string; readonly file: string }[],
  { only, scope }: RunAgain,
  rows: readonly { readonly setId: string; readonly caseId: string }[] | null,
): Promise<Pick<PrepareRunOptions, 'evalSets' | 'cases'>> {
  const evalSets = sets.map(({ file }) => file);
  if (only !== undefined) return { evalSets, cases: [only.case] };
  if (rows === null || scope === 'failed') return { evalSets };
  const chosen: { readonly file: string; readonly ids: readonly string[]; readonly others: readonly string[] }[] = [];
  for (const { id, file } of sets) {
    const ran = new Set(rows.flatMap(({ setId, caseId }) => (setId === id ? [caseId] : [])));
    const ids = (await loadEvalSet(file)).value.evalCases.map(({ evalId }) => evalId);
    const [kept, others] = [ids.filter((one) => ran.has(one)), ids.filter((one) => !ran.has(one))];
    if (kept.length > 0) chosen.push({ file, ids: kept, others });
  }
  if (chosen.length === 0) throw refusal(400, 'The eval sets have none of the cases of this run any more.');
  const cases = chosen.flatMap(({ ids }) => ids);
  const known = new Set(cases);
  // A case id selects that case in every set, so sets that share an id need it after the name of the file.
  if (!chosen.some(({ others }) => others.some((one) => known.has(one)))) {
    return { evalSets: chosen.map(({ file }) => file), cases };
  }
  return { evalSets: chosen.map(({ file, ids }) => `${file}:${ids.join(',')}`) };
}

/** Returns the config of a run that judged all its sets, or `undefined` if each set had the one beside it. */
function configOf({ sets }: OpenedRun): string | undefined {
  const [file, ...others] = new Set(sets.map(({ configFile }) => configFile));
  return others.length === 0 ? (file ?? undefined) : undefined;
}

/** Prepares a run with the judge of an earlier one, even if that was named for that run only. */
async function withJudgeOf({ scoringPlan }: OpenedRun, options: PrepareRunOptions): Promise<PreparedRun> {
  const prepared = await prepareRun(options);
  const recorded = new Set(
    (scoringPlan?.sets ?? []).flatMap(({ criteria }) => criteria.flatMap(({ models }) => idsIn(models))),
  );
  const planned = prepared.sets.flatMap(({ plan }) =>
    plan.criteria.flatMap(({ criterion, options: own }) =>
      (criterion.models?.(own) ?? []).flatMap((name) => plan.models(name)?.id ?? []),
    ),
  );
  const [judge, ...others] = recorded;
  if (judge === undefined || others.length > 0 || planned.every((one) => one === judge)) return prepared;
  return prepareRun({ ...options, settings: { ...options.settings, judgeModel: judge } });
}

function idsIn(models: unknown): readonly string[] {
  return isObject(models) ? Object.values(models).filter((one) => typeof one === 'string') : [];
}

/** @throws A 422 refusal. */
function readAsked(body: unknown): RunAgain {
  const wrong = (name: string, msg: string) => mistake(['body', name], msg);
  for (const key of Object.keys(isObject(body) ? (body as State) : {})) {
    if (!(KEYS as readonly string[]).includes(key)) {
      throw wrong(key, `A run has no setting "${key}" here; there are ${KEYS.join(', ')}.`);
    }
  }
  const [scope, only, repeats] = KEYS.map((key) => fieldOf(body, key));
  if (!isScope(scope)) throw wrong('scope', 'Send "all" or "failed".');
  if (repeats !== undefined) {
    const problem = typeof repeats === 'number' ? mistakeInSetting('repeats', repeats) : 'must be a number';
    if (problem !== null) throw wrong('repeats', `This ${problem}.`);
  }
  const chosen: RunAgain = { scope, repeats: repeats as number | undefined };
  if (only === undefined) return chosen;
  const [set, caseId] = [fieldOf(only, 'set'), fieldOf(only, 'case')];
  if (typeof set !== 'string' || typeof caseId !== 'string') throw wrong('only', 'Send { "set", "case" }.');
  if (scope !== undefined) throw wrong('only', 'Send a scope, or one case.');
  return { ...chosen, only: { set, case: caseId } };
}

function isScope(value: unknown): value is RunAgain['scope'] {
  return value === undefined || value === 'all' || value === 'failed';
}
