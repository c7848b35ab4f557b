import type { Criterion, CriterionDefinition, Range } from './contracts/criterion.ts';
import { noOptions, optionsSchema } from './options-schema.ts';
import { checkSpecVersion } from './registry/check-spec-version.ts';

/**
 * The origin of criteria defined inside a project. If two criteria have the same name, the later one replaces the
 * earlier one.
 */
const OF_PROJECT = { package: 'this project', version: '0.0.0' } as const;

const HIGHER_IS_BETTER: Range = { min: 0, max: 1, better: 'higher' };

/**
 * Defines a criterion; `name`, `description` and `evaluate` are enough. Its name and options are inferred, so that
 * `defineEvalConfig` can complete and check them. It is not registered: call `registerPlugin` in the main entry of its
 * package, or pass it to `plugins` of a config.
 *
 * ```ts
 * const short = defineCriterion({
 *   name: 'short',
 *   description: 'The answer fits into a text message.',
 *   evaluate: (turn) => ({ value: contentText(turn.actual.finalResponse).length <= 160 ? 1 : 0 }),
 * });
 * ```
 *
 * @throws CriteriaError INVALID_PLUGIN if the options have no JSON Schema, or one that core cannot check;
 * UNSUPPORTED_SPEC_VERSION for a definition in the format of contract version 1.
 */
export function defineCriterion<
  const Name extends string,
  Input = Record<never, never>,
  Options = Record<never, never>,
  const Decides extends boolean = true,
>(definition: CriterionDefinition<Name, Input, Options, Decides>): Criterion<Name, Input, Options, Decides> {
  // A package built for version 1 of the contract may run with this core. Only `gates` tells it apart.
  if ('gates' in definition && definition.decides === undefined)
    checkSpecVersion({ ...definition, specVersion: 1 }, 'criterion');
  const { origin = OF_PROJECT, decides = true, range = HIGHER_IS_BETTER, scope = 'turn' } = definition;
  const options = definition.options === undefined ? noOptions : optionsSchema(definition.options);
  const complete = { ...definition, kind: 'criterion', specVersion: 3, origin, decides, range, options, scope };
  return complete as Criterion<Name, Input, Options, Decides>;
}
