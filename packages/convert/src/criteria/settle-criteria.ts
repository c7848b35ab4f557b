import { isDeepStrictEqual } from 'node:util';
import type { Json } from '@agent-criteria/core';
import type { CriterionConfig, EvalConfig } from '@agent-criteria/formats';
import { type CaseCriteria, type Options, RUBRICS } from './case-criteria.ts';

/** The criteria of a set: what all cases share as a config, and the rest for each case. */
export interface SettledCriteria {
  readonly config: EvalConfig;
  /** The rest for each case, in the order of the cases. */
  readonly cases: readonly Pick<CaseCriteria, 'options' | 'rubrics'>[];
}

/** Criteria of which a lower score is better. Their entries apply to every case, so every case must have asked for them. */
const LIMITS: ReadonlySet<string> = new Set(['max_turn_seconds', 'max_turn_cost']);

/**
 * Moves what all cases share to a config. An option of a case replaces that of the config, so an option is moved only if every
 * case has it with the same value.
 *
 * @param all The criteria of each case.
 * @param lose Called for what neither a config nor a case can say.
 */
export function settleCriteria(all: readonly CaseCriteria[], lose: (what: string) => void): SettledCriteria {
  const criteria: Record<string, CriterionConfig> = {};
  const shared = new Map<string, Options>();
  for (const name of new Set(all.flatMap(({ options }) => [...options.keys()]))) {
    const common = sharedOptions(all.map(({ options }) => options.get(name)));
    shared.set(name, common);
    const isEverywhere = all.every(({ options }) => options.has(name));
    criteria[name] = { threshold: 1, ...common, ...(isEverywhere ? {} : { whenNotApplicable: 'skip' }) };
  }
  const judge = judgeOf(all, lose);
  const common = sharedRubrics(all);
  if (all.some(({ rubrics }) => rubrics.length > 0)) {
    const rubrics = (all[0]?.rubrics ?? []).filter(({ rubricId }) => common.has(rubricId));
    const written = rubrics.map(({ rubricId, rubricContent }) => ({
      rubric_id: rubricId,
      rubric_content: { text_property: rubricContent.textProperty },
    }));
    const isEverywhere = all.every(({ rubrics: own }) => own.length > 0);
    criteria[RUBRICS] = {
      threshold: 1,
      ...(written.length === 0 ? {} : { rubrics: written }),
      ...judge,
      ...(isEverywhere ? {} : { whenNotApplicable: 'skip' }),
    };
  }
  for (const name of new Set(all.flatMap(({ entries }) => [...entries.keys()]))) {
    const entry = entryOf(
      name,
      all.map(({ entries }) => entries.get(name)),
      lose,
    );
    if (entry !== null) criteria[name] = { ...entry, ...(name === 'final_response_match_v2' ? judge : {}) };
  }
  const cases = all.map(({ options, rubrics }) => ({
    options: new Map(
      [...options].flatMap(([name, own]): [string, Options][] => {
        const moved = shared.get(name) ?? {};
        const left = Object.entries(own).filter(([key]) => !Object.hasOwn(moved, key));
        return left.length === 0 ? [] : [[name, Object.fromEntries(left)]];
      }),
    ),
    rubrics: rubrics.filter(({ rubricId }) => !common.has(rubricId)),
  }));
  return { config: { criteria }, cases };
}

function sharedOptions(all: readonly (Options | undefined)[]): Options {
  const [first = {}] = all;
  const isShared = (key: string, value: Json): boolean =>
    all.every((own) => own !== undefined && Object.hasOwn(own, key) && isDeepStrictEqual(own[key], value));
  return Object.fromEntries(Object.entries(first).filter(([key, value]) => isShared(key, value)));
}

function sharedRubrics(all: readonly CaseCriteria[]): ReadonlySet<string> {
  const ids = all.map(({ rubrics }) => new Set(rubrics.map(({ rubricId }) => rubricId)));
  const [first = new Set<string>(), ...others] = ids;
  return new Set([...first].filter((id) => others.every((own) => own.has(id))));
}

/** Chooses the entry of the config. If cases differ, the strictest applies, so that nothing passes that did not. */
function entryOf(
  name: string,
  all: readonly (Options | undefined)[],
  lose: (what: string) => void,
): CriterionConfig | null {
  const own = all.filter((entry) => entry !== undefined);
  const isLimit = LIMITS.has(name);
  if (isLimit && own.length < all.length) {
    lose(`${name} for some of the cases, which a config can only ask of all, left out`);
    return null;
  }
  const [first = {}] = own;
  const kind = ({ threshold: _, ...rest }: Options) => rest;
  const others = own.filter((entry) => !isDeepStrictEqual(kind(entry), kind(first)));
  if (others.length > 0) lose(`other options of ${name} than those of the first case, left out`);
  const thresholds = own.map(({ threshold }) => Number(threshold));
  const threshold = thresholds.reduce((strict, one) => (isLimit ? Math.min(strict, one) : Math.max(strict, one)));
  if (thresholds.some((one) => one !== threshold)) {
    lose(`thresholds of ${name} that differ between cases: the strictest, ${threshold}, applies to all`);
  }
  return { ...first, threshold, ...(own.length < all.length ? { whenNotApplicable: 'skip' } : {}) };
}

function judgeOf(all: readonly CaseCriteria[], lose: (what: string) => void): Options {
  const judges = [...new Set(all.flatMap(({ judges: own }) => own))];
  const [judge] = judges;
  if (judge === undefined) return {};
  if (judges.length === 1) return { judge_model_options: { judge_model: judge } };
  lose(`different judges (${judges.slice(0, 5).join(', ')}), left out: name one with --judge-model`);
  return {};
}
