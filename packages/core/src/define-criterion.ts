import type { Criterion, CriterionDefinition, Range } from './contracts/criterion.ts';
import { noOptions, optionsSchema } from './options-schema.ts';
import { checkSpecVersion } from './registry/check-spec-version.ts';

/** Of a criterion that a project defines for itself. Two of one name in one project: the later replaces the earlier. */
const OF_PROJECT = { package: 'this project', version: '0.0.0' } as const;

const HIGHER_IS_BETTER: Range = { min: 0, max: 1, better: 'higher' };

/**
 * Describes a criterion: `name`, `description` and `evaluate` are enough. Infers its name and options, so that
 * `defineEvalConfig` can complete and check them. Registers nothing: importing the package's main entry does that, or
 * `createRegistry([...])`.
 *
 * ```ts
 * const short = defineCriterion({
 *   name: 'short',
 *   description: 'The answer fits into a text message.',
 *   evaluate: (turn) => ({ value: contentText(turn.actual.finalResponse).length <= 160 ? 1 : 0 }),
 * });
 * ```
 *
 * @throws CriteriaError INVALID_PLUGIN for options that cannot give their JSON Schema, or one that core cannot check;
 * UNSUPPORTED_SPEC_VERSION for a definition of the older contract.
 */
export function defineCriterion<
  const Name extends string,
  Input = Record<never, never>,
  Options = Record<never, never>,
  const Decides extends boolean = true,
>(definition: CriterionDefinition<Name, Input, Options, Decides>): Criterion<Name, Input, Options, Decides> {
  // A package uses whichever core is installed: one built for the older contract can only be recognised by its definition.
  if ('gates' in definition && definition.decides === undefined)
    checkSpecVersion({ ...definition, specVersion: 1 }, 'criterion');
  const { origin = OF_PROJECT, decides = true, range = HIGHER_IS_BETTER, scope = 'turn' } = definition;
  const options = definition.options === undefined ? noOptions : optionsSchema(definition.options);
  const complete = { ...definition, kind: 'criterion', specVersion: 3, origin, decides, range, options, scope };
  return complete as Criterion<Name, Input, Options, Decides>;
}
