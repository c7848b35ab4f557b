import { type EvalCase, isObject, type Json } from '@agent-criteria/formats';
import { formatPath } from '@agent-criteria/formats/schema';
import { comparesWithNothing, EXPECTS_NOTHING, expectsNothing } from '../scoring/expects-nothing.ts';
import { fittingCriteria } from './needs.ts';
import type { PlannedCriterion } from './plan.ts';
import { type Context, problem } from './resolve-context.ts';

/** Suggests criteria that would judge these cases, and how to get a config that names them. */
export function whatFits({ registry, compat, options }: Context, cases: readonly EvalCase[]): string {
  const installed = options.advice?.installedCriteria?.(cases, registry) ?? [];
  const installable = options.advice?.installableCriteria(cases, registry) ?? [];
  const fitting = fittingCriteria(registry, cases, compat, { installed, installable }, options.advice?.wouldScore);
  const isDefault = (options.config ?? null) === null;
  return isDefault ? `${fitting}. Name them in test_config.json: agent-criteria init proposes one` : fitting;
}

/** Warns about criteria that do not apply to some cases, with advice on how these cases can still be judged. */
export function warnOfNeeds(
  context: Context,
  criteria: readonly PlannedCriterion[],
  entries: Readonly<Record<string, unknown>>,
): void {
  const cases = context.options.evalSet.evalCases;
  const deciding = criteria.filter(({ decides }) => decides);
  const unjudged = cases.filter(({ evalId }) => deciding.every(({ inapplicable }) => inapplicable.has(evalId)));
  let isReported = false;
  for (const { name, decides, inapplicable, whenNotApplicable, written } of criteria) {
    if (inapplicable.size === 0) continue;
    const then: string[] = [];
    if (decides && unjudged.length < inapplicable.size) then.push(howToSkip(name, whenNotApplicable, written));
    if (decides && unjudged.length > 0 && !isReported) {
      const which = `"${unjudged[0]?.evalId}"${unjudged.length > 1 ? ` and ${unjudged.length - 1} more` : ''}`;
      const verdict = unjudged.length > 1 ? 'they will be not evaluated' : 'it will be not evaluated';
      then.push(
        `no deciding criterion applies to ${which}, so ${verdict}${stillRun(context, unjudged.length)}. ${whatFits(context, unjudged)}`,
      );
      isReported = true;
    }
    const why = `${name} does not apply to ${inapplicable.size} of ${cases.length} cases (${[...inapplicable.values()][0]})`;
    const path = Object.hasOwn(entries, name) ? formatPath(['criteria', name]) : '$.agent_criteria.measure';
    const message = then.length === 0 ? why : `${why}: ${then.join('; ')}`;
    context.warnings.push(problem(context, 'NEEDS_UNMET', message, path));
  }
}

/** Mentions that conversations are still generated, and cost money, even if nothing judges them. */
function stillRun({ options }: Context, count: number): string {
  if (options.scoringOnly === true) return '';
  return count > 1 ? ' (their conversations are still generated)' : ' (its conversation is still generated)';
}

/**
 * Describes the verdict of cases to which a criterion does not apply, and the entry that lets other criteria decide.
 */
function howToSkip(name: string, now: PlannedCriterion['whenNotApplicable'], written: Json): string {
  if (now === 'skip') return 'their other criteria decide';
  const own = typeof written === 'number' ? { threshold: written } : written;
  const isShort = isObject(own) && Object.keys(own).join() === 'threshold';
  const key = '"when_not_applicable": "skip"';
  const entry = isShort ? `"${name}": { "threshold": ${own.threshold}, ${key} }` : `${key} on ${name}`;
  return `they will be not evaluated; ${entry} lets their other criteria decide`;
}

/** Warns about cases that will not be evaluated because they have no reference, with advice on what to write. */
export function warnOfNothing(context: Context, criteria: readonly PlannedCriterion[]): void {
  const { evalCases } = context.options.evalSet;
  const found = [...evalCases.entries()].filter(([, evalCase]) => {
    if (!expectsNothing(evalCase)) return false;
    const applied = criteria.filter(({ inapplicable }) => !inapplicable.has(evalCase.evalId));
    return comparesWithNothing(evalCase, applied);
  });
  const [first] = found;
  if (first === undefined) return;
  const [index, { evalId }] = first;
  const all = `"${evalId}"${found.length > 1 ? ` and ${found.length - 1} more` : ''}`;
  const verdict = found.length > 1 ? 'they will be not evaluated' : 'it will be not evaluated';
  const message = `${all}: ${EXPECTS_NOTHING}, so ${verdict}. ${SAY_SO}, or add a criterion that needs no reference`;
  const path = formatPath(['eval_cases', index, 'conversation']);
  context.warnings.push({ code: 'NEEDS_UNMET', message, path });
}

/** Advice for a turn that expects no calls, in both turn formats. */
const SAY_SO =
  'Write "calls": [] beside "user", or "intermediate_data": { "tool_uses": [] } beside "user_content", if no tool may be called; write the expected answer if there is one';
