import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { executeRun, openProject, prepareRun } from '@agent-criteria/project';
import { caseFromRun, listEvalSets, readEvalSetFile, replaceCase } from '@agent-criteria/project/editing';
import { findEvalSet } from '@agent-criteria/project/files';
import { findRun } from '@agent-criteria/project/runs';
import { openRun, type RunEvent } from '@agent-criteria/runner';

/** The workbench brings a criterion along, so that a project with a plain `test_config.json` needs to install nothing. */
const builtIn = { plugins: [responseMatch] };

/** The eval sets of an agent, each with its number of cases. What cannot be read is listed with the reason. */
export async function listSets(agent: string): Promise<string[]> {
  const { sets, problems } = await listEvalSets(agent);
  return [
    ...sets.map(({ id, cases }) => `${id} (${cases ?? 'unreadable'})`),
    ...problems.map(({ file, message }) => `${file}: ${message}`),
  ];
}

/** Runs one eval set, and tells what happens while it happens. */
export async function runSet(agent: string, setId: string, tell: (line: string) => void): Promise<void> {
  const prepared = await prepareRun({ agent, evalSets: [setId], builtIn });
  for (const { message } of prepared.warnings) tell(`Warning: ${message}`);
  const { outcome } = await executeRun(prepared, {
    onEvent: (event) => {
      const line = eventText(event);
      if (line !== null) tell(line);
    },
  });
  for (const { message } of [...outcome.problems, ...outcome.warnings]) tell(message);
}

function eventText(event: RunEvent): string | null {
  switch (event.type) {
    case 'unit-started':
      return `${event.key.caseId} ...`;
    case 'case-finished':
      return `${event.result.caseId}: ${event.result.verdict}`;
    case 'run-finished':
      return `${event.summary.verdicts.passed} of ${event.summary.total} passed`;
    default:
      return null;
  }
}

/** What the last run found: each case with its scores, and what the agent said. */
export async function readLastRun(agent: string): Promise<string[]> {
  const run = openRun(await lastRun(agent));
  const lines = [`${run.info.id}: ${run.summary.verdict}`];
  for await (const { result, inferences } of run.cases()) {
    lines.push(`${result.caseId}: ${result.verdict}`);
    for (const { name, score, threshold, reason } of result.criteria) {
      lines.push(`  ${name}: ${score ?? reason} (threshold ${threshold})`);
    }
    const turns = inferences.flatMap(({ inference }) => inference.invocations);
    for (const { finalResponse } of turns) lines.push(`  answer: ${finalResponse?.parts?.[0]?.text ?? 'none'}`);
  }
  return lines;
}

/** Edits a case: from now on it expects what the agent did in the last run. */
export async function acceptAnswers(agent: string, setId: string, caseId: string): Promise<void> {
  const { evalCase } = await caseFromRun({ run: await lastRun(agent), setId, caseId, evalId: caseId });
  const set = await readEvalSetFile(await findEvalSet(agent, setId));
  await replaceCase(set, caseId, evalCase);
}

async function lastRun(agent: string): Promise<string> {
  const { runsFolder } = await openProject({ agent, builtIn });
  return findRun('last', runsFolder);
}
