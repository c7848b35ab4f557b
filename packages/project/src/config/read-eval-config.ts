import { resolve } from 'node:path';
import { CriteriaError, type Problem } from '@agent-criteria/core';
import {
  agentsCliConfigText,
  isAgentsCliConfig,
  isYaml,
  otherYamlText,
  readYamlFile,
} from '../files/agents-cli-config.ts';
import { type FoundConfig, findEvalConfig } from '../files/find-eval-config.ts';
import { readJsonFile } from '../files/read-json-file.ts';
import { type LoadedProjectConfig, withoutProjectConfig } from './project-config.ts';

/** The config of an eval set, as written. */
export interface ReadEvalConfig {
  /** The config, or `null` for ADK's default criteria. */
  readonly value: unknown;
  readonly file?: string | undefined;
  /** The folder that its paths are relative to if it does not come from a file. */
  readonly folder?: string | undefined;
  readonly warnings: readonly Problem[];
}

export interface ReadEvalConfigOptions {
  /** A config, or the path to one. Default: the config found for the set. */
  readonly config?: unknown;
  /** The set's project. Default: none. */
  readonly project?: LoadedProjectConfig | undefined;
}

/**
 * Reads the given config, else the one next to the eval set, else the project's, else the one in the folder above.
 * @param setFile The file of the set, or `undefined` if the set is a value.
 * @throws CriteriaError for a file that cannot be read.
 */
export async function readEvalConfig(
  setFile: string | undefined,
  { config: given, project }: ReadEvalConfigOptions,
): Promise<ReadEvalConfig> {
  if (typeof given === 'string') return readConfigFile(given);
  if (given !== undefined) return { value: given, warnings: [] };
  const { folder, settings } = project ?? withoutProjectConfig();
  const { config: own } = settings;
  const { file, warnings }: FoundConfig =
    setFile === undefined ? { file: null, warnings: [] } : await findEvalConfig(setFile, { above: own === undefined });
  if (file === null && own === undefined) return { value: null, warnings };
  if (file === null && typeof own !== 'string') return { value: own, folder, warnings };
  const read = await readConfigFile(file ?? resolve(folder, own as string));
  return { ...read, warnings: [...warnings, ...read.warnings] };
}

async function readConfigFile(file: string): Promise<ReadEvalConfig> {
  const { value, warnings } = isYaml(file)
    ? { value: await readYamlFile(file), warnings: [] }
    : await readJsonFile(file);
  if (isAgentsCliConfig(value)) {
    throw new CriteriaError({ code: 'INVALID_CONFIG', file, path: '$', message: agentsCliConfigText(file, value) });
  }
  if (isYaml(file)) {
    throw new CriteriaError({ code: 'INVALID_CONFIG', file, message: otherYamlText(file, value) });
  }
  if (value !== null) return { value, file, warnings };
  // Resolving would treat null as no config.
  const message = 'the config is null; write an object with "criteria", or remove the file';
  throw new CriteriaError({ code: 'INVALID_CONFIG', file, path: '$', message });
}
