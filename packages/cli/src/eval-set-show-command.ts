import { contentText, type EvalCase, type EvalSet, type Invocation, toolCalls } from '@agent-criteria/core';
import { counted } from '@agent-criteria/core/host';
import { writeEvalSet } from '@agent-criteria/formats/parse';
import { findCase, readEvalSetFile } from '@agent-criteria/project/editing';
import { findEvalSet } from '@agent-criteria/project/files';
import { stubLines } from '@agent-criteria/report/console';
import { fitTable, indent, oneLine, safe, safeLines } from '@agent-criteria/report/terminal';
import { usage } from './arguments.ts';
import type { Given } from './command-flags.ts';
import { type Io, painter } from './io.ts';
import { printJson, printWarnings } from './print.ts';

/** Shows the cases of an eval set, or one of them in full. */
export async function evalSetShowCommand(
  { flags, positionals, form }: Given<'eval_set show'>,
  io: Io,
): Promise<number> {
  const [agent, id, caseId] = positionals;
  if (agent === undefined || id === undefined) throw usage(`name an agent and the id of a set: ${form}`);
  const found = await readEvalSetFile(await findEvalSet(agent, id), { legacyId: id });
  const { file, value: set } = found;
  printWarnings(found.warnings, io);
  const shown = caseId === undefined ? set : { ...set, evalCases: [findCase(found, caseId)] };
  if (flags.json === true) printJson(writeEvalSet(shown), io);
  else if (caseId === undefined) printSet(set, file, io);
  else for (const evalCase of shown.evalCases) printCase(evalCase, io);
  return 0;
}

function printSet(set: EvalSet, file: string, io: Io): void {
  const { bold, dim } = painter(io);
  io.out(`${bold(safe(set.evalSetId))}: ${counted(set.evalCases.length, 'case')} in ${safe(file)}\n`);
  if (typeof set.description === 'string') io.out(`${indent(safeLines(set.description), 2)}\n`);
  if (set.evalCases.length === 0) return;
  const header = ['case', 'turns', 'expected calls', 'first message'].map((text) => ({ text, paint: dim }));
  const rows = set.evalCases.map((evalCase) => [
    { text: oneLine(safe(evalCase.evalId), 40) },
    { text: evalCase.conversation ? String(evalCase.conversation.length) : 'scenario' },
    { text: evalCase.conversation ? String(evalCase.conversation.flatMap(toolCalls).length) : '-' },
    { text: oneLine(firstMessage(evalCase), 60) },
  ]);
  io.out(`\n${fitTable([header, ...rows], io.width.out)}\n`);
}

function firstMessage({ conversation, conversationScenario }: EvalCase): string {
  const content = conversation?.[0]?.userContent;
  return content ? contentText(content) : (conversationScenario?.startingPrompt ?? '');
}

function printCase(evalCase: EvalCase, io: Io): void {
  const { bold } = painter(io);
  io.out(`${bold(safe(evalCase.evalId))}\n`);
  const { conversationScenario: scenario, sessionInput: session, rubrics } = evalCase;
  if (session) {
    io.out(part('session', `${session.appName} for ${session.userId || 'no particular user'}`));
    if (session.state && Object.keys(session.state).length > 0) io.out(part('state', JSON.stringify(session.state)));
  }
  if (scenario) {
    const { startingPrompt, conversationPlan, userPersona } = scenario;
    io.out(part('starts', startingPrompt) + part('plan', conversationPlan));
    if (userPersona) io.out(part('persona', typeof userPersona === 'string' ? userPersona : userPersona.id));
  }
  for (const line of stubLines(evalCase)) io.out(part('stubbed', line));
  for (const rubric of rubrics ?? []) io.out(part('rubric', rubric.rubricContent.textProperty ?? rubric.rubricId));
  for (const [index, turn] of (evalCase.conversation ?? []).entries()) io.out(turnText(turn, index));
}

function turnText(turn: Invocation, index: number): string {
  const calls = toolCalls(turn).map(({ name = '', args }) => `${name}(${JSON.stringify(args ?? {})})`);
  return [
    `  turn ${index + 1}\n`,
    indent(part('user', contentText(turn.userContent)), 2),
    ...calls.map((call) => indent(part('call', call), 2)),
    turn.finalResponse ? indent(part('answer', contentText(turn.finalResponse)), 2) : '',
    ...(turn.rubrics ?? []).map((rubric) =>
      indent(part('rubric', rubric.rubricContent.textProperty ?? rubric.rubricId), 2),
    ),
  ].join('');
}

function part(label: string, text: string): string {
  return `  ${label.padEnd(9)}${indent(safeLines(text), 11).trimStart()}\n`;
}
