import type { ConfigPlugins, EvalConfigInput } from '@agent-criteria/core/eval-set';
import type { Settings } from './settings/settings-type.ts';

/** The content of an `agent-criteria.config` file. Flags, options and environment variables override it; it overrides defaults. */
export interface ProjectConfig extends Omit<Settings, 'recording'> {
  /** The JSON Schema of the file, for editors. It is not read. */
  readonly $schema?: string | undefined;
  /** The recording of answers: an object, or a text as its flag has it, as `judge.jsonl:replay`. */
  readonly recording?: string | Settings['recording'];
}

/** `ProjectConfig`, with a `config` that is checked by the plugins that stand in it. */
export interface TypedProjectConfig<Plugins extends ConfigPlugins = ConfigPlugins>
  extends Omit<ProjectConfig, 'config'> {
  /** What eval sets without a config of their own are judged by: a path from this file, or a config, as `defineEvalConfig` gives it. */
  readonly config?: string | EvalConfigInput<Plugins> | undefined;
}

/** The content of `agent-criteria.config.ts`, completed and checked by the compiler. Gives back what it is given. */
export function defineConfig<const Plugins extends ConfigPlugins>(config: TypedProjectConfig<Plugins>): ProjectConfig;
export function defineConfig(config: ProjectConfig): ProjectConfig {
  return config;
}
