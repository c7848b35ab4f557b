import {
  type ConversationScenario,
  CriteriaError,
  didYouMean,
  type EvalCase,
  type Problem,
} from '@agent-criteria/core';
import { parseConversationScenarios, parseSessionInput } from '@agent-criteria/core/host';
import {
  addCases,
  agentFolder,
  collectProblems,
  existingEvalSet,
  readEvalSetFile,
  readJsonFile,
  scenarioId,
} from '@agent-criteria/project';
import { safe } from '@agent-criteria/report/terminal';
import { atMost, parseFlags, usage } from './arguments.ts';
import { commandFlags } from './command-flags.ts';
import type { Io } from './io.ts';
import { printJson } from './print-json.ts';
import { printWarnings } from './print-problems.ts';

const FORM = 'agent-criteria eval_set add_eval_case AGENT SET_ID --scenarios_file FILE --session_input_file FILE';

/** `agent-criteria eval_set add_eval_case`: every scenario of a file becomes a case of a set. */
export async function evalSetAddCommand(args: readonly string[], io: Io): Promise<number> {
  const { flags, positionals } = parseFlags(args, commandFlags['eval_set add_eval_case']);
  const [agent, id] = positionals;
  const { scenarios_file: scenariosFile, session_input_file: sessionFile } = flags;
  if (agent === undefined || id === undefined) throw usage(`name an agent and the id of a set: ${FORM}`);
  if (scenariosFile === undefined || sessionFile === undefined) throw usage(`name both files: ${FORM}`);
  atMost(2, positionals, FORM);

  const found = collectProblems();
  const set = await found.attempt(async () => readEvalSetFile(await existingEvalSet(await agentFolder(agent), id)));
  const scenarios = await found.attempt(async () => readAs(scenariosFile, parseConversationScenarios));
  const session = await found.attempt(async () => readAs(sessionFile, parseSessionInput));
  const { scenarios: all = [] } = scenarios?.value ?? {};
  if (scenarios) await found.attempt(async () => checkScenarios(all, scenariosFile));
  found.throwIfAny();
  if (!set || !scenarios || !session) throw found.toError();
  printWarnings([...set.warnings, ...scenarios.warnings, ...session.warnings], io);

  const taken = new Set(set.value.evalCases.map(({ evalId }) => evalId));
  const added: EvalCase[] = [];
  const skipped: string[] = [];
  for (const scenario of all) {
    const evalId = scenarioId(scenario);
    if (taken.has(evalId)) skipped.push(evalId);
    else {
      const now = Date.now() / 1000;
      added.push({ evalId, conversationScenario: scenario, sessionInput: session.value, creationTimestamp: now });
    }
    taken.add(evalId);
  }
  await addCases(set, added);
  if (flags.json === true) printJson({ file: set.file, added: added.map(({ evalId }) => evalId), skipped }, io);
  else {
    for (const { evalId } of added) io.out(`Case "${safe(evalId)}" added to ${safe(set.file)}\n`);
    for (const evalId of skipped)
      io.out(`Case "${safe(evalId)}" is in ${safe(set.file)} already, and was passed over\n`);
  }
  return 0;
}

async function readAs<T>(file: string, parse: (value: unknown, options: { readonly file: string }) => T): Promise<T> {
  const { value } = await readJsonFile(file);
  return parse(value, { file });
}

/** ADK's ids, of which it knows the personas; it refuses others too. */
export const personaIds: readonly string[] = ['EXPERT', 'NOVICE', 'EVALUATOR'];

/** @throws CriteriaError for a file without scenarios, and for personas that nobody knows. */
function checkScenarios(scenarios: readonly ConversationScenario[], file: string): void {
  const problems: Problem[] = scenarios.flatMap(({ userPersona }, index): Problem[] => {
    if (typeof userPersona !== 'string' || personaIds.includes(userPersona)) return [];
    const hint = didYouMean(userPersona, personaIds) || `; there are ${personaIds.join(', ')}`;
    const message = `there is no persona "${userPersona}"${hint}. Or write it out: { "id", "description", "behaviors" }`;
    return [{ code: 'INVALID_DATA', file, path: `$.scenarios[${index}].user_persona`, message }];
  });
  if (scenarios.length === 0) {
    const message = 'the file has no scenario, so nothing would be added; add one under "scenarios"';
    problems.push({ code: 'EMPTY', file, path: '$.scenarios', message });
  }
  if (problems.length > 0) throw new CriteriaError(problems);
}
