import { type CriterionConfig, isObject, type Json, type Problem } from '@agent-criteria/formats';
import { fieldOf, formatPath } from '@agent-criteria/formats/schema';
import type { Criterion } from '../contracts/criterion.ts';
import { formatRange } from '../scoring/sanitise-score.ts';
import { checkCollaborators } from './check-models.ts';
import { appliesElsewhere } from './leave-out-defaults.ts';
import { unmetNeed } from './needs.ts';
import { readOptions } from './options.ts';
import { optionsFor, type PlannedCriterion } from './plan.ts';
import { explainUnknown } from './plugin-advice.ts';
import { repeatedRubricIds } from './repeated-rubric-ids.ts';
import { ask, type Context, problem } from './resolve-context.ts';
import { whatFits } from './warn-of-needs.ts';

/** Core's own keys, suggested for a misspelt one. */
const CORE_KEYS = ['threshold', 'min_coverage', 'when_not_applicable'];

/** Plans a criterion from its entry. Reports problems, and returns `null` if the entry or its options are wrong. */
export function planCriterion(
  context: Context,
  name: string,
  ownEntry: number | CriterionConfig,
  measured: boolean,
  path: string,
): PlannedCriterion | null {
  const criterion = context.registry.get('criterion', name);
  if (criterion === undefined) {
    const told = context.problems.flatMap(({ code, message }) => (code === 'UNKNOWN_CRITERION' ? [message] : []));
    const why = explainUnknown({ kind: 'criterion', name, told }, context.registry, context.options.advice);
    context.problems.push(problem(context, 'UNKNOWN_CRITERION', why, path));
    return null;
  }
  const entry = withSettingsAsOptions(criterion, ownEntry, context.options.settings);
  const before = context.problems.length;
  const decides = criterion.decides && !measured;
  const { threshold, minCoverage, whenNotApplicable, agentCriteria, ...own } =
    typeof entry === 'number' ? { threshold: entry } : entry;
  checkThreshold(context, criterion, threshold, decides, path);
  if (minCoverage !== undefined && !(minCoverage > 0 && minCoverage <= 1)) {
    const message = `min_coverage must be above 0 and at most 1, not ${minCoverage}`;
    context.problems.push(problem(context, 'INVALID_OPTION', message, `${path}.min_coverage`));
  }
  const nested = agentCriteria ?? {};
  const asked = withoutDefault(criterion, { ...own, ...nested });
  const read = readOptions(criterion, asked, path, context.options.file, {}, CORE_KEYS);
  context.problems.push(...read.problems.map((found) => explained(found, name)));
  context.warnings.push(...read.warnings);
  const caseOptions = new Map<string, unknown>();
  for (const [index, evalCase] of context.options.evalSet.evalCases.entries()) {
    const ofCase = evalCase.agentCriteria;
    if (!ofCase || !Object.hasOwn(ofCase, name)) continue;
    const more = ofCase[name];
    const place = formatPath(['eval_cases', index, 'agent_criteria', name]);
    if (!isObject(more)) {
      context.problems.push({
        code: 'INVALID_OPTION',
        message: `the options of ${name} for a case must be an object, as { "option": value }`,
        path: place,
      });
      continue;
    }
    const forCase = readOptions(criterion, withoutDefault(criterion, more), place, undefined, read.written);
    context.problems.push(...forCase.problems.map((found) => explained(found, name)));
    context.warnings.push(...forCase.warnings);
    caseOptions.set(evalCase.evalId, forCase.value);
  }
  if (context.problems.length > before) return null;

  const planned: PlannedCriterion = {
    name,
    criterion,
    decides,
    threshold: decides ? (threshold ?? null) : null,
    minCoverage: minCoverage ?? 1,
    whenNotApplicable: whenNotApplicable ?? 'not-evaluated',
    options: read.value,
    caseOptions,
    inapplicable: inapplicableCases(context, criterion, read.value, caseOptions, path),
    written: JSON.parse(JSON.stringify(entry)) as Json,
  };
  const repeated = repeatedRubricIds(criterion, (id) => optionsFor(planned, id), context.options.evalSet.evalCases);
  if (repeated !== null) context.problems.push(problem(context, 'DUPLICATE_ID', repeated, path));
  checkCollaborators(context, planned, path);
  return planned;
}

const IN_FINAL = ['include_intermediate_responses_in_final', 'includeIntermediateResponsesInFinal'];

/**
 * Removes `include_intermediate_responses_in_final: false` from options of a criterion that does not have this option.
 * ADK writes it into the results of every criterion, and it is the default.
 */
function withoutDefault(
  criterion: Criterion,
  own: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const known = fieldOf(criterion.options.jsonSchema.properties, 'includeIntermediateResponsesInFinal');
  if (isObject(known) && known.type === 'boolean') return own;
  return Object.fromEntries(Object.entries(own).filter(([key, value]) => !(IN_FINAL.includes(key) && value === false)));
}

/** Explains why `include_intermediate_responses_in_final` can only be false, instead of reporting it as unknown. */
function explained(found: Problem, name: string): Problem {
  const key = IN_FINAL.find((one) => found.code === 'UNKNOWN_KEY' && found.path?.endsWith(`.${one}`));
  if (key === undefined) return found;
  return { ...found, message: `${name} reads final answers only, so "${key}" can only be false; remove it` };
}

