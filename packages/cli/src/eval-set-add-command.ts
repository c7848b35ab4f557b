import {
  CriteriaError,
  type EvalCase,
  parseConversationScenarios,
  parseEvalSet,
  parseSessionInput,
  writeEvalSet,
} from '@agent-criteria/core';
import { safe } from '@agent-criteria/report/terminal';
import { collectProblems, readJsonFile } from '@agent-criteria/runner/load';
import { agentFolder, existingEvalSet } from './agent-folder.ts';
import { atMost, parseFlags, usage } from './arguments.ts';
import { commandFlags } from './command-flags.ts';
import type { Io } from './io.ts';
import { printWarnings } from './print-problems.ts';
import { scenarioId } from './scenario-id.ts';
import { jsonText, writeWhole } from './write-file.ts';

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
  const set = await found.attempt(() => readSet(agent, id));
  const scenarios = await found.attempt(async () => readAs(scenariosFile, parseConversationScenarios));
  const session = await found.attempt(async () => readAs(sessionFile, parseSessionInput));
  if (scenarios && (scenarios.value.scenarios ?? []).length === 0) {
    await found.attempt(() => Promise.reject(noScenario(scenariosFile)));
  }
  found.throwIfAny();
  if (!set || !scenarios || !session) throw found.toError();
  printWarnings([...set.warnings, ...scenarios.warnings, ...session.warnings], io);

  const taken = new Set(set.value.evalCases.map(({ evalId }) => evalId));
  const added: EvalCase[] = [];
  const skipped: string[] = [];
  for (const scenario of scenarios.value.scenarios ?? []) {
    const evalId = scenarioId(scenario);
    if (taken.has(evalId)) skipped.push(evalId);
    else {
      const now = Date.now() / 1000;
      added.push({ evalId, conversationScenario: scenario, sessionInput: session.value, creationTimestamp: now });
    }
    taken.add(evalId);
  }
  const evalSet = { ...set.value, evalCases: [...set.value.evalCases, ...added] };
  if (added.length > 0) await writeWhole(set.file, jsonText(writeEvalSet(evalSet)));
  if (flags.json === true) io.out(jsonText({ file: set.file, added: added.map(({ evalId }) => evalId), skipped }));
  else {
    for (const { evalId } of added) io.out(`Case "${evalId}" added to ${safe(set.file)}\n`);
    for (const evalId of skipped) io.out(`Case "${evalId}" is in ${safe(set.file)} already, and was passed over\n`);
  }
  return 0;
}

async function readSet(agent: string, id: string) {
  const file = await existingEvalSet(await agentFolder(agent), id);
  const { value, warnings } = await readJsonFile(file);
  const parsed = parseEvalSet(value, { file, allowEmpty: true });
  return { file, value: parsed.value, warnings: [...warnings, ...parsed.warnings] };
}

async function readAs<T>(file: string, parse: (value: unknown, options: { readonly file: string }) => T): Promise<T> {
  const { value } = await readJsonFile(file);
  return parse(value, { file });
}

function noScenario(file: string): CriteriaError {
  const message = 'the file has no scenario, so nothing would be added; add one under "scenarios"';
  return new CriteriaError({ code: 'EMPTY', file, path: '$.scenarios', message });
}
