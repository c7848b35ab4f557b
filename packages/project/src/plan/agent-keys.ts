import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { Problem } from '@agent-criteria/core';
import { isUrl } from '@agent-criteria/runner';
import type { LoadedEnvironment } from '../config/environment.ts';
import { MODULES } from '../files/import-module.ts';

type Variables = LoadedEnvironment['variables'];

/** A service that agents call, recognised by its own model names or by LiteLLM's names for them. */
interface Service {
  readonly models: RegExp;
  /** Names the missing variables in a clause. Returns `null` if none is missing. */
  missing(variables: Variables): string | null;
}

const oneOf =
  (...names: readonly string[]) =>
  (variables: Variables): string | null =>
    names.some((name) => isSet(variables, name)) ? null : `${names.join(' or ')} is not set`;

const services: readonly Service[] = [
  { models: /^(?:(?:gemini|google)\/)?gem(?:ini|ma)-[\w.-]+$/, missing: missingForGemini },
  { models: /^(?:openai\/[\w.-]+|gpt-[\w.-]+|o[1-9](?:-[\w.-]+)?|chatgpt-[\w.-]+)$/, missing: oneOf('OPENAI_API_KEY') },
  { models: /^(?:anthropic\/[\w.-]+|claude-[\w.-]+)$/, missing: oneOf('ANTHROPIC_API_KEY') },
  { models: /^mistral\/[\w.-]+$/, missing: oneOf('MISTRAL_API_KEY') },
  { models: /^groq\/[\w./-]+$/, missing: oneOf('GROQ_API_KEY') },
  { models: /^deepseek\/[\w.-]+$/, missing: oneOf('DEEPSEEK_API_KEY') },
  { models: /^openrouter\/[\w./:-]+$/, missing: oneOf('OPENROUTER_API_KEY') },
  { models: /^xai\/[\w.-]+$/, missing: oneOf('XAI_API_KEY') },
];

function missingForGemini(variables: Variables): string | null {
  if (['GOOGLE_API_KEY', 'GEMINI_API_KEY'].some((name) => isSet(variables, name))) return null;
  const usesVertex = /^(?:true|1)$/i.test(variables.GOOGLE_GENAI_USE_VERTEXAI ?? '');
  if (!usesVertex) {
    return 'neither GOOGLE_API_KEY nor GEMINI_API_KEY is set, nor GOOGLE_GENAI_USE_VERTEXAI with GOOGLE_CLOUD_PROJECT';
  }
  return isSet(variables, 'GOOGLE_CLOUD_PROJECT') ? null : 'GOOGLE_CLOUD_PROJECT is not set, which Vertex AI needs';
}

function isSet(variables: Variables, name: string): boolean {
  return (variables[name] ?? '').trim() !== '';
}

/** Signs that the code configures a key or a different server. */
const GIVEN_IN_CODE = /\b(?:apiKey|api_key|base_?ur[li]|httpOptions|vertexai)\b/i;
const MOST_BYTES = 1024 * 1024;
const MOST_FILES = 50;

/**
 * Warns of missing keys for the agent's models. Does not import the agent, but searches the source of its module and of
 * the modules next to it for model names. Gives no warnings if the code configures a key or a server.
 * @param agent The module of the agent, or its URL, for which no warnings are given.
 */
export async function missingAgentKeys(
  agent: string,
  { variables, files }: LoadedEnvironment,
): Promise<readonly Problem[]> {
  if (isUrl(agent)) return [];
  const sources = await sourcesOf(agent);
  if (sources.some(({ code }) => GIVEN_IN_CODE.test(code))) return [];
  const names = sources.flatMap(({ file, code }) =>
    [...code.matchAll(/(["'`])([\w./:-]{2,80})\1/g)].map(([, , model = '']) => ({ file, model })),
  );
  const where = envText(join(dirname(agent), '.env'), files);
  return services.flatMap(({ models, missing }): Problem[] => {
    // The agent's own module comes first.
    const named = names.find(({ model }) => models.test(model));
    const what = named === undefined ? null : missing(variables);
    if (named === undefined || what === null) return [];
    const { file, model } = named;
    const who = file === agent ? 'the agent names' : 'this module beside the agent names';
    const message = `${who} the model "${model}", but ${what}: set it in the environment, or ${where}`;
    return [{ code: 'MISSING_ENVIRONMENT', file, message }];
  });
}

/** Names the files for a key: the ones that were read, or else the one that would be read. */
function envText(own: string, files: LoadedEnvironment['files']): string {
  if (files.length === 0) return `write it into ${own} (no .env was found)`;
  return `in ${files.map(({ file }) => file).join(' or ')} (read, but not set there)`;
}

async function sourcesOf(agent: string): Promise<readonly { readonly file: string; readonly code: string }[]> {
  const folder = dirname(agent);
  const names = await readdir(folder).catch(() => []);
  const siblings = names.filter((name) => MODULES.has(extname(name)) && !/\.(?:test|spec|config)\.\w+$/.test(name));
  const others = siblings.filter((name) => name !== basename(agent)).map((name) => join(folder, name));
  const wanted = [agent, ...others].slice(0, MOST_FILES);
  return Promise.all(wanted.map(async (file) => ({ file, code: await codeOf(file) })));
}

/** Removes comments, approximately. */
async function codeOf(file: string): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size > MOST_BYTES) return '';
    return (await readFile(file, 'utf8')).replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '');
  } catch {
    return '';
  }
}
