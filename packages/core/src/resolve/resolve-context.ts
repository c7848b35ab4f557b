import { type Problem, toErrorInfo } from '@agent-criteria/formats';
import type { Registry } from '../registry/registry.ts';
import type { ModelLookup, Plan } from './plan.ts';
import type { ResolveOptions } from './resolve-options.ts';

/** The state kept while a config is resolved. */
export interface Context extends BareContext {
  readonly simulator: Plan['simulator'];
}

/** The part of the state that exists before the simulated user is planned. */
export interface BareContext {
  readonly options: ResolveOptions;
  readonly registry: Registry;
  readonly compat: 'adk' | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly models: ModelLookup;
  readonly problems: Problem[];
  readonly warnings: Problem[];
}

/**
 * Calls a method of a plugin. If it throws, or returns a value of the wrong type, reports a problem and returns
 * `undefined`.
 */
export function ask<T>(
  context: BareContext,
  path: string,
  what: string,
  work: () => T,
  isGood: (answer: T) => boolean,
): T | undefined {
  try {
    const answer = work();
    if (isGood(answer)) return answer;
    context.problems.push(
      problem(context, 'INVALID_PLUGIN', `${what} returned something that its contract does not allow`, path),
    );
  } catch (error) {
    context.problems.push(problem(context, 'INVALID_PLUGIN', `${what} threw: ${toErrorInfo(error).message}`, path));
  }
  return undefined;
}

/** Adds the path and file of the plugin's entry to a problem that has none. */
export function placed(found: Problem, at: string, configFile?: string): Problem {
  const { path = at, file = configFile, ...rest } = found;
  return { path, file, ...rest };
}

export function problem(context: BareContext, code: Problem['code'], message: string, path: string): Problem {
  return { code, message, path, file: context.options.file };
}