function checkThreshold(
  context: Context,
  criterion: Criterion,
  threshold: number | undefined,
  decides: boolean,
  path: string,
): void {
  const { name, range } = criterion;
  if (!decides) {
    if (threshold === undefined) return;
    const why = criterion.decides ? 'it is named under agent_criteria.measure' : 'it only measures';
    const message = `${name} takes no threshold: ${why}, so it is not deciding; remove the threshold`;
    context.problems.push(problem(context, 'INVALID_THRESHOLD', message, path));
    return;
  }
  if (threshold === undefined) {
    const message = `${name} needs a threshold between ${range.min} and ${range.max ?? 'infinity'}`;
    context.problems.push(problem(context, 'INVALID_THRESHOLD', message, path));
  } else if (!Number.isFinite(threshold) || threshold < range.min || (range.max !== null && threshold > range.max)) {
    // Probably a score out of 10 or 100. A number such as 1.5 is neither.
    const isShare = threshold >= 2 && threshold <= 100;
    const share = threshold <= 10 ? threshold / 10 : threshold / 100;
    const percent = range.max === 1 && isShare ? `; did you mean ${share}?` : '';
    const message = `the threshold ${threshold} is outside the range of ${name}, ${formatRange(range)}${percent}`;
    context.problems.push(problem(context, 'INVALID_THRESHOLD', message, path));
  }
}

/**
 * Finds the cases to which the criterion does not apply. If it applies to none and the user has configured it, reports
 * an error.
 */
function inapplicableCases(
  context: Context,
  criterion: Criterion,
  options: unknown,
  caseOptions: ReadonlyMap<string, unknown>,
  path: string,
): ReadonlyMap<string, string> {
  const cases = context.options.evalSet.evalCases;
  const reasons = new Map<string, string>();
  for (const evalCase of cases) {
    const own = caseOptions.has(evalCase.evalId) ? caseOptions.get(evalCase.evalId) : options;
    const reason = ask(
      context,
      path,
      `unmetNeed of ${criterion.name} (${criterion.origin.package})`,
      () => unmetNeed(criterion, own, evalCase, context.compat),
      (answer) => answer === null || typeof answer === 'string',
    );
    // Stop after a throw, which would recur for every case.
    if (reason === undefined) return reasons;
    if (reason !== null) reasons.set(evalCase.evalId, reason);
  }
  if (cases.length === 0 || reasons.size < cases.length) return reasons;
  // Default criteria are left out later.
  if ((context.options.config ?? null) === null || appliesElsewhere(context, criterion, options)) return reasons;
  const { evalSetId } = context.options.evalSet;
  const why = `${criterion.name} applies to no case of the eval set "${evalSetId}": ${[...reasons.values()][0]}`;
  // The advice is given once, however many criteria do not fit.
  const isAdvised = context.problems.some(({ code }) => code === 'NEEDS_UNMET');
  const message = isAdvised ? why : `${why}. ${advice(context, criterion, path)}`;
  context.problems.push(problem(context, 'NEEDS_UNMET', message, path));
  return reasons;
}

/** Shows how to make the criterion apply, as a line to paste, or else suggests others that apply. */
function advice(context: Context, { name, needs }: Criterion, path: string): string {
  if (needs?.rubrics === undefined) {
    const answer = 'Write the expected answer into "final_response" of a turn, or take another criterion. ';
    return `${needs?.reference === 'response' ? answer : ''}${whatFits(context, context.options.evalSet.evalCases)}`;
  }
  const rubric = '{ "rubric_id": "polite", "rubric_content": { "text_property": "The answer is polite." } }';
  const isNamed = path === '$.agent_criteria.measure';
  const entry = isNamed ? `"${name}": { "rubrics": [${rubric}] }` : `"rubrics": [${rubric}]`;
  return isNamed
    ? `Put rubrics into its entry under "criteria": ${entry}`
    : `Put rubrics into its entry, as ${entry}, or into cases`;
}

/** The JSON Schema keyword of an option that names the run setting to take its default value from. */
const SETTING = 'x-setting';

/** Adds run settings to an entry as options, unless the entry sets these options itself. */
function withSettingsAsOptions(
  criterion: Criterion,
  entry: number | CriterionConfig,
  settings: Readonly<Record<string, unknown>> = {},
): number | CriterionConfig {
  const { properties } = criterion.options.jsonSchema;
  const own = typeof entry === 'number' ? { threshold: entry } : entry;
  const taken = Object.entries(isObject(properties) ? properties : {}).flatMap(
    ([option, schema]): [string, unknown][] => {
      const setting = isObject(schema) ? schema[SETTING] : undefined;
      if (typeof setting !== 'string' || !Object.hasOwn(settings, setting) || settings[setting] === undefined)
        return [];
      const isWritten = [own, own.agentCriteria].some((written) => fieldOf(written, option) !== undefined);
      return isWritten ? [] : [[option, settings[setting]]];
    },
  );
  return taken.length === 0 ? entry : { ...own, ...Object.fromEntries(taken) };
}
