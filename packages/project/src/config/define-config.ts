import type { ConfigPlugins, EvalConfigInput } from '@agent-criteria/core/eval-set';
import type { Settings } from './settings/settings-type.ts';

/** The content of an `agent-criteria.config` file. Flags, options and environment variables override it; it overrides defaults. */
export interface ProjectConfig extends Omit<Settings, 'recording'> {
  /** The JSON Schema of the file, for editors. It is not read. */
  readonly $schema?: string | undefined;
  /** The recording of answers: an object, or a text like its flag, such as `judge.jsonl:replay`. */
  readonly recording?: string | Settings['recording'];
}

/** `ProjectConfig` with a `config` that its own plugins type. */
export interface TypedProjectConfig<Plugins extends ConfigPlugins = ConfigPlugins>
  extends Omit<ProjectConfig, 'config'> {
  /**
   * The config of eval sets that have none of their own: a path relative to this file, or a config from
   * `defineEvalConfig`.
   */
  readonly config?: string | EvalConfigInput<Plugins> | undefined;
}

/** Returns the content of `agent-criteria.config.ts` unchanged, completed and checked by the compiler. */
export function defineConfig<const Plugins extends ConfigPlugins>(config: TypedProjectConfig<Plugins>): ProjectConfig;
export function defineConfig(config: ProjectConfig): ProjectConfig {
  return config;
}
