import type { Criterion, CriterionDefinition } from './contracts/criterion.ts';

/**
 * Describes a criterion. Infers its name and options, so that `defineEvalConfig` can complete and check them.
 * Registers nothing: importing the package's main entry does that, or `createRegistry([...])`.
 */
export function defineCriterion<const Name extends string, Input, Options, const Decides extends boolean>(
  definition: CriterionDefinition<Name, Input, Options, Decides>,
): Criterion<Name, Input, Options, Decides> {
  return { kind: 'criterion', specVersion: 2, ...definition } as Criterion<Name, Input, Options, Decides>;
}
