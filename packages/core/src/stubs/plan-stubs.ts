import type { EvalSet, ToolSimulationConfig } from '../data/model.ts';
import { modelSchema } from '../data/model-schema.ts';
import type { Problem } from '../errors.ts';
import { isObject } from '../json.ts';
import { formatPath } from '../schema/path.ts';
import { respell } from '../schema/respell.ts';

/** The key of stubs under `agent_criteria`, in both spellings. */
export const STUB_KEYS = ['tool_simulation_configs', 'toolSimulationConfigs'];

/**
 * What is stubbed in each case, by case id: the stubs of the config and those of the case, which replace the config's
 * for the same tool. Cases without stubs are left out.
 */
export function planStubs(
  evalSet: EvalSet,
  ofConfig: readonly ToolSimulationConfig[],
  configFile: string | undefined,
  problems: Problem[],
): ReadonlyMap<string, readonly ToolSimulationConfig[]> {
  const planned = new Map<string, readonly ToolSimulationConfig[]>();
  problems.push(...checkStubs(ofConfig, '$.agent_criteria.tool_simulation_configs', configFile));
  for (const [index, { evalId, agentCriteria }] of evalSet.evalCases.entries()) {
    const own = readCaseStubs(agentCriteria, index, problems);
    const names = new Set(own.map(({ toolName }) => toolName));
    const all = [...own, ...ofConfig.filter(({ toolName }) => !names.has(toolName))];
    if (all.length > 0) planned.set(evalId, all);
  }
  return planned;
}

function readCaseStubs(agentCriteria: unknown, index: number, problems: Problem[]): readonly ToolSimulationConfig[] {
  if (!isObject(agentCriteria)) return [];
  const key = STUB_KEYS.find((candidate) => agentCriteria[candidate] !== undefined);
  if (key === undefined) return [];
  const path = formatPath(['eval_cases', index, 'agent_criteria', key]);
  // The case may come from code.
  const { $defs, $ref } = modelSchema('ToolSimulationConfig');
  const list = { $defs, type: 'array', items: { $ref } };
  const read = respell(agentCriteria[key], list, { path, code: 'INVALID_DATA' });
  problems.push(...read.problems);
  if (read.problems.length > 0) return [];
  const stubs = read.value as readonly ToolSimulationConfig[];
  problems.push(...checkStubs(stubs, path, undefined));
  return stubs;
}

/** What no type says of stubs. */
function checkStubs(
  stubs: readonly ToolSimulationConfig[],
  path: string,
  file: string | undefined,
): readonly Problem[] {
  const problems: Problem[] = [];
  const add = (at: string, message: string) =>
    problems.push({ code: 'INVALID_CONFIG', message, path: `${path}${at}`, file });
  const seen = new Set<string>();
  for (const [index, { toolName, injectionConfigs, mockStrategyType }] of stubs.entries()) {
    if (seen.has(toolName)) {
      add(`[${index}].tool_name`, `the tool "${toolName}" is stubbed twice; put all its injection_configs into one`);
    }
    seen.add(toolName);
    if (injectionConfigs.length === 0) {
      add(
        `[${index}].injection_configs`,
        `nothing is said of calls of "${toolName}": give at least one injection config`,
      );
    }
    const strategy = mockStrategyType ?? 'MOCK_STRATEGY_UNSPECIFIED';
    if (strategy !== 'MOCK_STRATEGY_UNSPECIFIED' && strategy !== 0) {
      const message = 'no model makes tool answers up here: remove mock_strategy_type and write injection_configs';
      add(`[${index}].mock_strategy_type`, message);
    }
    for (const [at, { injectedError, injectedResponse, injectedLatencySeconds = 0 }] of injectionConfigs.entries()) {
      const place = `[${index}].injection_configs[${at}]`;
      if (injectedError && injectedResponse) add(place, 'a stub gives an error or a response, not both; remove one');
      if (!injectedError && !injectedResponse && injectedLatencySeconds === 0) {
        add(place, 'this stub does nothing: give injected_response, injected_error or injected_latency_seconds');
      }
    }
  }
  return problems;
}
