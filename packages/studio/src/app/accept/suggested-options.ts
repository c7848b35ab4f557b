import type { EvalCase, State } from '@agent-criteria/core';
import type { CaseResult } from '@agent-criteria/core/host';
import { isObject } from '@agent-criteria/formats';

/** Options with which a criterion would have accepted the recorded calls, as suggested by that criterion. */
export interface SuggestedOptions {
  readonly criterion: string;
  /** The difference, as a sentence. */
  readonly why: string;
  readonly options: State;
}

/** Matches a note from tool_trajectory_avg_score: a sentence, followed by JSON with the options. */
const NOTE = /^(.*\.) These options would accept that: (\{.*\})$/s;

/**
 * Collects suggestions that would let the criteria pass a repeat, provided that every turn below the threshold has one.
 * Merges the matchers of several turns; the loosest match type wins.
 */
export function suggestedOptions(
  { criteria }: Pick<CaseResult, 'criteria'>,
  repeat: number,
): readonly SuggestedOptions[] {
  return criteria.flatMap(({ name, turns }) => {
    const short = turns.filter((turn) => turn.repeat === repeat && turn.reached === false);
    const found = short.map(({ score }) =>
      (score.evidence ?? []).flatMap((evidence) => (evidence.kind === 'note' ? readNote(evidence.text) : [])),
    );
    const matching = found.map((notes) => notes.find(({ options }) => isObject(options.matchers)));
    const first = matching[0];
    if (first !== undefined && matching.every((one) => one !== undefined)) {
      const matchers = matching.map(({ options }) => options.matchers as Matchers).reduce(joined);
      const whys = [...new Set(matching.map(({ why }) => why))];
      return [{ criterion: name, why: whys.join(' '), options: { matchers } as State }];
    }
    const looser = found.map((notes) => notes.find(({ options }) => typeof options.match_type === 'string'));
    const loosest = looser.find((one) => one?.options.match_type === 'ANY_ORDER') ?? looser[0];
    if (loosest === undefined || looser.includes(undefined)) return [];
    return [{ criterion: name, ...loosest }];
  });
}

/** Sets options of a criterion in a case, leaving its other options unchanged. */
export function withOptions(evalCase: EvalCase, { criterion, options }: SuggestedOptions): EvalCase {
  const before = evalCase.agentCriteria?.[criterion];
  const own = isObject(before) ? before : {};
  return { ...evalCase, agentCriteria: { ...evalCase.agentCriteria, [criterion]: { ...own, ...options } as State } };
}

type Matchers = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

function joined(one: Matchers, other: Matchers): Matchers {
  const tools = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...tools].map((tool) => [tool, { ...one[tool], ...other[tool] }]));
}

function readNote(text: string): readonly { readonly why: string; readonly options: State }[] {
  const [, why, json] = NOTE.exec(text) ?? [];
  if (why === undefined || json === undefined) return [];
  try {
    const options: unknown = JSON.parse(json);
    return isObject(options) ? [{ why, options: options as State }] : [];
  } catch {
    return [];
  }
}
