import {
  type EnvironmentSimulationConfig,
  type EvalSet,
  isObject,
  mockStrategyOf,
  type Problem,
  type ToolSimulationConfig,
} from '@agent-criteria/formats';
import { modelSchema } from '@agent-criteria/formats/parse';
import { formatPath, respell } from '@agent-criteria/formats/schema';
import type { Plan } from '../resolve/plan.ts';
import { environmentKeys } from './environment-keys.ts';

/**
 * Combines the environment of the config with those of the cases: a case's stub takes precedence for the same tool, and so
 * does each of its other keys. Returns stubs and combined environments by case id; cases without any are absent.
 */
export function planStubs(
  evalSet: EvalSet,
  ofConfig: EnvironmentSimulationConfig,
  configFile: string | undefined,
  problems: Problem[],
): { readonly stubs: Plan['stubs']; readonly configs: ReadonlyMap<string, EnvironmentSimulationConfig> } {
  const stubs = new Map<string, readonly ToolSimulationConfig[]>();
  const configs = new Map<string, EnvironmentSimulationConfig>();
  const common = ofConfig.toolSimulationConfigs ?? [];
  problems.push(...checkStubs(common, '$.agent_criteria.tool_simulation_configs', configFile));
  const shared = pickEnvironment(ofConfig);
  for (const [index, { evalId, agentCriteria }] of evalSet.evalCases.entries()) {
    const read = readCase(agentCriteria, index, problems);
    const own = read.toolSimulationConfigs ?? [];
    const names = new Set(own.map(({ toolName }) => toolName));
    const all = [...own, ...common.filter(({ toolName }) => !names.has(toolName))];
    const config = { ...shared, ...read, toolSimulationConfigs: all };
    if (all.length === 0 && config.unlistedTools !== 'error') continue;
    stubs.set(evalId, all);
    configs.set(evalId, config);
  }
  return { stubs, configs };
}

/** Picks the keys of an environment that are set, from either spelling. */
function pickEnvironment(keys: object): EnvironmentSimulationConfig {
  const written = keys as Readonly<Record<string, unknown>>;
  const picked = Object.entries(environmentKeys).flatMap(([name, snake]) => {
    const value = written[name] ?? written[snake];
    return value === undefined || value === null ? [] : [[name, value] as const];
  });
  return Object.fromEntries(picked);
}

/** Reads the environment of a case. Reports its mistakes at the keys as they are written. */
function readCase(agentCriteria: unknown, index: number, problems: Problem[]): EnvironmentSimulationConfig {
  if (!isObject(agentCriteria)) return {};
  const pairs = Object.entries(environmentKeys).flatMap(([name, snake]) => {
    const key = [snake, name].find((one) => agentCriteria[one] !== undefined);
    return key === undefined ? [] : [[key, agentCriteria[key]] as const];
  });
  if (pairs.length === 0) return {};
  const path = formatPath(['eval_cases', index, 'agent_criteria']);
  const { $defs, $ref } = modelSchema('EnvironmentSimulationConfig');
  const read = respell(Object.fromEntries(pairs), { $defs, $ref }, { path, code: 'INVALID_DATA' });
  problems.push(...read.problems);
  if (read.problems.length > 0) return {};
  const environment = pickEnvironment(read.value as object);
  const [key = ''] = pairs.map(([one]) => one);
  problems.push(...checkStubs(environment.toolSimulationConfigs ?? [], `${path}.${key}`, undefined));
  return environment;
}

/** ADK's deprecated strategy, which answers nothing. */
const DEPRECATED_STRATEGY = 'MOCK_STRATEGY_TRACING';

/** Checks rules that types cannot express. */
function checkStubs(
  stubs: readonly ToolSimulationConfig[],
  path: string,
  file: string | undefined,
): readonly Problem[] {
  const problems: Problem[] = [];
  const add = (at: string, message: string) =>
    problems.push({ code: 'INVALID_CONFIG', message, path: `${path}${at}`, file });
  const seen = new Set<string>();
  for (const [index, stub] of stubs.entries()) {
    const { toolName, injectionConfigs = [] } = stub;
    const strategy = mockStrategyOf(stub);
    if (seen.has(toolName)) {
      add(`[${index}].tool_name`, `the tool "${toolName}" is stubbed twice; put all its injection_configs into one`);
    }
    seen.add(toolName);
    if (injectionConfigs.length === 0 && strategy === null) {
      const message = `the stub of "${toolName}" answers nothing: add an injection config or a mock_strategy_type`;
      add(`[${index}].injection_configs`, message);
    }
    if (strategy === DEPRECATED_STRATEGY) {
      const message = `${DEPRECATED_STRATEGY} is deprecated in ADK and answers nothing: write MOCK_STRATEGY_TOOL_SPEC, which reads "tracing", too, or "recorded"`;
      add(`[${index}].mock_strategy_type`, message);
    }
    for (const [at, { injectedError, injectedResponse, injectedLatencySeconds = 0 }] of injectionConfigs.entries()) {
      const place = `[${index}].injection_configs[${at}]`;
      if (injectedError && injectedResponse) add(place, 'a stub returns an error or a response, not both; remove one');
      if (!injectedError && !injectedResponse && injectedLatencySeconds === 0) {
        add(place, 'this stub does nothing: add injected_response, injected_error or injected_latency_seconds');
      }
    }
  }
  return problems;
}
