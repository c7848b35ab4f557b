import type { TextFormat } from './input/open-records.ts';
import type { ImportFormat } from './open-options.ts';

/** The name of each format for people, such as `trajectories of ATIF`. */
export const FORMAT_NAMES: Readonly<Record<ImportFormat, string>> = {
  messages: 'message lists',
  adk: 'ADK sessions',
  'agents-cli': 'dataset of agents-cli',
  traces: 'traces',
  atif: 'trajectories of ATIF',
  'openai-evals': 'OpenAI Evals',
  promptfoo: 'promptfoo',
  rows: 'rows with columns',
};

/** The name of each text format for people, such as `JSON Lines`. */
export const TEXT_NAMES: Readonly<Record<TextFormat, string>> = {
  json: 'JSON',
  jsonl: 'JSON Lines',
  yaml: 'YAML',
  csv: 'CSV',
};
