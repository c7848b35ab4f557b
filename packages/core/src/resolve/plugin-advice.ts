import type { EvalCase } from '@agent-criteria/formats';
import { didYouMean } from '@agent-criteria/formats/schema';
import type { Registry } from '../registry/registry.ts';

/** A name in a config or an eval set that matches no registered plugin. */
export type UnknownName =
  /** `told` has the messages given so far about other unknown names, so that a list is not repeated. */
  | { readonly kind: 'criterion'; readonly name: string; readonly told?: readonly string[] | undefined }
  /** `function` is the `code_config.name`. */
  | { readonly kind: 'custom-metric'; readonly name: string; readonly function: string }
  /** `configured` has the names of the caller's models. */
  | { readonly kind: 'model'; readonly name: string; readonly configured: readonly string[] }
  | { readonly kind: 'user-simulator'; readonly name: string }
  | { readonly kind: 'tool-simulator'; readonly name: string };

/** An application's knowledge of plugins that are not registered, used in messages. */
export interface PluginAdvice {
  /**
   * Explains why a name is unknown and what to do. If it returns `undefined`, core lists the registered names instead.
   */
  explainUnknown(unknown: UnknownName, registry: Registry): string | undefined;
  /**
   * Lists criteria that are not registered but would apply to at least one of these cases, with how to get them:
   * "hallucinations_v1 (npm install …)".
   */
  installableCriteria(cases: readonly EvalCase[], registry: Registry): readonly string[];
  /**
   * Lists criteria that are installed but not registered, and would apply to at least one of these cases. Those that
   * judge the agent come first. Default: none.
   */
  installedCriteria?(cases: readonly EvalCase[], registry: Registry): readonly string[];
  /**
   * Whether a registered criterion would also score a case that meets its needs. For example, a criterion that compares
   * calls scores nothing if the case has no calls. Default: it would.
   */
  wouldScore?(criterion: string, evalCase: EvalCase): boolean;
}

const MOST_LISTED = 20;

/** Explains why there is no plugin with this name, and what to do. */
export function explainUnknown(unknown: UnknownName, registry: Registry, advice: PluginAdvice | undefined): string {
  return advice?.explainUnknown(unknown, registry) ?? explainPlainly(unknown, registry);
}

function explainPlainly(unknown: UnknownName, registry: Registry): string {
  const { kind, name } = unknown;
  switch (kind) {
    case 'criterion': {
      const names = registry.list('criterion').map((criterion) => criterion.name);
      const list = listed('registered', names);
      const hint = didYouMean(name, names);
      const isTold = (unknown.told ?? []).some((message) => message.includes(list));
      if (isTold) return `there is no criterion named "${name}"${hint}`;
      return `there is no criterion named "${name}"${hint} (${list}). Register it, or name its package under "plugins"`;
    }
    case 'custom-metric':
      return `the function "${unknown.function}" of the custom metric "${name}" is not loaded. Register a criterion named "${name}" that does the same`;
    case 'model': {
      const providers = registry.list('model-provider').map((provider) => provider.names ?? provider.name);
      const names = [...unknown.configured.map((own) => `"${own}"`), ...providers];
      return `no registered provider has the model "${name}"${didYouMean(name, unknown.configured)} (${listed('available', names)})`;
    }
    case 'user-simulator': {
      const names = registry.list('user-simulator').map((simulator) => simulator.name);
      return `there is no user simulator of the type "${name}"${didYouMean(name, names)} (${listed('registered', names)})`;
    }
    case 'tool-simulator': {
      const names = registry.list('tool-simulator').map((simulator) => simulator.name);
      return `there is no tool simulator named "${name}"${didYouMean(name, names)} (${listed('registered', names)})`;
    }
  }
}

function listed(what: string, names: readonly string[]): string {
  if (names.length === 0) return `none is ${what}`;
  const more = names.length > MOST_LISTED ? `, and ${names.length - MOST_LISTED} more` : '';
  return `${what}: ${names.slice(0, MOST_LISTED).join(', ')}${more}`;
}
