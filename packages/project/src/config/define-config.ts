import type { ConfigPlugins, EvalConfigInput } from '@agent-criteria/core/eval-set';
import type { Settings } from './settings/settings-type.ts';

/**
 * The content of an `agent-criteria.config` file. It overrides the defaults; flags, options and environment variables
 * override it.
 */
export interface ProjectConfig extends Omit<Settings, 'recording'> {
  /** The JSON Schema of the file, for editors only. */
  readonly $schema?: string | undefined;
  /** The recording of answers: an object, or a string like its flag, such as `judge.jsonl:replay`. */
  readonly recording?: string | Settings['recording'];
}

/** `ProjectConfig` with a `config` that is typed by its own plugins. */
export interface TypedProjectConfig<Plugins extends ConfigPlugins = ConfigPlugins>
  extends Omit<ProjectConfig, 'config'> {
  /**
   * The config for eval sets that have none of their own: a path relative to this file, or a config from
   * `defineEvalConfig`.
   */
  readonly config?: string | EvalConfigInput<Plugins> | undefined;
}

/**
 * Returns the content of `agent-criteria.config.ts` unchanged, so that editors complete it and the compiler checks it.
 */
export function defineConfig<const Plugins extends ConfigPlugins>(config: TypedProjectConfig<Plugins>): ProjectConfig;
export function defineConfig(config: ProjectConfig): ProjectConfig {
  return config;
}
