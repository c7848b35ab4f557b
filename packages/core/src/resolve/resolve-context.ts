import { type Problem, toErrorInfo } from '@agent-criteria/formats';
import type { Registry } from '../registry/registry.ts';
import type { ModelLookup, Plan } from './plan.ts';
import type { ResolveOptions } from './resolve-options.ts';

/** What every part of resolving works with: what was asked, what is known, and what was found wrong. */
export interface Context extends BareContext {
  readonly simulator: Plan['simulator'];
}

/** A context whose simulated user is not planned yet. */
export interface BareContext {
  readonly options: ResolveOptions;
  readonly registry: Registry;
  readonly compat: 'adk' | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly models: ModelLookup;
  readonly problems: Problem[];
  readonly warnings: Problem[];
}

/** What code of somebody else says. A throw, or an answer of another type, is one more mistake to tell. */
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

/** A problem that a plugin found, where it found it; else where the plugin is configured. */
export function placed(found: Problem, at: string, configFile?: string): Problem {
  const { path = at, file = configFile, ...rest } = found;
  return { path, file, ...rest };
}

export function problem(context: BareContext, code: Problem['code'], message: string, path: string): Problem {
  return { code, message, path, file: context.options.file };
}
