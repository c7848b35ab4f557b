import { basename } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import { agentsCliConfigText, isAgentsCliConfig } from './agents-cli-config.ts';
import { readJsonFile } from './read-json-file.ts';
import { isYaml, readYamlFile } from './read-yaml-file.ts';

/** Names by which an eval config is probably meant, as `test-config.yaml`. */
const MEANT = /^(tests?|evals?)[-_. ]?configs?\.(jsonc?|json5|ya?ml)$/i;

/** Whether somebody who calls a file so probably means the config of eval sets. */
export function isMeantAsConfig(name: string): boolean {
  return MEANT.test(name);
}

/** Whether the content of a file is that of an eval config: its `criteria` is an object. */
export function isConfig(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { criteria } = value as { readonly criteria?: unknown };
  return typeof criteria === 'object' && criteria !== null && !Array.isArray(criteria);
}

/** Why a file that is meant as a config cannot be one; `null`: it can. */
export async function whyNoConfig(file: string): Promise<string | null> {
  if (isYaml(file)) {
    const value = await readYamlFile(file).catch(() => null);
    if (isAgentsCliConfig(value)) return agentsCliConfigText(file, value);
  }
  if (!/\.json$/i.test(file)) {
    // Above the sets, only one of eval_config is taken.
    const name = /^eval/i.test(basename(file)) ? 'eval_config.json' : 'test_config.json';
    return `this file is not read: configs are JSON; write it as ${name}`;
  }
  try {
    const { value } = await readJsonFile(file);
    if (isAgentsCliConfig(value)) return agentsCliConfigText(file, value);
    return isConfig(value) ? null : 'this file is not used as a config: it has no "criteria" object';
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    return `this file is not used as a config: ${error.problems[0]?.message}`;
  }
}
