import { type EnvironmentSimulationConfig, type EvalCase, mockStrategyOf } from '@agent-criteria/formats';
import { formatPath } from '@agent-criteria/formats/schema';
import type { ToolSimulator } from '../contracts/tool-simulator.ts';
import { checkModels } from '../resolve/check-models.ts';
import type { Plan, PlannedEnvironment } from '../resolve/plan.ts';
import { explainUnknown } from '../resolve/plugin-advice.ts';
import { ask, type BareContext, placed, problem } from '../resolve/resolve-context.ts';

const PATH = '$.agent_criteria';

/**
 * Plans the simulated tools of each case that has some. Reports unknown simulators, and models that cannot be called,
 * once for each.
 */
export function planEnvironments(
  context: BareContext,
  configs: ReadonlyMap<string, EnvironmentSimulationConfig>,
): Plan['environments'] {
  const planned = new Map<string, PlannedEnvironment>();
  if (context.options.scoringOnly === true) return planned;
  const checked = new Set<string>();
  const once = (key: string, check: () => void): void => {
    if (!checked.has(key)) check();
    checked.add(key);
  };
  for (const [index, evalCase] of context.options.evalSet.evalCases.entries()) {
    const config = configs.get(evalCase.evalId);
    if (config === undefined) continue;
    const simulators = new Map<string, ToolSimulator>();
    for (const stub of config.toolSimulationConfigs ?? []) {
      const name = mockStrategyOf(stub);
      if (name === null) continue;
      const simulator = context.registry.get('tool-simulator', name);
      if (simulator === undefined) {
        const why = explainUnknown({ kind: 'tool-simulator', name }, context.registry, context.options.advice);
        const message = `the tool "${stub.toolName}" cannot be simulated: ${why}`;
        once(name, () => context.problems.push(problem(context, 'UNKNOWN_SIMULATOR', message, PATH)));
        continue;
      }
      simulators.set(stub.toolName, simulator);
      const settings = [config.simulationModel, config.simulationModelConfiguration];
      once(JSON.stringify([name, settings]), () => checkModels(context, simulator, config, PATH));
    }
    for (const simulator of new Set(simulators.values()))
      checkCase(context, index, evalCase, config, simulators, simulator);
    if (simulators.size > 0 || config.unlistedTools === 'error') planned.set(evalCase.evalId, { config, simulators });
  }
  return planned;
}

function checkCase(
  context: BareContext,
  index: number,
  evalCase: EvalCase,
  environment: EnvironmentSimulationConfig,
  simulators: PlannedEnvironment['simulators'],
  simulator: ToolSimulator,
): void {
  const path = formatPath(['eval_cases', index]);
  const toolNames = toolNamesOf(simulators, simulator);
  const found = ask(
    context,
    path,
    `check of ${simulator.name} (${simulator.origin.package})`,
    () => simulator.check?.({ case: evalCase, toolNames, environment }) ?? [],
    (problems) => Array.isArray(problems) && problems.every((one) => typeof one?.message === 'string'),
  );
  context.problems.push(...(found ?? []).map((one) => placed(one, path)));
}

/** Lists the tools for which a simulator answers. */
export function toolNamesOf(simulators: PlannedEnvironment['simulators'], simulator: ToolSimulator): readonly string[] {
  return [...simulators].filter(([, own]) => own === simulator).map(([name]) => name);
}
