import type { EnvironmentSimulationConfig } from '@agent-criteria/formats';

/** The keys of a simulated environment under `agent_criteria`, by their names in code. */
export const environmentKeys = {
  toolSimulationConfigs: 'tool_simulation_configs',
  simulationModel: 'simulation_model',
  simulationModelConfiguration: 'simulation_model_configuration',
  environmentData: 'environment_data',
  tracing: 'tracing',
  unlistedTools: 'unlisted_tools',
} as const satisfies Readonly<Record<keyof EnvironmentSimulationConfig, string>>;

/** The same keys in both spellings. */
export const ENVIRONMENT_KEYS: readonly string[] = [
  ...new Set([...Object.values(environmentKeys), ...Object.keys(environmentKeys)]),
];
