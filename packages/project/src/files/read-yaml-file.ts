import { CriteriaError } from '@agent-criteria/core';
import { readText } from './read-json-file.ts';

/** The largest YAML file that is read: 1 MiB. People write them by hand. */
const MAX_YAML_BYTES = 1024 * 1024;
/** As many aliases may be resolved: a few lines of YAML can stand for gigabytes. */
const MOST_ALIASES = 50;

/**
 * Reads a YAML file as JSON values: YAML 1.2, without its types beyond JSON.
 * @throws CriteriaError as `readJsonFile`; NOT_JSON for what is not YAML, or resolves to far more than it says.
 */
export async function readYamlFile(file: string): Promise<unknown> {
  const text = await readText(file, MAX_YAML_BYTES);
  // Only when it is needed.
  const { parse } = await import('yaml');
  try {
    return parse(text, { schema: 'core', maxAliasCount: MOST_ALIASES, logLevel: 'error' });
  } catch (cause) {
    const why = (cause as Error).message.split('\n')[0];
    throw new CriteriaError({ code: 'NOT_JSON', file, message: `this is not YAML: ${why}` }, { cause });
  }
}

export function isYaml(name: string): boolean {
  return /\.ya?ml$/i.test(name);
}
