import { type ConversationScenario, CriteriaError, didYouMean, type Problem } from '@agent-criteria/core';
import { parseConversationScenarios, parseSessionInput } from '@agent-criteria/formats/parse';
import { findEvalSet } from '../files/agent-folder.ts';
import { collectProblems } from '../files/collect-problems.ts';
import { readJsonFile } from '../files/read-json-file.ts';
import { readEvalSetFile } from './eval-set-file.ts';
import { type AddedScenarioCases, addScenarioCases } from './scenario-cases.ts';

export interface AddScenariosOptions {
  /** The module or folder of the agent. */
  readonly agent: string;
  /** The id or the file of the set. */
  readonly evalSet: string;
  /** A file in ADK's format: `{ "scenarios": [...] }`. */
  readonly scenariosFile: string;
  /** The session that every new case starts from: app, user and state. */
  readonly sessionInputFile: string;
}

export interface AddedScenarios extends AddedScenarioCases {
  readonly file: string;
  readonly warnings: readonly Problem[];
}

/**
 * Adds each scenario in a file to an eval set, as a case with the id that ADK would give it.
 *
 * @throws CriteriaError with every mistake in all three files, in which case nothing is written.
 */
export async function addScenarios(options: AddScenariosOptions): Promise<AddedScenarios> {
  const { agent, evalSet, scenariosFile, sessionInputFile } = options;
  const found = collectProblems();
  const set = await found.attempt(async () => readEvalSetFile(await findEvalSet(agent, evalSet)));
  const scenarios = await found.attempt(async () => readAs(scenariosFile, parseConversationScenarios));
  const session = await found.attempt(async () => readAs(sessionInputFile, parseSessionInput));
  const { scenarios: all = [] } = scenarios?.value ?? {};
  if (scenarios) await found.attempt(async () => checkScenarios(all, scenariosFile));
  found.throwIfAny();
  if (!set || !scenarios || !session) throw found.toError();

  const { added, skipped } = await addScenarioCases(
    set,
    all.map((scenario) => ({ scenario })),
    session.value,
  );
  const warnings = [...set.warnings, ...scenarios.warnings, ...session.warnings];
  return { file: set.file, added, skipped, warnings };
}

async function readAs<T>(file: string, parse: (value: unknown, options: { readonly file: string }) => T): Promise<T> {
  const { value } = await readJsonFile(file);
  return parse(value, { file });
}

/** The ids of the built-in personas: ADK's three, and one of ours. */
const personaIds: readonly string[] = ['EXPERT', 'NOVICE', 'EVALUATOR', 'ATTACKER'];

/** Checks the scenarios. @throws CriteriaError for a file without scenarios, and for unknown personas. */
function checkScenarios(scenarios: readonly ConversationScenario[], file: string): void {
  const problems: Problem[] = scenarios.flatMap(({ userPersona }, index): Problem[] => {
    if (typeof userPersona !== 'string' || personaIds.includes(userPersona)) return [];
    const hint = didYouMean(userPersona, personaIds) || `; use one of ${personaIds.join(', ')}`;
    const message = `there is no persona "${userPersona}"${hint}. Or write it out: { "id", "description", "behaviors" }`;
    return [{ code: 'INVALID_DATA', file, path: `$.scenarios[${index}].user_persona`, message }];
  });
  if (scenarios.length === 0) {
    const message = 'the file has no scenario, so nothing would be added; add one under "scenarios"';
    problems.push({ code: 'EMPTY', file, path: '$.scenarios', message });
  }
  if (problems.length > 0) throw new CriteriaError(problems);
}
