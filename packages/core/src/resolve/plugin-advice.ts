import type { EvalCase } from '@agent-criteria/formats';
import { didYouMean } from '@agent-criteria/formats/schema';
import type { Registry } from '../registry/registry.ts';

/** A name in a config or an eval set that no registered plugin answers to. */
export type UnknownName =
  /** `told`: what was said of others before it, so that a list is not written twice. */
  | { readonly kind: 'criterion'; readonly name: string; readonly told?: readonly string[] | undefined }
  /** `function` is what `code_config.name` says. */
  | { readonly kind: 'custom-metric'; readonly name: string; readonly function: string }
  /** `configured`: the names that the caller has models for. */
  | { readonly kind: 'model'; readonly name: string; readonly configured: readonly string[] }
  | { readonly kind: 'user-simulator'; readonly name: string };

/** What an application knows of plugins that are not registered. Core knows only those that are. */
export interface PluginAdvice {
  /** Why the name is unknown and what to do: install, correct, port. `undefined`: core lists what is registered. */
  explainUnknown(unknown: UnknownName, registry: Registry): string | undefined;
  /**
   * Criteria that are not registered but would apply to at least one of these cases, with how to install them:
   * "hallucinations_v1 (npm install …)".
   */
  installableCriteria(cases: readonly EvalCase[], registry: Registry): readonly string[];
  /**
   * Criteria that are not registered but would apply to at least one of these cases, and that need only be named, because their
   * packages are installed; those that judge the agent first. Default: none.
   */
  installedCriteria?(cases: readonly EvalCase[], registry: Registry): readonly string[];
  /**
   * Whether a registered criterion that applies to a case by its needs would score it: one that compares calls finds none where
   * none is expected. Default: it would.
   */
  wouldScore?(criterion: string, evalCase: EvalCase): boolean;
}

const MOST_LISTED = 20;

/** Why there is no plugin of this name, and what to do. */
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
  }
}

function listed(what: string, names: readonly string[]): string {
  if (names.length === 0) return `none is ${what}`;
  const more = names.length > MOST_LISTED ? `, and ${names.length - MOST_LISTED} more` : '';
  return `${what}: ${names.slice(0, MOST_LISTED).join(', ')}${more}`;
}
