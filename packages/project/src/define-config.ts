import type { Settings } from './settings/settings-type.ts';

/** The content of an `agent-criteria.config` file. Flags, options and environment variables override it; it overrides defaults. */
export interface ProjectConfig extends Omit<Settings, 'recording'> {
  /** The JSON Schema of the file, for editors. It is not read. */
  readonly $schema?: string | undefined;
  /** The recording of answers: an object, or a text as its flag has it, as `judge.jsonl:replay`. */
  readonly recording?: string | Settings['recording'];
}

/** The content of `agent-criteria.config.ts`, completed and checked by the compiler. Gives back what it is given. */
export function defineConfig(config: ProjectConfig): ProjectConfig {
  return config;
}
